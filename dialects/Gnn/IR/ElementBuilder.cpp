//===- ElementBuilder.cpp - arith and math ops on scalars or vectors ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants and conversions for scalars and vectors alike.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/ElementBuilder.h"
#include <cmath>

using namespace mlir;
using namespace gnnc::gnn;

TypedAttr gnnc::gnn::numberAttr(Type element, double number) {
  Builder builder(element.getContext());
  if (auto type = dyn_cast<FloatType>(element))
    return builder.getFloatAttr(type, number);
  return builder.getIntegerAttr(element, static_cast<int64_t>(number));
}

Type ElementBuilder::typeLike(Value like, Type element) {
  auto vector = dyn_cast<VectorType>(like.getType());
  return vector ? Type(vector.cloneWith(std::nullopt, element)) : element;
}

Value ElementBuilder::constant(Value like, double number) {
  TypedAttr scalar = numberAttr(getElementTypeOrSelf(like), number);
  auto vector = dyn_cast<VectorType>(like.getType());
  return make<arith::ConstantOp>(vector ? llvm::cast<TypedAttr>(DenseElementsAttr::get(vector, Attribute(scalar)))
                                        : scalar);
}

Value ElementBuilder::cast(Value value, Type element) {
  Type from = getElementTypeOrSelf(value), to = typeLike(value, element);
  if (from == element)
    return value;
  unsigned fromBits = from.getIntOrFloatBitWidth(), toBits = element.getIntOrFloatBitWidth();
  if (element.isInteger(1)) {
    Value zero = constant(value, 0);
    return isFloat(value) ? compare(arith::CmpFPredicate::UNE, value, zero)
                          : compare(arith::CmpIPredicate::ne, value, zero);
  }
  if (isa<FloatType>(from) && isa<FloatType>(element))
    return fromBits < toBits ? make<arith::ExtFOp>(to, value) : make<arith::TruncFOp>(to, value);
  if (isa<FloatType>(from)) { // what no integer is, NaN too, becomes the least one, as of the instructions of x86
    const double lowest = -std::ldexp(1.0, toBits - 1);
    Value holds = compare(arith::CmpFPredicate::OLT, make<math::AbsFOp>(value), constant(value, -lowest));
    return make<arith::FPToSIOp>(to, select(holds, value, constant(value, lowest)));
  }
  if (isa<FloatType>(element))
    return fromBits == 1 ? make<arith::UIToFPOp>(to, value) : make<arith::SIToFPOp>(to, value);
  if (fromBits > toBits)
    return make<arith::TruncIOp>(to, value);
  return fromBits == 1 ? make<arith::ExtUIOp>(to, value) : make<arith::ExtSIOp>(to, value);
}
