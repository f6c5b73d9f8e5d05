//===- MathTest.cpp - Functions of numbers against libm -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the expansions of math-expansion are from libm in more bits, in units of the last place. The numbers of f32
// are every `stride`-th there is, of every exponent, both signs, the subnormals and the infinities.
//
//===----------------------------------------------------------------------===//

#include "KernelTesting.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

/// A map of rows of 64 numbers, so that registers of every length are full.
std::string mapOf(const std::string &op, const std::string &real, bool isBinary) {
  const std::string field = "!gnn.field<V, [64], " + real + ">", operand = "#star.operand<row <V, [64], " + real + ">>";
  const std::string call =
      isBinary ? op + " %x, %y : (" + field + ", " + field + ") -> " + field : op + " %x : " + field;
  return "star.kernel @k map of 0 inputs [" + operand + (isBinary ? ", " + operand : "") + "] outputs [" + operand +
         "] reduce [] step {\n} end {\n^bb0(%x: " + field + (isBinary ? ", %y: " + field : "") + "):\n%0 = gnn." +
         call + "\nstar.yield %0 : " + field + "\n}";
}

/// The distance between neighbours of the numbers of `Real` about `x`.
template <class Real> long double spacing(long double x) {
  const Real magnitude = std::min(Real(std::fabs(x)), std::numeric_limits<Real>::max());
  const Real below = std::nextafter(magnitude, Real(0));
  return magnitude == 0 ? std::numeric_limits<Real>::denorm_min() : (long double)(magnitude)-below;
}

/// The error of `y` in units of the last place; infinite if only one of both is NaN, or if a zero has the wrong sign.
template <class Real> long double errorOf(Real y, long double expected) {
  if (std::isnan(expected) != std::isnan(y) || (expected == 0 && y == 0 && std::signbit(expected) != std::signbit(y)))
    return INFINITY;
  if (std::isnan(expected) || Real(expected) == y)
    return 0;
  return std::fabs(y - expected) / spacing<Real>(expected);
}

/// The largest error of `op` over `operands`, a vector of numbers for each operand.
template <class Real, class Exact>
long double worstOf(const std::string &op, Target target, std::vector<std::vector<Real>> operands, Exact &&exact) {
  Kernel kernel(mapOf(op, sizeof(Real) == 4 ? "f32" : "f64", operands.size() == 2), target);
  const size_t given = operands[0].size(), padded = (given + 63) / 64 * 64;
  std::vector<Real> result(padded);
  for (std::vector<Real> &operand : operands) {
    operand.resize(padded);
    kernel.tensors.push_back(operand.data());
  }
  kernel.tensors.push_back(result.data());
  std::vector<char> slot;
  kernel.run(rowsOnly(padded / 64), 0, slot);
  long double worst = 0;
  for (size_t i = 0; i < given; ++i)
    worst = std::max(worst, errorOf(result[i], exact(operands, i)));
  return worst;
}

template <class Real, class Exact>
long double worstError(const std::string &op, Target target, const std::vector<Real> &x, Exact &&exact) {
  return worstOf<Real>(op, target, {x}, [&](const auto &operands, size_t i) { return exact(operands[0][i]); });
}

/// The largest error of `op` over every pair of a number of `y`, the first operand, and a number of `x`.
template <class Real, class Exact>
long double worstError(const std::string &op, Target target, const std::vector<Real> &y, const std::vector<Real> &x,
                       Exact &&exact) {
  std::vector<std::vector<Real>> operands(2);
  for (Real first : y)
    for (Real second : x) {
      operands[0].push_back(first);
      operands[1].push_back(second);
    }
  return worstOf<Real>(op, target, operands, [&](const auto &each, size_t i) { return exact(each[0][i], each[1][i]); });
}

std::vector<float> singles(uint32_t stride) {
  std::vector<float> x;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += stride) {
    const uint32_t word = uint32_t(bits);
    x.emplace_back();
    std::memcpy(&x.back(), &word, sizeof word);
  }
  x.insert(x.end(), {INFINITY, -INFINITY, NAN, 0.0f, -0.0f, 1.0f, std::nextafter(1.0f, 0.0f), -1.0f, 4.0f, 0.625f});
  // Halves, and numbers near multiples of pi/2: 16367173 * 2^72 is 2^-29 from one.
  x.insert(x.end(), {0.5f, 1.5f, 2.5f, -0.5f, -2.5f, 0x1.921fb6p0f, 0x1.921fb6p1f, 0x1.f37c8ap95f, 0x1.f9cbe2p7f});
  return x;
}

