//===- Panels.h - Operands made a panel at a time ------------ -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Fields that are not stored (VirtualFields.h): who reads them makes a panel of their rows at a time, in its own
// thread's cache.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_PANELS_H
#define GNN_CPU_PANELS_H

#include "runtime/src/core/Buffer.h"
#include "runtime/src/cpu/CpuStep.h"

#include <vector>

namespace gnn::rt {

class ProductStep;

/// An operand of a product that a map or sweep makes.
class Panels {
public:
  /// `maker` has the field as its last operand and stays with the caller. A row of the field has `rowBytes` bytes.
  Panels(const KernelCall &maker, size_t rowBytes, unsigned threads);

  /// Rows of one panel: as many as stay in a second-level cache.
  int64_t rows() const { return panelRows; }
  size_t bytes() const { return storage.size(); }

  /// Rows [begin, end), at most `rows()` many, until the next call for `worker`. `scratch` is the worker's own.
  const void *make(int64_t begin, int64_t end, unsigned worker, void *scratch);

private:
  const KernelCall &maker;
  size_t rowBytes;
  int64_t panelRows;
  size_t stride;
  Buffer<char> storage;
  std::vector<std::vector<void *>> own; // [threads] operands of one call
};

/// The operands of a map that products make, in panels of productTileRows rows.
class ProductPanels {
public:
  ProductPanels(const std::vector<void *> &operands, unsigned threads)
      : operands(operands), own(threads, std::vector<void *>(operands.size())) {}

  /// Operand `operand` is what `product` makes; both stay with the caller.
  void add(uint32_t operand, ProductStep &product);
  bool empty() const { return panels.empty(); }
  size_t bytes() const;

  /// The operands of a call of `worker` for rows [begin, end), until its next one.
  void *const *make(int64_t begin, int64_t end, unsigned worker);

private:
  struct Panel {
    uint32_t operand;
    ProductStep *product;
    size_t rowBytes, stride;
    Buffer<char> storage;
  };

  const std::vector<void *> &operands;
  std::vector<Panel> panels;
  std::vector<std::vector<void *>> own; // [threads] operands of one call
};

} // namespace gnn::rt

#endif // GNN_CPU_PANELS_H
