//===- FieldBuilder.h - Short hands for building gnn ops --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds gnn ops at one location: what adjoint rules and decompositions are written in.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_FIELDBUILDER_H
#define GNNC_DIALECTS_GNN_IR_FIELDBUILDER_H

#include "dialects/Gnn/IR/TypeRules.h"

namespace gnnc::gnn {

class FieldBuilder {
public:
  FieldBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  template <typename Op, typename... Args> Op make(Args &&...args) {
    return builder.create<Op>(loc, std::forward<Args>(args)...);
  }
  /// `number` as a P field of the shape and element type of `like`.
  mlir::Value constant(mlir::Value like, double number);
  mlir::Value neg(mlir::Value x);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value exp(mlir::Value x);
  mlir::Value compare(Predicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value then, mlir::Value otherwise);
  /// `x` where `condition` holds, else `otherwise`.
  mlir::Value where(mlir::Value condition, mlir::Value x, double otherwise = 0);
  /// Whether an integer field lies in [0, extent).
  mlir::Value inRange(mlir::Value index, llvm::StringRef extent);
  /// The number of elements of `like`, as a P field.
  mlir::Value numElements(FieldType like);
  /// `x` with new dimensions: those of `like` at positions other than `dims`.
  mlir::Value broadcast(mlir::Value x, FieldType like, llvm::ArrayRef<int64_t> dims);
  /// A one-element-per-vertex-or-edge `x`, in the shape of `like`.
  mlir::Value splat(mlir::Value x, FieldType like) { return broadcast(x, like, {}); }
  mlir::Value sumOver(mlir::Value x, unsigned dim);
  /// Position `index` of dimension `dim` as 1 of `type`'s elements, else 0.
  mlir::Value oneHot(mlir::Value index, FieldType type, unsigned dim);
  /// A vertex field at the end `end` of the edges of relation `relation`.
  mlir::Value read(mlir::Value x, End end, unsigned relation);
  mlir::Value aggregate(AggregatorInterface aggregator, mlir::Value x, End toward, unsigned vertexType);
  mlir::Value sumEdges(mlir::Value x, End toward, unsigned vertexType);
  /// The sum over all vertices.
  mlir::Value total(mlir::Value x);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The number whose field `value` is, if it is a constant.
std::optional<double> numberOf(mlir::Value value);

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_FIELDBUILDER_H
