//===- FieldDepths.h - How deep each field is computed ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The depth of every field of a program before its ops are fused into steps: forward, the deepest at which the field is
// read; of a gradient, the deepest at which it differs from 0. A step has one depth. Fields of different depths in one
// step would all be computed at the deepest: what some of them read through edges would be read a step too far from the
// seeds, and totals would be over too many vertices.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_STAR_ANALYSIS_FIELDDEPTHS_H
#define GNNC_DIALECTS_STAR_ANALYSIS_FIELDDEPTHS_H

#include "dialects/Star/Analysis/RowSupport.h"

namespace gnnc::star {

class FieldDepths {
public:
  explicit FieldDepths(gnn::ProgramOp program);
  /// Depths of what `wanted` reads, which are ops of `program`, alone.
  FieldDepths(gnn::ProgramOp program, llvm::function_ref<bool(mlir::Operation *)> isWanted);

  /// The depth of a field of vertices. For a total, that of the vertices it is over; for other parameters, that of the
  /// vertices that read it or that it was summed over.
  int of(mlir::Value value) const;
  /// Whether a field is none of gradients, which are 0 beyond their depth.
  bool isForward(mlir::Value value) const { return support.of(value).rows() == Support::everywhere; }
  /// The depth of what an aggregation, or a softmax sum, reads at the other end of edges.
  int colsOf(mlir::Operation *sum) const { return cols.lookup(sum); }
  /// Whether a forward parameter is computed from totals.
  bool isOfTotals(mlir::Value value) const { return ofTotals.contains(value); }

private:
  void visit(mlir::Operation &op);
  void demand(mlir::Value value, EndDepths wanted);
  EndDepths sweepDepths(mlir::Operation &sum, gnn::End toward);

  gnn::ModelAttr model;
  RowSupport support;
  llvm::DenseMap<mlir::Value, EndDepths> demands; // by end of edges; of vertices and parameters twice the same
  llvm::DenseMap<mlir::Operation *, int> cols;    // of aggregations and softmax sums
  llvm::DenseSet<mlir::Value> ofTotals;           // parameters
};

} // namespace gnnc::star

#endif // GNNC_DIALECTS_STAR_ANALYSIS_FIELDDEPTHS_H
