//===- Folds.h - Folds along dimensions of fields ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds of the elements of a field along one of its dimensions. The order of an element's folds depends on the type
// alone.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_FOLDS_H
#define GNNC_KERNELS_FOLDS_H

#include "compiler/Kernels/Points.h"

namespace gnnc {

class Folds {
public:
  using Identity = llvm::ArrayRef<mlir::TypedAttr>;
  using Step = llvm::function_ref<Values(mlir::ValueRange state, const Point &point, Index position)>;
  using Merge = llvm::function_ref<Values(mlir::ValueRange left, mlir::ValueRange right)>;

  explicit Folds(Points &points) : points(points), function(points.function), b(points.b) {}

  /// Folds the elements along dimension `dim` of `shape`, at `point` of the other dimensions.
  Values along(gnn::FieldType shape, unsigned dim, const Point &point, Identity identity, Step step, Merge merge);
  Values alongLast(gnn::FieldType shape, const Point &point, Identity identity, Step step, Merge merge);
  /// The sum of `term` over all coordinates of `dims`, in row-major order; terms are elements or vectors like those of
  /// `point`.
  mlir::Value sum(llvm::ArrayRef<DimExpr> dims, mlir::Type element, const Point &point,
                  llvm::function_ref<mlir::Value(llvm::ArrayRef<Index>)> term);

private:
  /// The state of each lane, before `ofLanes`.
  Values ofVectors(gnn::FieldType shape, const Point &point, Identity identity, Step step, Merge merge);
  Values ofLanes(Values state, unsigned lanes, Merge merge);
  Values ofThreads(gnn::FieldType shape, const Point &point, Identity identity, Step step, Merge merge);

  Points &points;
  KernelFunction &function;
  LoopBuilder &b;
};

} // namespace gnnc

#endif // GNNC_KERNELS_FOLDS_H
