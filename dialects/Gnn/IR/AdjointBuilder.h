//===- AdjointBuilder.h - Building gradients --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an op's adjoint rule is given: short hands for gnn ops, and the place where gradients of operands are collected.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_ADJOINTBUILDER_H
#define GNNC_DIALECTS_GNN_IR_ADJOINTBUILDER_H

#include "dialects/Gnn/IR/TypeRules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace gnnc::gnn {

/// Collects gradients in reverse mode (Seastar, section 5.2). The gradient of a field has its shape and element type. That of a V field is V, that
/// of a P field P; that of an S, D or E field is any edge kind: sums over edges wait until the field's read.
class AdjointBuilder {
public:
  AdjointBuilder(mlir::OpBuilder &builder) : builder(builder) {}

  /// Gradients of `value` are asked for.
  void setWanted(mlir::Value value) { wanted.insert(value); }
  bool wants(mlir::Value value) const { return wanted.contains(value); }

  /// Adds to the gradient of `value`, after summing over vertices or edges what `value` has only one of.
  void add(mlir::Value value, mlir::Value gradient);
  /// The gradient collected so far, null if there is none.
  mlir::Value gradientOf(mlir::Value value) const { return gradients.lookup(value); }

  template <typename Op, typename... Args> Op make(Args &&...args) { return builder.create<Op>(loc, std::forward<Args>(args)...); }
  mlir::Value constant(mlir::Value like, double number);
  mlir::Value neg(mlir::Value x);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value compare(Predicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value then, mlir::Value otherwise);
  /// `x` where `condition` holds, else 0.
  mlir::Value where(mlir::Value condition, mlir::Value x);
  /// Whether an integer field lies in [0, extent).
  mlir::Value inRange(mlir::Value index, llvm::StringRef extent);
  /// `x` with new dimensions: those of `like` at positions other than `dims`.
  mlir::Value broadcast(mlir::Value x, FieldType like, llvm::ArrayRef<int64_t> dims);
  /// A one-element-per-vertex-or-edge `x`, in the shape of `like`.
  mlir::Value splat(mlir::Value x, FieldType like) { return broadcast(x, like, {}); }
  mlir::Value sumOver(mlir::Value x, unsigned dim);
  /// A vertex field at the end `end` of the edges of relation `relation`.
  mlir::Value read(mlir::Value x, End end, unsigned relation);
  mlir::Value sumEdges(mlir::Value x, End toward, unsigned vertexType);

  mlir::OpBuilder &builder;
  mlir::Location loc = builder.getUnknownLoc();

private:
  mlir::Value sumToParameter(mlir::Value gradient);

  llvm::DenseSet<mlir::Value> wanted;
  llvm::DenseMap<mlir::Value, mlir::Value> gradients;
};

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_ADJOINTBUILDER_H
