//===- NarrowTest.cpp - f32 that are stored in 16 bits --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GNN_BF16 and GNN_F16 of program.h, written and read by maps and sweeps at every length of a vector.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Narrow.h"
#include "SweepTesting.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace gnnc;
using namespace gnnc::testing;
using gnn::rt::rounded;
using gnn::rt::widened;

namespace {

float floatOf(uint32_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

/// Bits of an f32 with what rounding makes of it, by hand.
struct Rounding {
  uint32_t bits;
  uint16_t expected;
};
constexpr Rounding bf16Roundings[] = {
    {0x00000000, 0x0000}, {0x80000000, 0x8000},                       // zeros
    {0x3f800000, 0x3f80}, {0x3f807fff, 0x3f80}, {0x3f808001, 0x3f81}, // near half
    {0x3f808000, 0x3f80}, {0x3f818000, 0x3f82},                       // ties go to the even one
    {0xbf808000, 0xbf80}, {0xbf818000, 0xbf82},                       //
    {0x3fffffff, 0x4000},                                             // carries into the exponent
    {0x7f7f7fff, 0x7f7f}, {0x7f7f8000, 0x7f80}, {0xff7fffff, 0xff80}, // the largest, and beyond
    {0x7f800000, 0x7f80}, {0xff800000, 0xff80},                       // infinities
    {0x00000001, 0x0000}, {0x00008000, 0x0000},                       // subnormal
    {0x00018000, 0x0002}, {0x007fffff, 0x0080}, {0x807fffff, 0x8080}};

constexpr Rounding f16Roundings[] = {
    {0x00000000, 0x0000}, {0x80000000, 0x8000},                       // zeros
    {0x3f800000, 0x3c00}, {0x3f800fff, 0x3c00}, {0x3f801001, 0x3c01}, // near half
    {0x3f801000, 0x3c00}, {0x3f803000, 0x3c02},                       // ties go to the even one
    {0xbf801000, 0xbc00}, {0xbf803000, 0xbc02},                       //
    {0x3fffffff, 0x4000},                                             // carries into the exponent
    {0x477fefff, 0x7bff}, {0x477ff000, 0x7c00}, {0xff7fffff, 0xfc00}, // the largest, and beyond
    {0x7f800000, 0x7c00}, {0xff800000, 0xfc00},                       // infinities
    {0x38800000, 0x0400}, {0x387fffff, 0x0400}, {0x387fc000, 0x03ff}, // the least normal one, and below
    {0x33800000, 0x0001}, {0x33000000, 0x0000}, {0x33000001, 0x0001}, // the least of all, its half, and above
    {0x33c00000, 0x0002}, {0xb3c00000, 0x8002}, {0x00000001, 0x0000}, // a tie; what f32 calls subnormal
    {0x807fffff, 0x8000}};
constexpr uint32_t nanBits[] = {0x7f800001, 0x7fc00000, 0x7fffffff, 0xffffffff};

/// Some way of storing f32 in 16 bits.
struct Format {
  uint32_t element;
  const char *name;
  const Rounding *begin, *end;
};
const Format formats[] = {{GNN_BF16, "bf16", std::begin(bf16Roundings), std::end(bf16Roundings)},
                          {GNN_F16, "f16", std::begin(f16Roundings), std::end(f16Roundings)}};

/// Where it is no number, the bits are the machine's own.
bool isSame(const Format &format, uint16_t left, uint16_t right) {
  const float ofLeft = widened(format.element, left), ofRight = widened(format.element, right);
  return left == right || (ofLeft != ofLeft && ofRight != ofRight);
}

std::string text(const char *pattern, const Format &format, const std::string &dim) {
  return gnnc::testing::text(pattern, dim, format.name);
}

} // namespace

TEST_CASE("numbers are rounded to the nearest, ties to the even one") {
  for (const Format &format : formats) {
    INFO(format.name);
    for (const Rounding *rounding = format.begin; rounding != format.end; ++rounding) {
      INFO(std::hex << rounding->bits);
      CHECK(rounded(format.element, floatOf(rounding->bits)) == rounding->expected);
    }
    for (uint32_t bits : nanBits)
      CHECK(std::isnan(widened(format.element, rounded(format.element, floatOf(bits)))));
    for (uint32_t bits = 0; bits < 0x10000; ++bits) // what has 16 bits already stays as it is
      if (float number = widened(format.element, uint16_t(bits)); number == number)
        REQUIRE(rounded(format.element, number) == bits);
  }
}

TEST_CASE("f16 are the numbers that IEEE 754 says") {
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const uint32_t exponent = bits >> 10, fraction = bits & 0x3ff;
    const double expected = exponent ? std::ldexp(1024 + fraction, int(exponent) - 25) : std::ldexp(fraction, -24);
    REQUIRE(widened(GNN_F16, uint16_t(bits)) == float(expected));
    REQUIRE(widened(GNN_F16, uint16_t(bits | 0x8000)) == -float(expected));
  }
  CHECK(widened(GNN_F16, 0x7c00) == INFINITY);
  CHECK(widened(GNN_F16, 0xfc00) == -INFINITY);
  CHECK(std::isnan(widened(GNN_F16, 0x7c01)));
}

