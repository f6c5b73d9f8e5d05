//===- MathExpansion.cpp - Math functions of our own ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Range reduction after Cody and Waite (1980), with the minimax polynomials of Moshier's Cephes (expf, logf, tanhf).
// powf, sinf, cosf, atan2f, log1pf and expm1f work in f64, where series of a few terms are exact for f32. erf has
// polynomials of its own, fitted in 60 digits, for f32 and for f64, which libm has only lane by lane.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/MathExpansion/MathExpansion.h"
#include "compiler/Conversion/MathExpansion/LaneBuilder.h"
#include "compiler/Target/CPU/Isa.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <limits>

namespace gnnc {
#define GEN_PASS_DEF_MATHEXPANSION
#include "compiler/Conversion/MathExpansion/Passes.h.inc"
} // namespace gnnc

using namespace mlir;
using namespace gnnc;

namespace {

using P = arith::CmpFPredicate;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Where a float type keeps its parts, and the constants that depend on it. ln 2 is `ln2High + ln2Low`; products of `ln2High` and an exponent are exact.
struct Format {
  int mantissaBits;
  int64_t bias;
  double roundingBias; // added and taken away again, it rounds to an integer, which its low bits then hold
  double ln2High, ln2Low;
};
constexpr Format f32 = {23, 127, 0x1.8p23, 0x1.63p-1, -0x1.bd0106p-13};
constexpr Format f64 = {52, 1023, 0x1.8p52, 0x1.62e42fefp-1, 0x1.473de6af278edp-34};

/// 2^n for n within the normal exponents, n as integers.
Value powerOfTwo(LaneBuilder &b, Value n, Value like, const Format &format) {
  Value biased = b.make<arith::AddIOp>(n, b.integer(n, format.bias));
  return b.floats(b.make<arith::ShLIOp>(biased, b.integer(n, format.mantissaBits)), like);
}

/// x = n ln 2 + r with |r| at most half of ln 2; NaN gives r = NaN and some n.
std::pair<Value, Value> reduceExponent(LaneBuilder &b, Value x, const Format &format) {
  constexpr double log2e = 0x1.71547652b82fep+0;
  Value bias = b.constant(x, format.roundingBias);
  Value biased = b.add(b.mul(x, log2e), bias);
  Value n = b.sub(biased, bias);
  Value r = b.mulAdd(n, -format.ln2Low, b.mulAdd(n, -format.ln2High, x));
  return {b.make<arith::SubIOp>(b.bits(biased), b.bits(bias)), r};
}

/// p * 2^n, in two steps, so that 2^n may lie beyond the normal numbers.
Value scale(LaneBuilder &b, Value p, Value n, const Format &format) {
  Value half = b.make<arith::ShRSIOp>(n, b.integer(n, 1));
  Value rest = b.make<arith::SubIOp>(n, half);
  return b.mul(b.mul(p, powerOfTwo(b, half, p, format)), powerOfTwo(b, rest, p, format));
}

Value clamp(LaneBuilder &b, Value x, double low, double high) {
  Value above = b.select(b.compare(P::OLT, x, low), low, x); // NaN stays
  return b.select(b.compare(P::OGT, above, high), high, above);
}

Value expandExp(LaneBuilder &b, Value x) {
  auto [n, r] = reduceExponent(b, clamp(b, x, -104, 90), f32); // beyond: 0 and infinity
  Value q = b.polynomial(r, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
  Value p = b.add(b.mulAdd(q, b.mul(r, r), r), b.constant(x, 1));
  return scale(b, p, n, f32);
}

/// x = m 2^e with m from sqrt(1/2) to sqrt(2), for positive normal x.
std::pair<Value, Value> splitExponent(LaneBuilder &b, Value x, const Format &format) {
  int64_t sqrtHalf = format.mantissaBits == 23 ? 0x3f3504f3 : 0x3fe6a09e667f3bcd;
  Value bits = b.bits(x);
  Value above = b.make<arith::SubIOp>(bits, b.integer(bits, sqrtHalf));
  Value e = b.make<arith::ShRSIOp>(above, b.integer(bits, format.mantissaBits));
  Value m = b.make<arith::SubIOp>(bits, b.make<arith::ShLIOp>(e, b.integer(bits, format.mantissaBits)));
  return {b.floats(m, x), b.make<arith::SIToFPOp>(x.getType(), e)};
}

/// The values of a logarithm of x at 0, infinity, NaN and below 0; `log` elsewhere.
Value logAtLimits(LaneBuilder &b, Value x, Value log) {
  log = b.select(b.compare(P::UEQ, x, infinity), x, log); // and NaN
  log = b.select(b.compare(P::OEQ, x, 0), -infinity, log);
  return b.select(b.compare(P::OLT, x, 0), nan, log);
}

Value expandLog(LaneBuilder &b, Value x) {
  Value subnormal = b.compare(P::OLT, x, 0x1p-126);
  auto [m, e] = splitExponent(b, b.select(subnormal, b.mul(x, 0x1p23), x), f32);
  e = b.select(subnormal, b.sub(e, b.constant(e, 23)), e);
  Value f = b.sub(m, b.constant(m, 1)), square = b.mul(f, f);
  Value q = b.polynomial(f, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
                             2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
  Value small = b.mulAdd(e, f32.ln2Low, b.mul(b.mul(f, square), q));
  small = b.mulAdd(square, -0.5, small);
  return logAtLimits(b, x, b.mulAdd(e, f32.ln2High, b.add(f, small)));
}

Value expandTanh(LaneBuilder &b, Value x) {
  Value magnitude = b.abs(x), square = b.mul(x, x);
  Value q = b.polynomial(square, {-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1});
  Value nearZero = b.mulAdd(b.mul(q, square), x, x);
  Value one = b.constant(x, 1), two = b.constant(x, 2);
  Value far = b.sub(one, b.div(two, b.add(expandExp(b, b.mul(magnitude, 2)), one)));
  Value result = b.select(b.compare(P::OLT, magnitude, 0.625), nearZero, far);
  return b.make<math::CopySignOp>(result, x); // nearZero is +0 for -0
}

/// log x for x >= 0 in f64, to about 1e-15; every f32 is normal in f64.
Value log64(LaneBuilder &b, Value x) {
  auto [m, e] = splitExponent(b, x, f64);
  Value one = b.constant(m, 1);
  Value s = b.div(b.sub(m, one), b.add(m, one)), square = b.mul(s, s); // log m = 2 artanh s
  Value series = b.polynomial(square, {2. / 19, 2. / 17, 2. / 15, 2. / 13, 2. / 11, 2. / 9, 2. / 7, 2. / 5, 2. / 3, 2});
  return logAtLimits(b, x, b.mulAdd(e, f64.ln2High, b.mulAdd(e, f64.ln2Low, b.mul(s, series))));
}

/// exp x in f64, to about 1e-14, 0 and infinity where an f32 is.
Value exp64(LaneBuilder &b, Value x) {
  auto [n, r] = reduceExponent(b, clamp(b, x, -150, 150), f64);
  Value series = b.polynomial(r, {1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24,
                                  1. / 6, 1. / 2, 1, 1});
  return scale(b, series, n, f64);
}

Value expandPow(LaneBuilder &b, Value base, Value exponent) {
  Value magnitude = b.abs(base);
  Value power = b.truncate(exp64(b, b.mul(b.extend(exponent), log64(b, b.extend(magnitude)))));

  auto isInteger = [&](Value x) { return b.compare(P::OEQ, b.make<math::FloorOp>(x), x); };
  Value sign = b.make<math::CopySignOp>(power, base);
  Value even = isInteger(b.mul(exponent, 0.5));
  Value finite = b.both(b.compare(P::OLT, base, 0), b.compare(P::OGT, base, -infinity));
  Value ofNegative = b.select(even, power, b.select(isInteger(exponent), sign, b.select(finite, nan, power)));
  Value zero = b.constant(base, 0);
  Value negative = b.compare(P::OLT, b.make<math::CopySignOp>(b.constant(base, 1), base), zero);
  Value result = b.select(negative, ofNegative, power);
  result = b.select(b.both(b.compare(P::OEQ, magnitude, 1), b.compare(P::OEQ, b.abs(exponent), infinity)), 1, result);
  result = b.select(b.compare(P::OEQ, base, 1), 1, result);
  return b.select(b.compare(P::OEQ, exponent, 0), 1, result);
}

/// erf x = x + x p(x^2) up to 1, and 1 - exp(-(t + t q(t))) for t = |x| beyond, up to `end`, where it is 1.
struct ErfPolynomials {
  ArrayRef<double> p, q;
  double end;
};

constexpr double erfP32[] = {7.85682905116e-5, -8.01106574495e-4, 5.18842321053e-3, -2.68538597111e-2,
                             1.1283586212e-1,  -3.76126259083e-1, 1.28379165737e-1};
constexpr double erfQ32[] = {-2.10520495996e-4, 3.18600685668e-3, -2.27956836564e-2,
                             1.05112100322e-1,  6.35834396911e-1, 1.2847919436e-1};
constexpr double erfP64[] = {5.9468017473028039e-11, -1.1366577300419980e-9, 1.4658115379094557e-8,
                             -1.6350060118631552e-7, 1.6460976087096039e-6,  -1.4925593708632086e-5,
                             1.2055331045167943e-4,  -8.5483269789640795e-4, 5.2239776247846140e-3,
                             -2.6866170645073265e-2, 1.1283791670954859e-1,  -3.7612638903183747e-1,
                             1.2837916709551258e-1};
constexpr double erfQ64[] = {
    2.0117027056314656e-13, -9.9547368356991978e-12, 2.3210908977680239e-10, -3.3901133585402324e-9,
    3.4758297963052799e-8,  -2.6537815033739200e-7,  1.5586102644534182e-6,  -7.1439641165577376e-6,
    2.5439985877327267e-5,  -6.7764219305730214e-5,  1.1705740535139859e-4,  -3.2582425853714478e-5,
    -5.3803864369487122e-4, 1.6595119538185332e-3,   -1.8921387120115253e-4, -1.9136553790724827e-2,
    1.0277490856859934e-1,  6.3661936285299955e-1,   1.2837920125884470e-1};

Value expandErf(LaneBuilder &b, Value x) {
  const bool isF32 = getElementTypeOrSelf(x.getType()).isF32();
  const ErfPolynomials of = isF32 ? ErfPolynomials{erfP32, erfQ32, 4} : ErfPolynomials{erfP64, erfQ64, 6};
  Value magnitude = b.abs(x), one = b.constant(x, 1);
  Value nearZero = b.mulAdd(b.polynomial(b.mul(x, x), of.p), x, x);
  Value t = clamp(b, magnitude, 0, of.end), minus = b.make<arith::NegFOp>(t);
  Value exponent = b.mulAdd(b.polynomial(t, of.q), minus, minus);
  Value power = isF32 ? expandExp(b, exponent) : b.make<math::ExpOp>(exponent); // exp64 ends where f32 do
  Value far = b.sub(one, power);
  far = b.make<math::CopySignOp>(far, x);
  return b.select(b.compare(P::OLT, magnitude, 1), nearZero, far);
}

/// Returns the rounded sum of `first` and `second`, and the error of rounding: together they are the exact sum.
std::pair<Value, Value> addExactly(LaneBuilder &b, Value first, Value second) {
  Value sum = b.add(first, second), partOfSecond = b.sub(sum, first);
  return {sum, b.add(b.sub(first, b.sub(sum, partOfSecond)), b.sub(second, partOfSecond))};
}

/// Returns n and r of x = (4 k + n) pi/2 + r with |r| at most pi/4, for an f32 `x` extended to f64. 2 / pi is the sum
/// of pieces of 29 bits, so that the product of x and a piece is exact, and so is the product less a multiple of 4.
/// There are so many pieces that r has 45 correct bits even where x is the f32 nearest to a multiple of pi/2.
std::pair<Value, Value> reduceQuarterTurns(LaneBuilder &b, Value x) {
  constexpr double pieces[] = {0x1.45f306dp-1,   0x1.9391054p-30, 0x1.4fe13abp-59, 0x1.d1f534dp-88,
                               0x1.b81b6c5p-117, 0x1.5993c4p-148, 0x1.c820ff2p-175};
  constexpr double halfPi = 0x1.921fb54442d18p+0;
  Value sum, error;
  for (double piece : pieces) {
    Value product = b.mul(x, piece);
    Value rest = b.mulAdd(b.make<math::RoundEvenOp>(b.mul(product, 0.25)), -4, product);
    if (!sum) {
      sum = rest;
      error = b.constant(x, 0);
      continue;
    }
    auto [next, lost] = addExactly(b, sum, rest);
    sum = next;
    error = b.add(error, lost);
  }
  Value n = b.make<math::RoundEvenOp>(sum);
  return {n, b.mul(b.add(b.sub(sum, n), error), halfPi)};
}

/// sin(x + quarters pi/2)
Value expandSine(LaneBuilder &b, Value x, int64_t quarters) {
  auto [n, r] = reduceQuarterTurns(b, b.extend(x));
  Value square = b.mul(r, r);
  Value sine = b.mul(r, b.polynomial(square, {-1. / 39916800, 1. / 362880, -1. / 5040, 1. / 120, -1. / 6, 1}));
  Value cosine = b.polynomial(square, {1. / 479001600, -1. / 3628800, 1. / 40320, -1. / 720, 1. / 24, -1. / 2, 1});
  // The lowest bit of n chooses between sine and cosine, the next one is the sign.
  Value word = b.bits(b.add(n, b.constant(n, f64.roundingBias)));
  word = b.make<arith::AddIOp>(word, b.integer(word, quarters));
  auto hasBit = [&](int64_t bit) {
    Value masked = b.make<arith::AndIOp>(word, b.integer(word, bit));
    return b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, masked, b.integer(word, 0));
  };
  Value result = b.select(hasBit(1), cosine, sine);
  return b.truncate(b.select(hasBit(2), b.make<arith::NegFOp>(result), result));
}

Value expandSin(LaneBuilder &b, Value x) {
  return b.select(b.compare(P::OEQ, x, 0), x, expandSine(b, x, 0)); // -0 stays
}

/// atan t for t of 0 to 1 in f64, to about 1e-12: beyond tan(pi/8) by atan t = pi/4 + atan((t - 1) / (t + 1)).
/// `numerator` and `denominator` make t.
Value arctangent64(LaneBuilder &b, Value numerator, Value denominator) {
  constexpr double tanPi8 = 0x1.a827999fcef32p-2, quarterPi = 0x1.921fb54442d18p-1;
  Value isFar = b.compare(P::OGT, numerator, b.mul(denominator, tanPi8));
  Value t = b.div(b.select(isFar, b.sub(numerator, denominator), numerator),
                  b.select(isFar, b.add(numerator, denominator), denominator));
  Value square = b.mul(t, t);
  Value series = b.polynomial(square, {-1. / 27, 1. / 25, -1. / 23, 1. / 21, -1. / 19, 1. / 17, -1. / 15, 1. / 13,
                                       -1. / 11, 1. / 9, -1. / 7, 1. / 5, -1. / 3, 1});
  Value angle = b.mul(t, series);
  return b.select(isFar, b.add(angle, b.constant(angle, quarterPi)), angle);
}

Value expandAtan2(LaneBuilder &b, Value y, Value x) {
  constexpr double pi = 0x1.921fb54442d18p+1, huge = 0x1p1000; // beside infinity each f32 is nothing
  auto magnitude = [&](Value of) { return clamp(b, b.abs(b.extend(of)), 0, huge); };
  Value opposite = magnitude(y), adjacent = magnitude(x);
  Value isSteep = b.compare(P::OGT, opposite, adjacent);
  Value numerator = b.select(isSteep, adjacent, opposite), denominator = b.select(isSteep, opposite, adjacent);
  denominator = b.select(b.compare(P::OEQ, denominator, 0), 1, denominator);
  Value angle = arctangent64(b, numerator, denominator);
  angle = b.select(isSteep, b.sub(b.constant(angle, pi / 2), angle), angle);
  Value signOfX = b.make<math::CopySignOp>(b.constant(x, 1), x);
  angle = b.select(b.compare(P::OLT, signOfX, 0), b.sub(b.constant(angle, pi), angle), angle);
  return b.make<math::CopySignOp>(b.truncate(angle), y);
}

/// log(1 + x), with what 1 + x loses of a small x.
Value expandLog1p(LaneBuilder &b, Value given) {
  Value x = b.extend(given), one = b.constant(x, 1), sum = b.add(x, one);
  Value lost = b.div(b.sub(x, b.sub(sum, one)), sum);
  lost = b.select(b.compare(P::OLT, b.abs(x), 0.5), lost, b.constant(x, 0));
  Value result = b.truncate(b.add(log64(b, sum), lost));
  return b.select(b.compare(P::OEQ, given, 0), given, result); // -0 stays
}

/// exp(x) - 1: by its series where that would lose digits of a small x.
Value expandExpm1(LaneBuilder &b, Value given) {
  Value x = b.extend(given);
  Value series = b.polynomial(x, {1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880, 1. / 40320, 1. / 5040,
                                  1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2, 1});
  Value far = b.sub(exp64(b, x), b.constant(x, 1));
  return b.truncate(b.select(b.compare(P::OLT, b.abs(x), 0.5), b.mul(x, series), far));
}

//===----------------------------------------------------------------------===//
// One `expand` for each op of Transcendentals.def
//===----------------------------------------------------------------------===//

Value expand(LaneBuilder &b, math::ExpOp op) { return expandExp(b, op.getOperand()); }
Value expand(LaneBuilder &b, math::LogOp op) { return expandLog(b, op.getOperand()); }
Value expand(LaneBuilder &b, math::TanhOp op) { return expandTanh(b, op.getOperand()); }
Value expand(LaneBuilder &b, math::ErfOp op) { return expandErf(b, op.getOperand()); }
Value expand(LaneBuilder &b, math::PowFOp op) { return expandPow(b, op.getLhs(), op.getRhs()); }
Value expand(LaneBuilder &b, math::SinOp op) { return expandSin(b, op.getOperand()); }
Value expand(LaneBuilder &b, math::CosOp op) { return expandSine(b, op.getOperand(), 1); }
Value expand(LaneBuilder &b, math::Atan2Op op) { return expandAtan2(b, op.getLhs(), op.getRhs()); }
Value expand(LaneBuilder &b, math::Log1pOp op) { return expandLog1p(b, op.getOperand()); }
Value expand(LaneBuilder &b, math::ExpM1Op op) { return expandExpm1(b, op.getOperand()); }

template <typename Op> struct Expansion : OpRewritePattern<Op> {
  Expansion(MLIRContext *context, bool fma, bool expandsF64, Pass::Statistic &count)
      : OpRewritePattern<Op>(context), fma(fma), expandsF64(expandsF64), count(count) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF32() && !(expandsF64 && element.isF64()))
      return rewriter.notifyMatchFailure(op, "is left to libm");
    LaneBuilder lanes(rewriter, op.getLoc(), hasFmaAt(op));
    rewriter.replaceOp(op, expand(lanes, op));
    ++count;
    return success();
  }

