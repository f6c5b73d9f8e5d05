//===- BitsTest.cpp - Bools of vertices that are stored as bits -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GNN_BITS of program.h, written and read by maps and sweeps at every length of a vector.
//
//===----------------------------------------------------------------------===//

#include "SweepTesting.h"
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

int64_t bytesOfRun(int64_t width) { return (width + 15) / 16 * 2; }

std::string withReal(std::string text, const char *real) {
  for (size_t at; (at = text.find("@R")) != std::string::npos;)
    text.replace(at, 2, real);
  return text;
}

constexpr const char *writer = R"(
    star.kernel @k map of 0 inputs [#star.operand<row <V, [3, @F], @R>>] outputs [#star.operand<row <V, [3, @F], i1> bits>] reduce [] step {
    } end {
    ^bb0(%x: !gnn.field<V, [3, @F], @R>):
      %zero = gnn.constant 0.0 : @R -> !gnn.field<P, [3, @F], @R>
      %0 = gnn.compare gt %x, %zero : (!gnn.field<V, [3, @F], @R>, !gnn.field<P, [3, @F], @R>) -> !gnn.field<V, [3, @F], i1>
      star.yield %0 : !gnn.field<V, [3, @F], i1>
    })";

constexpr const char *reader = R"(
    star.kernel @k map of 0 inputs [#star.operand<row <V, [3, @F], i1> bits>] outputs [#star.operand<row <V, [3, @F], @R>>] reduce [] step {
    } end {
    ^bb0(%x: !gnn.field<V, [3, @F], i1>):
      %0 = gnn.cast %x : !gnn.field<V, [3, @F], i1> -> !gnn.field<V, [3, @F], @R>
      star.yield %0 : !gnn.field<V, [3, @F], @R>
    })";

template <class Real> void checkRoundTrip(Target target, int64_t width, const std::string &dim, const char *real) {
  constexpr int64_t rows = 21;
  std::vector<Real> x(rows * 3 * width), back(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = (i * 2654435761u >> 7) % 3 == 0 ? Real(1) : Real(-1);
  // Two bytes after the last row must stay as they are.
  std::vector<uint8_t> bits(rows * 3 * bytesOfRun(width) + 2, 0xa5);
  gnn_block_t block = rowsOnly(rows);
  std::vector<char> slot;
  Kernel write(withReal(text(writer, dim), real), target, {{"F", width}});
  write.tensors = {x.data(), bits.data()};
  write.run(block, 0, slot);
  for (int64_t run = 0; run < rows * 3; ++run)
    for (int64_t i = 0; i < width; ++i) {
      bool bit = bits[run * bytesOfRun(width) + i / 8] >> i % 8 & 1;
      REQUIRE(bit == (x[run * width + i] > 0));
    }
  CHECK(bits[bits.size() - 2] == 0xa5);
  CHECK(bits[bits.size() - 1] == 0xa5);
  Kernel read(withReal(text(reader, dim), real), target, {{"F", width}});
  read.tensors = {bits.data(), back.data()};
  read.run(block, 0, slot);
  for (size_t i = 0; i < x.size(); ++i)
    REQUIRE(back[i] == (x[i] > 0 ? Real(1) : Real(0)));
}

} // namespace

TEST_CASE("a map writes bits where the layout has them, and another reads them") {
  atEveryWidth([](Target target, int64_t width, const std::string &dim) {
    if (!target.isa)
      return; // a device keeps a byte for each
    checkRoundTrip<float>(target, width, dim, "f32");
    checkRoundTrip<double>(target, width, dim, "f64");
  });
}

TEST_CASE("a sweep reads bits of rows and of columns, and writes those of what it sums") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination
        inputs [#star.operand<row <V, [@F], i1> bits>, #star.operand<col <V, [@F], f32>>, #star.operand<col <V, [@F], i1> bits>]
        outputs [#star.operand<row <V, [@F], f32>>, #star.operand<row <V, [@F], i1> bits>] reduce [#gnn.sum] step {
    ^bb0(%v: !gnn.field<D, [@F], i1>, %x: !gnn.field<S, [@F], f32>, %u: !gnn.field<S, [@F], i1>):
      %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [@F], f32>
      %0 = gnn.and %v, %u : (!gnn.field<D, [@F], i1>, !gnn.field<S, [@F], i1>) -> !gnn.field<E, [@F], i1>
      %1 = gnn.select %0, %x, %zero : (!gnn.field<E, [@F], i1>, !gnn.field<S, [@F], f32>, !gnn.field<P, [@F], f32>) -> !gnn.field<E, [@F], f32>
      star.contribute [%1] : !gnn.field<E, [@F], f32>
    } end {
    ^bb0(%v: !gnn.field<V, [@F], i1>, %sum: !gnn.field<V, [@F], f32>):
      %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [@F], f32>
      %0 = gnn.compare gt %sum, %zero : (!gnn.field<V, [@F], f32>, !gnn.field<P, [@F], f32>) -> !gnn.field<V, [@F], i1>
      star.yield %sum, %0 : !gnn.field<V, [@F], f32>, !gnn.field<V, [@F], i1>
    })";
  Block block = makeBlock(degrees, numCols, 5);
  const int64_t rows = block.numRows();
  atEveryWidth([&](Target target, int64_t width, const std::string &dim) {
    if (!target.isa)
      return; // a device keeps a byte for each
    int64_t run = bytesOfRun(width);
    std::vector<uint8_t> ofRows(rows * run), ofCols(numCols * run), positive(rows * run);
    for (size_t i = 0; i < ofRows.size(); ++i)
      ofRows[i] = uint8_t(i * 77 + 13);
    for (size_t i = 0; i < ofCols.size(); ++i)
      ofCols[i] = uint8_t(i * 29 + 5);
    auto bit = [&](const std::vector<uint8_t> &bits, int64_t row, int64_t i) {
      return bits[row * run + i / 8] >> i % 8 & 1;
    };
    std::vector<float> x = randomNumbers(numCols * width, 6), output(rows * width);
    Kernel kernel(text(kernelText, dim), target, {{"F", width}});
    kernel.tensors = {ofRows.data(), x.data(), ofCols.data(), output.data(), positive.data()};
    runEveryWay(kernel, block, output);
    std::vector<double> expected(output.size());
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
        for (int64_t i = 0; i < width; ++i)
          if (bit(ofRows, row, i) && bit(ofCols, block.cols[edge], i))
            expected[row * width + i] += x[block.cols[edge] * width + i];
    checkClose(output, expected, 1e-5);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < width; ++i)
        REQUIRE(bit(positive, row, i) == (output[row * width + i] > 0));
  });
}
