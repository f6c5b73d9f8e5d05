//===- ProductStep.h - Dense products on processors ---------- -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_PRODUCTSTEP_H
#define GNN_CPU_PRODUCTSTEP_H

#include "runtime/src/cpu/CpuStep.h"
#include "runtime/src/cpu/Panels.h"
#include "runtime/src/cpu/RoundedProduct.h"
#include "runtime/src/cpu/SlotFolds.h"
#include "runtime/src/cpu/WideRows.h"

#include <optional>

namespace gnn::rt {

/// The rows of an operand of a product: as they are stored, widened from 16 bits, or made in panels.
class ProductRows {
public:
  /// `maker` makes those that are not stored; null: they are.
  ProductRows(CpuProgram &program, uint32_t tensor, int64_t width, const KernelCall *maker);

  size_t rowBytes() const { return size_t(width) * numberBytes; }
  size_t ownBytes() const { return (panels ? panels->bytes() : 0) + (wide ? wide->bytes() : 0); }
  /// Rows that `read` gives at a time.
  int64_t most() const;
  void *stored(void *operand, int64_t begin) const { return static_cast<char *>(operand) + size_t(begin) * rowBytes(); }
  /// Rows [begin, end), until the next call for `worker`.
  const void *read(void *operand, int64_t begin, int64_t end, unsigned worker);
  /// Where a product is to put so many rows that shall lie at `rows`, and what it then must do.
  void *target(void *rows, unsigned worker) { return wide ? wide->room(worker) : rows; }
  void finish(void *rows, int64_t count, unsigned worker) {
    if (wide)
      wide->round(rows, count, worker);
  }

private:
  CpuProgram &program;
  int64_t width;
  size_t numberBytes;
  std::optional<Panels> panels;
  std::optional<WideRows> wide;
};

/// GNN_STEP_MATMUL, in tiles of rows.
class ProductStep : public CpuStep {
public:
  /// `maker` makes the first operand if that is not stored.
  ProductStep(CpuProgram &program, const gnn_step_t &info, const KernelCall *maker);

  size_t ownBytes() const override { return left.ownBytes() + result.ownBytes() + (rounded ? rounded->bytes() : 0); }
  size_t resultRowBytes() const { return result.rowBytes(); }
  void run(const View &view, void *const *operands, const StepCall &how) override;
  /// Rows [begin, end) of the result to `rows`, with the operands of the last run and as it was called.
  void multiplyRows(int64_t begin, int64_t end, unsigned worker, void *rows);

private:
  void multiplyRounded(int64_t begin, int64_t end, unsigned worker, void *rows);

  CpuProgram &program;
  const gnn_step_t &info;
  int64_t k, n;
  ProductRows left, result;
  std::optional<RoundedProduct> rounded; // of GNN_MATMUL_BF16
  void *operands[3] = {};
  bool standAlone = false; // rows
};

/// GNN_STEP_MATMUL_TN: one partial result for each slot of rows, added in order.
class ProductSumStep : public CpuStep {
public:
  /// The makers are those of the first two operands, where they are not stored.
  ProductSumStep(CpuProgram &program, const gnn_step_t &info, const KernelCall *leftMaker,
                 const KernelCall *rightMaker);

  size_t roomBytes() const override;
  size_t ownBytes() const override { return left.ownBytes() + right.ownBytes() + (rounded ? rounded->bytes() : 0); }
  void run(const View &view, void *const *operands, const StepCall &how) override;

private:
  void addRows(int64_t begin, int64_t end, unsigned worker, void *const *operands, void *slot);
  void addRounded(int64_t begin, int64_t end, unsigned worker, void *const *operands, void *slot);

  CpuProgram &program;
  const gnn_step_t &info;
  int64_t k, n;
  ProductRows left, right;
  std::optional<RoundedProductSum> rounded; // of GNN_MATMUL_BF16
  SlotFolds sum;
};

} // namespace gnn::rt

#endif // GNN_CPU_PRODUCTSTEP_H
