//===- FieldNarrow.cpp - f32 in 16 bits -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of GNN_BF16 and GNN_F16 in loads and stores. Integer arithmetic gives all machines the same bits, and so
// do instructions for f16 where there are some. (The bits of a NaN are the machine's own.)
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/FieldMemory.h"

using namespace mlir;

namespace gnnc {

namespace {

/// Arithmetic on the bits of f32 numbers, one or a vector as a point has them.
class BitBuilder {
public:
  BitBuilder(const Lanes &lanes, const Point &point) : lanes(lanes), b(lanes.b), point(point) {}

  Type i16() { return b.builder().getIntegerType(16); }
  Type f16() { return b.builder().getF16Type(); }
  Type i32() { return b.i32(); }
  Type f32() { return b.builder().getF32Type(); }

  Value number(uint32_t bits) { return lanes.constant(IntegerAttr::get(i32(), int32_t(bits)), point); }
  Value real(double value) { return lanes.constant(b.builder().getF32FloatAttr(value), point); }
  template <typename Op> Value make(Value left, Value right) { return b.create<Op>(left, right); }
  Value shiftLeft(Value bits, unsigned by) { return make<arith::ShLIOp>(bits, number(by)); }
  Value shiftRight(Value bits, unsigned by) { return make<arith::ShRUIOp>(bits, number(by)); }
  Value both(Value left, Value right) { return b.both(left, right); }
  Value either(Value left, Value right) { return b.either(left, right); }
  Value select(Value condition, Value then, Value otherwise) { return b.select(condition, then, otherwise); }
  Value compare(arith::CmpIPredicate predicate, Value left, uint32_t right) {
    return b.compare(predicate, left, number(right));
  }
  Value as(Type element, Value value) { return b.create<arith::BitcastOp>(typeAt(element, point), value); }
  Value wide(Value bits) { return b.create<arith::ExtUIOp>(typeAt(i32(), point), bits); }
  Value lowerHalf(Value bits) { return b.create<arith::TruncIOp>(typeAt(i16(), point), bits); }

private:
  const Lanes &lanes;
  LoopBuilder &b;
  const Point &point;
};

constexpr unsigned halfBits = 16;
constexpr uint32_t infinity = 0x7f800000, exponentOne = 1 << 23;

} // namespace

// bf16 is the upper half of an f32.

Value widenBf16(const Lanes &lanes, Value stored, const Point &point) {
  BitBuilder bits(lanes, point);
  return bits.as(bits.f32(), bits.shiftLeft(bits.wide(stored), halfBits));
}

/// The nearest, of two the even one. NaN keeps its upper half, but for the bit that makes it quiet: what is left might
/// be an infinity otherwise.
Value roundToBf16(const Lanes &lanes, Value number, const Point &point) {
  BitBuilder bits(lanes, point);
  Value wide = bits.as(bits.i32(), number);
  Value isOdd = bits.both(bits.shiftRight(wide, halfBits), bits.number(1));
  Value nearHalf = bits.make<arith::AddIOp>(isOdd, bits.number(0x7fff));
  Value rounded = bits.shiftRight(bits.make<arith::AddIOp>(wide, nearHalf), halfBits);
  Value quiet = bits.either(bits.shiftRight(wide, halfBits), bits.number(0x40));
  Value isNaN = lanes.b.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, number, number);
  return bits.lowerHalf(bits.select(isNaN, quiet, rounded));
}

// f16 is half precision of IEEE 754. By hand it is the arithmetic of runtime/src/core/Narrow.h: LLVM would call a
// function of a library that kernels lack.

Value widenF16(const Lanes &lanes, Value stored, const Point &point) {
  BitBuilder bits(lanes, point);
  if (lanes.function.machine().hasF16)
    return lanes.b.create<arith::ExtFOp>(typeAt(bits.f32(), point), stored);
  Value narrow = bits.wide(bits.as(bits.i16(), stored));
  Value magnitude = bits.both(narrow, bits.number(0x7fff));
  Value sign = bits.shiftLeft(bits.both(narrow, bits.number(0x8000)), halfBits);
  Value moved = bits.as(bits.f32(), bits.shiftLeft(magnitude, 13));
  Value scaled = bits.as(bits.i32(), bits.make<arith::MulFOp>(moved, bits.real(0x1p112)));
  Value isFinite = bits.compare(arith::CmpIPredicate::ult, magnitude, 0x7c00);
  Value exponent = bits.select(isFinite, bits.number(0), bits.number(infinity));
  return bits.as(bits.f32(), bits.either(bits.either(sign, scaled), exponent));
}

Value roundToF16(const Lanes &lanes, Value number, const Point &point) {
  BitBuilder bits(lanes, point);
  if (lanes.function.machine().hasF16)
    return lanes.b.create<arith::TruncFOp>(typeAt(bits.f16(), point), number);
  Value wide = bits.as(bits.i32(), number), magnitude = bits.both(wide, bits.number(0x7fffffff));
  Value sign = bits.both(bits.shiftRight(wide, halfBits), bits.number(0x8000));
  Value shifted = bits.make<arith::AddFOp>(bits.as(bits.f32(), magnitude), bits.real(0.5));
  Value subnormal = bits.make<arith::SubIOp>(bits.as(bits.i32(), shifted), bits.as(bits.i32(), bits.real(0.5)));
  Value isOdd = bits.both(bits.shiftRight(magnitude, 13), bits.number(1));
  Value rebased = bits.make<arith::SubIOp>(magnitude, bits.number(112 * exponentOne - 0xfff));
  Value normal = bits.shiftRight(bits.make<arith::AddIOp>(rebased, isOdd), 13);
  Value isSmall = bits.compare(arith::CmpIPredicate::ult, magnitude, 113 * exponentOne);
  Value payload = bits.both(bits.shiftRight(magnitude, 13), bits.number(0x3ff));
  Value isNaN = bits.compare(arith::CmpIPredicate::ugt, magnitude, infinity);
  Value other = bits.select(isNaN, bits.either(payload, bits.number(0x7e00)), bits.number(0x7c00));
  Value isLarge = bits.compare(arith::CmpIPredicate::uge, magnitude, 143 * exponentOne);
  Value rounded = bits.select(isLarge, other, bits.select(isSmall, subnormal, normal));
  return bits.as(bits.f16(), bits.lowerHalf(bits.either(sign, rounded)));
}

} // namespace gnnc
