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
std::string mapOf(const std::string &op, const std::string &real) {
  const std::string field = "!gnn.field<V, [64], " + real + ">";
  return "star.kernel @k map of 0 inputs [#star.operand<row <V, [64], " + real +
         ">>] outputs [#star.operand<row <V, [64], " + real + ">>] reduce [] step {\n} end {\n^bb0(%x: " + field +
         "):\n%0 = gnn." + op + " %x : " + field + "\nstar.yield %0 : " + field + "\n}";
}

/// The distance between neighbours of the numbers of `Real` about `x`.
template <class Real> long double spacing(long double x) {
  const Real magnitude = std::min(Real(std::fabs(x)), std::numeric_limits<Real>::max());
  const Real below = std::nextafter(magnitude, Real(0));
  return magnitude == 0 ? std::numeric_limits<Real>::denorm_min() : (long double)(magnitude)-below;
}

/// The largest error over `x`; infinite where a result is no number, or infinite, and should be something else.
template <class Real, class Exact>
long double worstError(const std::string &op, Target target, std::vector<Real> x, Exact &&exact) {
  Kernel kernel(mapOf(op, sizeof(Real) == 4 ? "f32" : "f64"), target);
  const int64_t given = x.size();
  x.resize((given + 63) / 64 * 64);
  std::vector<Real> y(x.size());
  kernel.tensors = {x.data(), y.data()};
  std::vector<char> slot;
  kernel.run(rowsOnly(x.size() / 64), 0, slot);
  long double worst = 0;
  for (int64_t i = 0; i < given; ++i) {
    const long double expected = exact(x[i]);
    if (std::isnan(expected) != std::isnan(y[i]))
      return INFINITY;
    if (std::isnan(expected) || Real(expected) == y[i])
      continue;
    worst = std::max(worst, std::fabs(y[i] - expected) / spacing<Real>(expected));
  }
  return worst;
}

std::vector<float> singles(uint32_t stride) {
  std::vector<float> x;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += stride) {
    const uint32_t word = uint32_t(bits);
    x.emplace_back();
    std::memcpy(&x.back(), &word, sizeof word);
  }
  x.insert(x.end(), {INFINITY, -INFINITY, NAN, 0.0f, -0.0f, 1.0f, std::nextafter(1.0f, 0.0f), -1.0f, 4.0f, 0.625f});
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
