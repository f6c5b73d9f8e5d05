//===- Bf16Test.cpp - f32 that are stored as bf16 -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GNN_BF16 of program.h, written and read by maps and sweeps at every length of a vector.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Bf16.h"
#include "SweepTesting.h"
#include <catch2/catch.hpp>
#include <cstring>

using namespace gnnc;
using namespace gnnc::testing;
using gnn::rt::roundedToBf16;
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
constexpr Rounding roundings[] = {
    {0x00000000, 0x0000}, {0x80000000, 0x8000},                       // zeros
    {0x3f800000, 0x3f80}, {0x3f807fff, 0x3f80}, {0x3f808001, 0x3f81}, // near half
    {0x3f808000, 0x3f80}, {0x3f818000, 0x3f82},                       // ties go to the even one
    {0xbf808000, 0xbf80}, {0xbf818000, 0xbf82},                       //
    {0x3fffffff, 0x4000},                                             // carries into the exponent
    {0x7f7f7fff, 0x7f7f}, {0x7f7f8000, 0x7f80}, {0xff7fffff, 0xff80}, // the largest, and beyond
    {0x7f800000, 0x7f80}, {0xff800000, 0xff80},                       // infinities
    {0x7f800001, 0x7fc0}, {0x7fffffff, 0x7fff}, {0xffffffff, 0xffff}, // NaN stays one
    {0x7fc00000, 0x7fc0}, {0x00000001, 0x0000}, {0x00008000, 0x0000}, // subnormal
    {0x00018000, 0x0002}, {0x007fffff, 0x0080}, {0x807fffff, 0x8080}};

} // namespace

TEST_CASE("numbers are rounded to the nearest, ties to the even one") {
  for (const Rounding &rounding : roundings) {
    INFO(std::hex << rounding.bits);
    CHECK(roundedToBf16(floatOf(rounding.bits)) == rounding.expected);
  }
  for (uint32_t bits = 0; bits < 0x10000; ++bits) // what is bf16 already stays as it is
    if (float number = widened(uint16_t(bits)); number == number)
      REQUIRE(roundedToBf16(number) == bits);
}

TEST_CASE("a map stores f32 as bf16, and another reads them") {
  constexpr const char *writer = R"(
    star.kernel @k map of 0 inputs [#star.operand<row <V, [3, @F], f32>>] outputs [#star.operand<row <V, [3, @F], f32> bf16>] reduce [] step {
    } end {
    ^bb0(%x: !gnn.field<V, [3, @F], f32>):
      star.yield %x : !gnn.field<V, [3, @F], f32>
    })";
  constexpr const char *reader = R"(
    star.kernel @k map of 0 inputs [#star.operand<row <V, [3, @F], f32> bf16>] outputs [#star.operand<row <V, [3, @F], f32>>] reduce [] step {
    } end {
    ^bb0(%x: !gnn.field<V, [3, @F], f32>):
      star.yield %x : !gnn.field<V, [3, @F], f32>
    })";
  atEveryWidth([&](Target target, int64_t width, const std::string &dim) {
    constexpr int64_t rows = 21;
    std::vector<float> x = randomNumbers(rows * 3 * width, 11), back(x.size());
    for (size_t i = 0; i < x.size(); ++i)
      if (i % 3)
        x[i] = floatOf(roundings[i % std::size(roundings)].bits);
    // What lies behind the last row must stay as it is.
    std::vector<uint16_t> stored(x.size() + 1, 0xa5a5);
    std::vector<char> slot;
    Kernel write(text(writer, dim), target, {{"F", width}});
    write.tensors = {x.data(), stored.data()};
    write.run(rowsOnly(rows), 0, slot);
    for (size_t i = 0; i < x.size(); ++i)
      REQUIRE(stored[i] == roundedToBf16(x[i]));
    CHECK(stored.back() == 0xa5a5);
    stored.resize(x.size());
    Kernel read(text(reader, dim), target, {{"F", width}});
    read.tensors = {stored.data(), back.data()};
    read.run(rowsOnly(rows), 0, slot);
    for (size_t i = 0; i < x.size(); ++i) {
      const float expected = widened(stored[i]);
      REQUIRE(std::memcmp(&back[i], &expected, sizeof expected) == 0);
    }
  });
}

TEST_CASE("a sweep sums bf16 as f32") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination
        inputs [#star.operand<row <V, [@F], f32> bf16>, #star.operand<col <V, [@F], f32> bf16>]
        outputs [#star.operand<row <V, [@F], f32>>, #star.operand<row <V, [@F], f32> bf16>] reduce [#gnn.sum] step {
    ^bb0(%v: !gnn.field<D, [@F], f32>, %u: !gnn.field<S, [@F], f32>):
      %0 = gnn.mul %v, %u : (!gnn.field<D, [@F], f32>, !gnn.field<S, [@F], f32>) -> !gnn.field<E, [@F], f32>
      star.contribute [%0] : !gnn.field<E, [@F], f32>
    } end {
    ^bb0(%v: !gnn.field<V, [@F], f32>, %sum: !gnn.field<V, [@F], f32>):
      star.yield %sum, %sum : !gnn.field<V, [@F], f32>, !gnn.field<V, [@F], f32>
    })";
  Block block = makeBlock(degrees, numCols, 5);
  const int64_t rows = block.numRows();
  atEveryWidth([&](Target target, int64_t width, const std::string &dim) {
    auto narrow = [](const std::vector<float> &numbers) {
      std::vector<uint16_t> result(numbers.size());
      gnn::rt::roundToBf16(numbers.data(), result.data(), int64_t(numbers.size()));
      return result;
    };
    std::vector<uint16_t> ofRows = narrow(randomNumbers(rows * width, 6)),
                          ofCols = narrow(randomNumbers(numCols * width, 7)), stored(rows * width);
    std::vector<float> output(rows * width);
    Kernel kernel(text(kernelText, dim), target, {{"F", width}});
    kernel.tensors = {ofRows.data(), ofCols.data(), output.data(), stored.data()};
    runEveryWay(kernel, block, output);
    std::vector<double> expected(output.size());
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
        for (int64_t i = 0; i < width; ++i)
          expected[row * width + i] +=
              double(widened(ofRows[row * width + i])) * widened(ofCols[block.cols[edge] * width + i]);
    checkClose(output, expected, 1e-5);
    for (size_t i = 0; i < output.size(); ++i)
      REQUIRE(stored[i] == roundedToBf16(output[i]));
  });
}