TEST_CASE("a map stores f32 in 16 bits, and another reads them") {
  constexpr const char *writer = R"(
    star.kernel @k map of 0 inputs [#star.operand<row <V, [3, @F], f32>>] outputs [#star.operand<row <V, [3, @F], f32> @A>] reduce [] step {
    } end {
    ^bb0(%x: !gnn.field<V, [3, @F], f32>):
      star.yield %x : !gnn.field<V, [3, @F], f32>
    })";
  constexpr const char *reader = R"(
    star.kernel @k map of 0 inputs [#star.operand<row <V, [3, @F], f32> @A>] outputs [#star.operand<row <V, [3, @F], f32>>] reduce [] step {
    } end {
    ^bb0(%x: !gnn.field<V, [3, @F], f32>):
      star.yield %x : !gnn.field<V, [3, @F], f32>
    })";
  const Format &format = formats[GENERATE(0, 1)];
  atEveryWidth([&](Target target, int64_t width, const std::string &dim) {
    constexpr int64_t rows = 21;
    const size_t numRoundings = format.end - format.begin;
    std::vector<float> x = randomNumbers(rows * 3 * width, 11), back(x.size());
    for (size_t i = 0; i < x.size(); ++i)
      if (i % 3)
        x[i] = floatOf(i % 5 ? format.begin[i % numRoundings].bits : nanBits[i % std::size(nanBits)]);
    // What lies behind the last row must stay as it is.
    std::vector<uint16_t> stored(x.size() + 1, 0xa5a5);
    std::vector<char> slot;
    Kernel write(text(writer, format, dim), target, {{"F", width}});
    write.tensors = {x.data(), stored.data()};
    write.run(rowsOnly(rows), 0, slot);
    for (size_t i = 0; i < x.size(); ++i)
      REQUIRE(isSame(format, stored[i], rounded(format.element, x[i])));
    CHECK(stored.back() == 0xa5a5);
    stored.resize(x.size());
    Kernel read(text(reader, format, dim), target, {{"F", width}});
    read.tensors = {stored.data(), back.data()};
    read.run(rowsOnly(rows), 0, slot);
    for (size_t i = 0; i < x.size(); ++i) {
      const float expected = widened(format.element, stored[i]);
      REQUIRE((std::memcmp(&back[i], &expected, sizeof expected) == 0 || (expected != expected && back[i] != back[i])));
    }
  });
}

TEST_CASE("a sweep sums numbers of 16 bits as f32") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination
        inputs [#star.operand<row <V, [@F], f32> @A>, #star.operand<col <V, [@F], f32> @A>]
        outputs [#star.operand<row <V, [@F], f32>>, #star.operand<row <V, [@F], f32> @A>] reduce [#gnn.sum] step {
    ^bb0(%v: !gnn.field<D, [@F], f32>, %u: !gnn.field<S, [@F], f32>):
      %0 = gnn.mul %v, %u : (!gnn.field<D, [@F], f32>, !gnn.field<S, [@F], f32>) -> !gnn.field<E, [@F], f32>
      star.contribute [%0] : !gnn.field<E, [@F], f32>
    } end {
    ^bb0(%v: !gnn.field<V, [@F], f32>, %sum: !gnn.field<V, [@F], f32>):
      star.yield %sum, %sum : !gnn.field<V, [@F], f32>, !gnn.field<V, [@F], f32>
    })";
  const Format &format = formats[GENERATE(0, 1)];
  Block block = makeBlock(degrees, numCols, 5);
  const int64_t rows = block.numRows();
  atEveryWidth([&](Target target, int64_t width, const std::string &dim) {
    auto narrow = [&](const std::vector<float> &numbers) {
      std::vector<uint16_t> result(numbers.size());
      gnn::rt::roundTo(format.element, numbers.data(), result.data(), int64_t(numbers.size()));
      return result;
    };
    std::vector<uint16_t> ofRows = narrow(randomNumbers(rows * width, 6)),
                          ofCols = narrow(randomNumbers(numCols * width, 7)), stored(rows * width);
    std::vector<float> output(rows * width);
    Kernel kernel(text(kernelText, format, dim), target, {{"F", width}});
    kernel.tensors = {ofRows.data(), ofCols.data(), output.data(), stored.data()};
    runEveryWay(kernel, block, output);
    std::vector<double> expected(output.size());
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
        for (int64_t i = 0; i < width; ++i)
          expected[row * width + i] += double(widened(format.element, ofRows[row * width + i])) *
                                       widened(format.element, ofCols[block.cols[edge] * width + i]);
    checkClose(output, expected, 1e-5);
    for (size_t i = 0; i < output.size(); ++i)
      REQUIRE(stored[i] == rounded(format.element, output[i]));
  });
}
