//===- KernelCost.h - Rates, flops and lineage inside a kernel --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of the ops of a kernel, how often each op runs, and which of its values are gradients.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_EXPLAIN_KERNELCOST_H
#define GNNC_EXPLAIN_KERNELCOST_H

#include "dialects/Gnn/Transforms/CostModel.h"
#include "dialects/Star/IR/Star.h"

namespace gnnc {

class KernelCost {
public:
  enum class Rate { Once, Vertex, Edge };

  /// `gradientInputs`: for each input, whether it depends on the weights of the loss.
  KernelCost(star::KernelOp kernel, const gnn::CostModel &sizes, llvm::ArrayRef<bool> gradientInputs);

  Rate rate(mlir::Value value) const { return rates.lookup(value); }
  bool isGradient(mlir::Value value) const { return gradients.contains(value); }
  /// Ops that compute something, in program order: no constants, repetitions or changes of shape.
  llvm::ArrayRef<mlir::Operation *> work() const { return ops; }
  Rate rateOfWork(mlir::Operation *op) const { return rate(op->getResult(0)); }
  /// Flops for one edge or one vertex.
  int64_t flops(Rate rate) const { return flopsAt[static_cast<unsigned>(rate)]; }
  /// Which outputs are gradients.
  llvm::ArrayRef<bool> gradientOutputs() const { return outputs; }

private:
  void walk(mlir::Block &block, bool isStep);
  void addReductions();
  int64_t flopsOf(mlir::Operation *op) const;

  star::KernelOp kernel;
  const gnn::CostModel &sizes;
  llvm::DenseMap<mlir::Value, Rate> rates;
  llvm::DenseSet<mlir::Value> gradients;
  llvm::SmallVector<mlir::Operation *> ops;
  int64_t flopsAt[3] = {};
  llvm::SmallVector<bool> outputs;
};

} // namespace gnnc

#endif // GNNC_EXPLAIN_KERNELCOST_H