  /// The function of a kernel says what it is for.
  bool hasFmaAt(Operation *op) const {
    auto function = op->getParentOfType<func::FuncOp>();
    auto name = function ? function->getAttrOfType<StringAttr>("star.isa") : StringAttr();
    std::optional<gnnc::Isa> isa = name ? gnnc::parseIsa(name) : std::nullopt;
    return isa ? gnnc::hasFma(*isa) : fma;
  }

  bool fma, expandsF64;
  Pass::Statistic &count;
};

class MathExpansion : public gnnc::impl::MathExpansionBase<MathExpansion> {
public:
  using MathExpansionBase::MathExpansionBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
#define TRANSCENDENTAL(OP, LIBM) add<math::OP>(patterns, /*expandsF64=*/StringRef(LIBM).empty());
#include "compiler/Conversion/MathExpansion/Transcendentals.def"
    GreedyRewriteConfig config;
    config.enableRegionSimplification = GreedySimplifyRegionLevel::Disabled; // takes as long as all else
    if (failed(applyPatternsAndFoldGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }

private:
  template <typename Op> void add(RewritePatternSet &patterns, bool expandsF64) {
    patterns.add(std::make_unique<Expansion<Op>>(&getContext(), fma, expandsF64, numExpanded));
  }
};

} // namespace
