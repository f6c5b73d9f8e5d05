//===- AdjointBuilder.h - Building gradients --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The argument of an op's adjoint rule: shorthands for gnn ops, and the place where gradients of operands are
// collected.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_ADJOINTBUILDER_H
#define GNNC_DIALECTS_GNN_IR_ADJOINTBUILDER_H

#include "dialects/Gnn/IR/FieldBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace gnnc::gnn {

/// How far a condition accompanies gradients. Those of a program's text go to edges and from there to vertices, whose
/// own fields are then left out as well. Others end where they would slow down common models: what a maximum leaves
/// out is a number, so that only infinite slopes spoil its zero, and what has no weight in the loss is rarely infinite
/// for a vertex that others read.
enum class Reach {
  Element, ///< through losses and elementwise ops
  Row,     ///< through all that is computed of one vertex or edge
  Graph,   ///< also from vertices to edges and back
};

/// A condition outside of which a gradient is 0, whatever it is multiplied by.
struct Condition {
  mlir::Value value; ///< without dimensions, or with those of the gradient
  bool holds;        ///< whether the gradient counts where `value` is true, or where it is false
  Reach reach;
  bool isApplied; ///< the gradient's numbers are 0 already where it does not count
};

/// A gradient and the conditions under which it counts. Numbers where a condition that is not applied fails are
/// arbitrary, NaN included.
struct Gradient {
  mlir::Value value;
  llvm::SmallVector<Condition, 2> conditions;
};

/// Collects gradients in reverse mode (Seastar, section 5.2). The gradient of a field has its shape and element type.
/// That of a V field is V, that of a P field P; that of an S, D or E field is any edge kind: sums over edges wait until
/// the field's read.
///
/// A zero times NaN is NaN. So what a select, a filter or the loss mask leaves out is not a zero that adjoint rules go
/// on to multiply: the condition goes with the gradient, and is applied to products, after the last multiplication.
class AdjointBuilder : public FieldBuilder {
public:
  explicit AdjointBuilder(mlir::OpBuilder &builder) : FieldBuilder(builder, builder.getUnknownLoc()) {}

  /// Gradients of `value` are asked for.
  void setWanted(mlir::Value value) { wanted.insert(value); }
  bool wants(mlir::Value value) const { return wanted.contains(value); }

  /// Builds the adjoint of `op` if its result has a gradient.
  void propagate(DifferentiableOpInterface op);

  /// Adds to the gradient of `value`, after summing over vertices or edges what `value` has only one of. It counts
  /// where all of `conditions` hold besides those of the result's gradient. `basis`, if given, is a field like
  /// `gradient` that is 0 wherever the result's gradient is, even where `gradient` is NaN.
  void addTo(mlir::Value value, mlir::Value gradient, llvm::ArrayRef<Condition> conditions = {},
             mlir::Value basis = {});
  /// Adds `gradient` where `condition` is true, or false, for an op that chose `value` because of its size.
  void addChosen(mlir::Value value, mlir::Value condition, bool holds, mlir::Value gradient);
  /// That `index` is an entry of a dimension; nothing for types of edges, which all are unless the model adds loops:
  /// those have type -1.
  std::optional<Condition> whereInRange(mlir::Value index, mlir::StringAttr extent, Reach reach, bool isApplied);
  /// That an element of a field is not 0.
  Condition whereNotZero(mlir::Value field, Reach reach, bool isApplied);
  /// The gradient collected so far, 0 where a condition fails; null if there is none.
  mlir::Value gradientOf(mlir::Value value);

  /// `x`, 0 where `gradient` does not count, for a product of both. They share their first `numOuter` dimensions.
  mlir::Value whereCounted(mlir::Value x, mlir::Value gradient, unsigned numOuter);
  /// Whether conditions of the result's gradient have ended at this op, and have to be renewed by a basis.
  bool renewsConditions() const { return renewed.has_value(); }

  /// The vertex type at the destination of a relation.
  unsigned destinationType(unsigned relation);

  /// The sum of a field over vertices or edges.
  mlir::Value sumToParameter(mlir::Value field);

private:
  mlir::Value inherit(DifferentiableOpInterface op, const Gradient &gradient);
  mlir::Value apply(mlir::Value gradient, llvm::ArrayRef<Condition> conditions);
  mlir::Value chosen(mlir::Value gradient, const Condition &condition);
  Gradient sumToParameter(const Gradient &gradient);
  Gradient merge(const Gradient &first, const Gradient &second);

  llvm::DenseSet<mlir::Value> wanted;
  llvm::DenseMap<mlir::Value, Gradient> gradients;
  /// Conditions of the gradient of the op whose adjoint is being built: those that its operands inherit, and the reach
  /// of others, in whose place "is not 0" stands.
  llvm::SmallVector<Condition, 2> inherited;
  std::optional<Reach> renewed;
};

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_ADJOINTBUILDER_H
