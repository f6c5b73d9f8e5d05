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

#include "dialects/Gnn/IR/FieldBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace gnnc::gnn {

/// Collects gradients in reverse mode (Seastar, section 5.2). The gradient of a field has its shape and element type.
/// That of a V field is V, that of a P field P; that of an S, D or E field is any edge kind: sums over edges wait until
/// the field's read.
class AdjointBuilder : public FieldBuilder {
public:
  explicit AdjointBuilder(mlir::OpBuilder &builder) : FieldBuilder(builder, builder.getUnknownLoc()) {}

  /// Gradients of `value` are asked for.
  void setWanted(mlir::Value value) { wanted.insert(value); }
  bool wants(mlir::Value value) const { return wanted.contains(value); }

  /// Adds to the gradient of `value`, after summing over vertices or edges what `value` has only one of.
  void addTo(mlir::Value value, mlir::Value gradient);
  /// The gradient collected so far, null if there is none.
  mlir::Value gradientOf(mlir::Value value) const { return gradients.lookup(value); }

  /// The vertex type at the destination of a relation.
  unsigned destinationType(unsigned relation);

  /// The sum of a field over vertices or edges.
  mlir::Value sumToParameter(mlir::Value field);

private:
  llvm::DenseSet<mlir::Value> wanted;
  llvm::DenseMap<mlir::Value, mlir::Value> gradients;
};

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_ADJOINTBUILDER_H
