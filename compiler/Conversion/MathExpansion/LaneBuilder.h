//===- LaneBuilder.h - Arithmetic on lanes ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes formulas as arith ops. Values are scalars or vectors of any one shape; constants take the type of the operand beside them.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_MATHEXPANSION_LANEBUILDER_H
#define GNNC_CONVERSION_MATHEXPANSION_LANEBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace gnnc {

class LaneBuilder {
public:
  using Value = mlir::Value;
  using FloatPredicate = mlir::arith::CmpFPredicate;

  LaneBuilder(mlir::OpBuilder &builder, mlir::Location loc, bool fma) : builder(builder), loc(loc), fma(fma) {}

  template <typename Op, typename... Args> Value make(Args &&...args) {
    return builder.create<Op>(loc, std::forward<Args>(args)...);
  }

  Value constant(Value like, double number) { return splat(builder.getFloatAttr(mlir::getElementTypeOrSelf(like), number), like.getType()); }
  /// An integer constant of the lanes of `like`, which are integers.
  Value integer(Value like, int64_t number) { return splat(builder.getIntegerAttr(mlir::getElementTypeOrSelf(like), number), like.getType()); }

  Value add(Value a, Value b) { return make<mlir::arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return make<mlir::arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return make<mlir::arith::MulFOp>(a, b); }
  Value mul(Value a, double b) { return mul(a, constant(a, b)); }
  Value div(Value a, Value b) { return make<mlir::arith::DivFOp>(a, b); }
  Value abs(Value a) { return make<mlir::math::AbsFOp>(a); }
  /// a * b + c, in one rounding where the target can.
  Value mulAdd(Value a, Value b, Value c) { return fma ? make<mlir::math::FmaOp>(a, b, c) : add(mul(a, b), c); }
  Value mulAdd(Value a, double b, Value c) { return mulAdd(a, constant(a, b), c); }
  /// The polynomial with these coefficients, highest power first, by Horner's rule.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients) {
    Value sum = constant(x, coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = mulAdd(sum, x, constant(x, coefficient));
    return sum;
  }

  Value compare(FloatPredicate predicate, Value a, Value b) { return make<mlir::arith::CmpFOp>(predicate, a, b); }
  Value compare(FloatPredicate predicate, Value a, double b) { return compare(predicate, a, constant(a, b)); }
  Value both(Value a, Value b) { return make<mlir::arith::AndIOp>(a, b); }
  Value select(Value condition, Value a, Value b) { return make<mlir::arith::SelectOp>(condition, a, b); }
  Value select(Value condition, double a, Value b) { return select(condition, constant(b, a), b); }

  /// The bits of floats as integers of their width, and back.
  Value bits(Value a) { return make<mlir::arith::BitcastOp>(integerType(a.getType()), a); }
  Value floats(Value a, Value like) { return make<mlir::arith::BitcastOp>(like.getType(), a); }
  Value extend(Value a) { return make<mlir::arith::ExtFOp>(withElement(a.getType(), builder.getF64Type()), a); }
  Value truncate(Value a) { return make<mlir::arith::TruncFOp>(withElement(a.getType(), builder.getF32Type()), a); }

private:
  static mlir::Type withElement(mlir::Type type, mlir::Type element) {
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
      return vector.clone(element);
    return element;
  }

  mlir::Type integerType(mlir::Type type) {
    return withElement(type, builder.getIntegerType(mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth()));
  }

  Value splat(mlir::TypedAttr number, mlir::Type type) {
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
      number = mlir::DenseElementsAttr::get(vector, mlir::Attribute(number));
    return make<mlir::arith::ConstantOp>(number);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool fma;
};

} // namespace gnnc

#endif // GNNC_CONVERSION_MATHEXPANSION_LANEBUILDER_H
