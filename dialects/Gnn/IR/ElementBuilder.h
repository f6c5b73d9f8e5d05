//===- ElementBuilder.h - arith and math ops on scalars or vectors -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds arith and math ops whose operands are scalars or vectors of one shape, so that a formula is written once for
// both.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_ELEMENTBUILDER_H
#define GNNC_DIALECTS_GNN_IR_ELEMENTBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace gnnc::gnn {

class ElementBuilder {
public:
  ElementBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    return builder.create<Op>(loc, std::forward<Args>(args)...);
  }
  /// One op on floats, another on integers.
  template <typename FloatOp, typename IntegerOp, typename... Args>
  mlir::Value byElement(mlir::Value first, Args &&...rest) {
    return isFloat(first) ? make<FloatOp>(first, std::forward<Args>(rest)...)
                          : make<IntegerOp>(first, std::forward<Args>(rest)...);
  }

  /// `number` in the type of `like`.
  mlir::Value constant(mlir::Value like, double number);
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value lhs, mlir::Value rhs) {
    return make<mlir::arith::CmpFOp>(predicate, lhs, rhs);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs, mlir::Value rhs) {
    return make<mlir::arith::CmpIOp>(predicate, lhs, rhs);
  }
  mlir::Value select(mlir::Value condition, mlir::Value then, mlir::Value otherwise) {
    return make<mlir::arith::SelectOp>(condition, then, otherwise);
  }
  /// Conversion to `element`, keeping the vector shape.
  mlir::Value cast(mlir::Value value, mlir::Type element);

  static bool isFloat(mlir::Value value) { return llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value)); }
  /// `element`, as a vector of the shape of `like` if that is one.
  static mlir::Type typeLike(mlir::Value like, mlir::Type element);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// `number` as an attribute of a float or integer type.
mlir::TypedAttr numberAttr(mlir::Type element, double number);

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_ELEMENTBUILDER_H
