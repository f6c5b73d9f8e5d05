//===- StepDepths.h - How deep the rows of each step are --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rows a step has to go over if only those of some vertices are asked for, the seeds: the vertices at one depth.
// Values of forward steps are computed as deep as they are read; gradients as deep as they differ from 0
// (RowSupport.h).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_STAR_ANALYSIS_STEPDEPTHS_H
#define GNNC_DIALECTS_STAR_ANALYSIS_STEPDEPTHS_H

#include "dialects/Star/Analysis/RowSupport.h"

namespace gnnc::star {

/// Depth 0 is that of the seeds; -1: all rows of a table that is no table of vertices.
struct StepDepth {
  int rows = 0;
  int cols = -1; // of a sweep
};

/// The depth of every step of a program whose kernels are apart.
class StepDepths {
public:
  explicit StepDepths(ProgramOp program);

  StepDepth of(mlir::Operation *step) const { return depths.lookup(step); }

private:
  struct Demand { // of edges, by end; of others twice the same
    int source = 0, destination = 0;
  };

  void visit(mlir::Operation &op);
  StepDepth sweepDepth(KernelOp kernel, LaunchOp launch) const;
  int rowDepth(mlir::ValueRange results) const;
  int rowDepth(LaunchOp launch, mlir::ValueRange results) const;
  void demandSweep(KernelOp kernel, LaunchOp launch, StepDepth depth);
  void demand(mlir::Value value, Demand wanted);
  void demandRows(mlir::Value value, int depth) { demand(value, {depth, depth}); }

  gnn::ModelAttr model;
  [[maybe_unused]] bool isTraining; // other programs go over all vertices
  RowSupport support;
  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Value, Demand> demands;
  llvm::DenseMap<mlir::Operation *, StepDepth> depths;
};

} // namespace gnnc::star

#endif // GNNC_DIALECTS_STAR_ANALYSIS_STEPDEPTHS_H