/// A device is emulated, slowly.
uint32_t strideOf(Target target) { return target.isa ? 4099 : 8 * 1048573; }

} // namespace

TEST_CASE("functions of f32 are within 2 units of the last place") {
  for (Target target : runnableTargets()) {
    INFO(target.name());
    const std::vector<float> x = singles(strideOf(target));
    CHECK(worstError("exp", target, x, [](double number) { return std::exp(number); }) <= 2);
    CHECK(worstError("log", target, x, [](double number) { return std::log(number); }) <= 2);
    CHECK(worstError("tanh", target, x, [](double number) { return std::tanh(number); }) <= 2);
    CHECK(worstError("erf", target, x, [](double number) { return std::erf(number); }) <= 2);
    CHECK(worstError("sin", target, x, [](double number) { return std::sin(number); }) <= 2);
    CHECK(worstError("cos", target, x, [](double number) { return std::cos(number); }) <= 2);
    CHECK(worstError("log1p", target, x, [](double number) { return std::log1p(number); }) <= 2);
    CHECK(worstError("expm1", target, x, [](double number) { return std::expm1(number); }) <= 2);
    CHECK(worstError("floor", target, x, [](double number) { return std::floor(number); }) == 0);
    CHECK(worstError("ceil", target, x, [](double number) { return std::ceil(number); }) == 0);
    CHECK(worstError("round", target, x, [](double number) { return std::round(number); }) == 0);
    CHECK(worstError("sign", target, x, [](double number) { return double((number > 0) - (number < 0)); }) == 0);
    const std::vector<float> fewer = singles(target.isa ? 4194301 : 67108859);
    CHECK(worstError("atan2", target, fewer, fewer, [](double y, double x) { return std::atan2(y, x); }) <= 2);
  }
}

TEST_CASE("functions of f64 are within a unit of the last place") {
  std::vector<double> x = {INFINITY, -INFINITY, NAN, 0, -0.0, 1, -1, 0.5, 2.5, -2.5, 1e22, -1e300, 1e-310, 0x1p-30};
  for (double number = 0x1p-40; number < 0x1p60; number *= 1.01)
    x.insert(x.end(), {number, -number});
  const std::vector<double> fewer(x.begin(), x.begin() + 200);
  for (Target target : runnableTargets())
    if (target.isa) {
      INFO(target.name());
      using Long = long double;
      CHECK(worstError("sin", target, x, [](Long number) { return std::sin(number); }) <= 1);
      CHECK(worstError("cos", target, x, [](Long number) { return std::cos(number); }) <= 1);
      CHECK(worstError("log1p", target, x, [](Long number) { return std::log1p(number); }) <= 1);
      CHECK(worstError("expm1", target, x, [](Long number) { return std::expm1(number); }) <= 1);
      CHECK(worstError("floor", target, x, [](Long number) { return std::floor(number); }) == 0);
      CHECK(worstError("ceil", target, x, [](Long number) { return std::ceil(number); }) == 0);
      CHECK(worstError("round", target, x, [](Long number) { return std::round(number); }) == 0);
      CHECK(worstError("atan2", target, fewer, fewer, [](Long y, Long x) { return std::atan2(y, x); }) <= 1);
    }
}

TEST_CASE("the error function of f64 is within 2 units of the last place") {
  std::vector<double> x = {INFINITY, -INFINITY, NAN, 0,     -0.0,  1, -1, std::nextafter(1, 0),
                           6,        5.9999,    27,  1e300, 1e-310};
  for (double number = 0x1p-60; number < 8; number *= 1.0001)
    x.insert(x.end(), {number, -number});
  for (Target target : runnableTargets())
    if (target.isa) {
      INFO(target.name());
      CHECK(worstError("erf", target, x, [](long double number) { return std::erf(number); }) <= 2);
    }
}
