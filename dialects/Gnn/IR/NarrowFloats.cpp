//===- NarrowFloats.cpp - f32 to and from 16 bits -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/NarrowFloats.h"
#include "dialects/Gnn/IR/ElementBuilder.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace {

/// Arithmetic on the bits of floats.
class BitBuilder : public ElementBuilder {
public:
  BitBuilder(OpBuilder &builder, Location loc)
      : ElementBuilder(builder, loc), i16(builder.getIntegerType(16)), i32(builder.getI32Type()),
        f16(builder.getF16Type()), f32(builder.getF32Type()) {}

  Value widenBf16(Value stored);
  Value roundToBf16(Value number);
  Value widenF16(Value stored);
  Value roundToF16(Value number);

  const Type i16, i32, f16, f32;

private:
  Value shiftLeft(Value bits, unsigned by) { return make<arith::ShLIOp>(bits, constant(bits, by)); }
  Value shiftRight(Value bits, unsigned by) { return make<arith::ShRUIOp>(bits, constant(bits, by)); }
  Value both(Value left, Value right) { return make<arith::AndIOp>(left, right); }
  Value both(Value bits, uint32_t mask) { return both(bits, constant(bits, mask)); }
  Value either(Value left, Value right) { return make<arith::OrIOp>(left, right); }
  Value compareTo(arith::CmpIPredicate predicate, Value left, uint32_t right) {
    return compare(predicate, left, constant(left, right));
  }
  Value as(Type element, Value value) { return make<arith::BitcastOp>(typeLike(value, element), value); }
  Value wide(Value bits) { return make<arith::ExtUIOp>(typeLike(bits, i32), bits); }
  Value lowerHalf(Value bits) { return make<arith::TruncIOp>(typeLike(bits, i16), bits); }
};

constexpr unsigned halfBits = 16;
constexpr uint32_t infinity = 0x7f800000, exponentOne = 1 << 23;

} // namespace

// bf16 is the upper half of an f32.

Value BitBuilder::widenBf16(Value stored) { return as(f32, shiftLeft(wide(stored), halfBits)); }

/// The nearest, of two the even one. NaN keeps its upper half, but for the bit that makes it quiet: what is left might
/// be an infinity otherwise.
Value BitBuilder::roundToBf16(Value number) {
  Value bits = as(i32, number);
  Value isOdd = both(shiftRight(bits, halfBits), 1);
  Value nearHalf = make<arith::AddIOp>(isOdd, constant(bits, 0x7fff));
  Value rounded = shiftRight(make<arith::AddIOp>(bits, nearHalf), halfBits);
  Value quiet = either(shiftRight(bits, halfBits), constant(bits, 0x40));
  Value isNaN = compare(arith::CmpFPredicate::UNO, number, number);
  return lowerHalf(select(isNaN, quiet, rounded));
}

// f16 is half precision of IEEE 754. By hand it is the arithmetic of runtime/src/core/Narrow.h: LLVM would call a
// function of a library that kernels lack.

Value BitBuilder::widenF16(Value stored) {
  Value narrow = wide(as(i16, stored));
  Value magnitude = both(narrow, 0x7fff);
  Value sign = shiftLeft(both(narrow, 0x8000), halfBits);
  Value moved = as(f32, shiftLeft(magnitude, 13));
  Value scaled = as(i32, make<arith::MulFOp>(moved, constant(moved, 0x1p112)));
  Value isFinite = compareTo(arith::CmpIPredicate::ult, magnitude, 0x7c00);
  Value exponent = select(isFinite, constant(magnitude, 0), constant(magnitude, infinity));
  return as(f32, either(either(sign, scaled), exponent));
}

Value BitBuilder::roundToF16(Value number) {
  Value bits = as(i32, number), magnitude = both(bits, 0x7fffffff);
  Value sign = both(shiftRight(bits, halfBits), 0x8000);
  Value shifted = make<arith::AddFOp>(as(f32, magnitude), constant(number, 0.5));
  Value subnormal = make<arith::SubIOp>(as(i32, shifted), as(i32, constant(number, 0.5)));
  Value isOdd = both(shiftRight(magnitude, 13), 1);
  Value rebased = make<arith::SubIOp>(magnitude, constant(magnitude, 112 * exponentOne - 0xfff));
  Value normal = shiftRight(make<arith::AddIOp>(rebased, isOdd), 13);
  Value isSmall = compareTo(arith::CmpIPredicate::ult, magnitude, 113 * exponentOne);
  Value payload = both(shiftRight(magnitude, 13), 0x3ff);
  Value isNaN = compareTo(arith::CmpIPredicate::ugt, magnitude, infinity);
  Value other = select(isNaN, either(payload, constant(payload, 0x7e00)), constant(payload, 0x7c00));
  Value isLarge = compareTo(arith::CmpIPredicate::uge, magnitude, 143 * exponentOne);
  Value rounded = select(isLarge, other, select(isSmall, subnormal, normal));
  return as(f16, lowerHalf(either(sign, rounded)));
}

Value gnnc::gnn::widenFloat(OpBuilder &builder, Location loc, Value narrow, bool hasF16) {
  BitBuilder bits(builder, loc);
  if (!ElementBuilder::isFloat(narrow))
    return bits.widenBf16(narrow);
  return hasF16 ? bits.cast(narrow, bits.f32) : bits.widenF16(narrow);
}

Value gnnc::gnn::narrowFloat(OpBuilder &builder, Location loc, Value number, Type narrow, bool hasF16) {
  BitBuilder bits(builder, loc);
  if (!isa<FloatType>(narrow))
    return bits.roundToBf16(number);
  return hasF16 ? bits.cast(number, bits.f16) : bits.roundToF16(number);
}
