//===- Panels.h - Operands of products made a panel at a time ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A field that outgrows the caches, is made from bound data by one map and read by products alone is not stored: each
// product makes a panel of its rows at a time, in its own thread's cache, just before it multiplies them. So are sums
// by hundreds of edge types, which would take more than the edges that are summed: a sweep makes each panel. Nor is the
// result of a product that one map alone reads, such as what bias and ReLU follow: the map has it made in panels.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_PANELS_H
#define GNN_EXEC_PANELS_H

#include "runtime/src/core/Buffer.h"
#include "runtime/src/exec/Library.h"

#include <functional>
#include <vector>

namespace gnn::rt {

struct StepTasks;

/// For each tensor of the library the step of `program` that makes it in panels for those who read it, or -1: it is
/// stored.
/// `bytesOf` gives the size of a tensor, `bytesOnEdges` what all edges of a sweep read. What is chosen depends on sizes
/// only, never on the number of threads.
std::vector<int32_t> findPanels(const Library &library, const gnn_program_t &program,
                                const std::function<size_t(uint32_t)> &bytesOf,
                                const std::function<size_t(const gnn_step_t &)> &bytesOnEdges);

/// An operand of a product, made in panels.
class Panels {
public:
  /// The map or sweep runs `kernel` with `args`, whose operands are `operands`, the field last; all stay with the
  /// caller. A row of the field has `rowBytes` bytes.
  Panels(gnn_kernel_fn kernel, const gnn_kernel_args_t &args, const std::vector<void *> &operands, size_t rowBytes,
         unsigned threads);

  /// Rows of one panel: as many as stay in a second-level cache.
  int64_t rows() const { return panelRows; }
  size_t bytes() const { return storage.size(); }

  /// Rows [begin, end), at most `rows()` many, until the next call for `worker`. `scratch` is the worker's own.
  const void *make(int64_t begin, int64_t end, unsigned worker, void *scratch);

private:
  gnn_kernel_fn kernel;
  const gnn_kernel_args_t &args;
  const std::vector<void *> &operands;
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

  /// Operand `operand`, of `rowBytes` bytes a row, is what `product` makes; both stay with the caller.
  void add(uint32_t operand, StepTasks &product, size_t rowBytes);
  size_t bytes() const;

  /// The operands of a call of `worker` for rows [begin, end), until its next one.
  void *const *make(int64_t begin, int64_t end, unsigned worker);

private:
  struct Panel {
    uint32_t operand;
    StepTasks *product;
    size_t rowBytes, stride;
    Buffer<char> storage;
  };

  const std::vector<void *> &operands;
  std::vector<Panel> panels;
  std::vector<std::vector<void *>> own; // [threads] operands of one call
};

} // namespace gnn::rt

#endif // GNN_EXEC_PANELS_H
