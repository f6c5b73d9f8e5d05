//===- TypesTest.cpp - Compiled sweeps over edges of several types --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions that are folded apart by an integer, wherever their states are: the same bits however a row is cut, and
// edges whose integer names no entry count nowhere.
//
//===----------------------------------------------------------------------===//

#include "SweepTesting.h"
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

constexpr int64_t numTypes = 5;
const std::vector<int64_t> widths = {1, 7, 17, 150};

Block makeTyped(unsigned seed) {
  Block block = makeBlock(degrees, numCols, seed);
  drawTypes(block, numTypes, seed + 1);
  return block;
}

/// Calls `body` with each edge's row, position and entry, for those that have one.
template <class Body> void forEachTyped(const Block &block, Body body) {
  for (int64_t row = 0; row < block.numRows(); ++row)
    for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
      if (block.types[edge] >= 0 && block.types[edge] < numTypes)
        body(row, edge, row * numTypes + block.types[edge]);
}

} // namespace

TEST_CASE("sums by type") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination inputs [#star.operand<col <V, [@F], f32>>, #star.operand<edge <E, [], f32>>]
        outputs [#star.operand<row <V, [@T, @F], f32>>] reduce [#gnn.sum] step {
    ^bb0(%u: !gnn.field<S, [@F], f32>, %e: !gnn.field<E, [], f32>):
      %t = gnn.edge_type : !gnn.field<E, [], i32>
      %0 = gnn.broadcast %e dims [] : !gnn.field<E, [], f32> -> !gnn.field<E, [@F], f32>
      %1 = gnn.mul %0, %u : (!gnn.field<E, [@F], f32>, !gnn.field<S, [@F], f32>) -> !gnn.field<E, [@F], f32>
      star.contribute [%1] by [%t] of [0] : !gnn.field<E, [@F], f32>, !gnn.field<E, [], i32>
    } end {
    ^bb0(%sum: !gnn.field<V, [@T, @F], f32>):
      star.yield %sum : !gnn.field<V, [@T, @F], f32>
    })";
  Block block = makeTyped(1);
  for (bool isSorted : {true, false}) {
    if (!isSorted)
      std::reverse(block.types.begin(), block.types.end());
    atEveryWidth(
        [&](Target target, int64_t width, const std::string &dim) {
          std::string module = kernelText;
          for (size_t at; (at = module.find("@T")) != std::string::npos;)
            module.replace(at, 2, dim == "F" ? "types" : std::to_string(numTypes));
          Kernel kernel(text(module, dim), target, {{"F", width}, {"types", numTypes}});
          std::vector<float> u = randomNumbers(numCols * width, 3), e = randomNumbers(block.cols.size(), 4);
          std::vector<float> output(degrees.size() * numTypes * width);
          kernel.tensors = {u.data(), e.data(), output.data()};
          runEveryWay(kernel, block, output);
          std::vector<double> expected(output.size());
          forEachTyped(block, [&](int64_t, int64_t edge, int64_t entry) {
            for (int64_t i = 0; i < width; ++i)
              expected[entry * width + i] += double(e[edge]) * u[block.cols[edge] * width + i];
          });
          checkClose(output, expected, 1e-5);
        },
        widths);
  }
}

TEST_CASE("maxima by type beside a plain and a counting sum, reduced over types") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to source inputs [#star.operand<col <V, [@F], f32>>, #star.operand<edge <E, [], i1>>]
        outputs [#star.operand<row <V, [types, @F], f32>>, #star.operand<row <V, [types, @F], i64>>, #star.operand<row <V, [@F], f32>>,
                 #star.operand<row <V, [], i64>>] reduce [#gnn.max, #gnn.sum, #gnn.sum] step {
    ^bb0(%u: !gnn.field<D, [@F], f32>, %e: !gnn.field<E, [], i1>):
      %t = gnn.edge_type : !gnn.field<E, [], i32>
      %one = gnn.constant 1 : i64 -> !gnn.field<P, [], i64>
      star.contribute [%u, %u, %one] filters [%e] of [0, -1, -1] by [%t] of [0, -1, 0]
          : !gnn.field<D, [@F], f32>, !gnn.field<D, [@F], f32>, !gnn.field<P, [], i64>, !gnn.field<E, [], i1>, !gnn.field<E, [], i32>
    } end {
    ^bb0(%max: !gnn.field<V, [types, @F], f32>, %arg: !gnn.field<V, [types, @F], i64>, %sum: !gnn.field<V, [@F], f32>,
         %count: !gnn.field<V, [types], i64>):
      %most = gnn.reduce #gnn.max %count dim 0 : (!gnn.field<V, [types], i64>) -> !gnn.field<V, [], i64>
      star.yield %max, %arg, %sum, %most
          : !gnn.field<V, [types, @F], f32>, !gnn.field<V, [types, @F], i64>, !gnn.field<V, [@F], f32>, !gnn.field<V, [], i64>
    })";
  Block block = makeTyped(5);
  atEveryWidth(
      [&](Target target, int64_t width, const std::string &dim) {
        Kernel kernel(text(kernelText, dim), target, {{"F", width}, {"types", numTypes}});
        std::vector<float> u = randomNumbers(numCols * width, 6), output(degrees.size() * numTypes * width),
                           sums(degrees.size() * width);
        std::vector<int64_t> args(output.size()), most(degrees.size());
        std::vector<uint8_t> keep(block.cols.size());
        for (size_t edge = 0; edge < keep.size(); ++edge)
          keep[edge] = edge % 3 != 0;
        kernel.tensors = {u.data(), keep.data(), output.data(), args.data(), sums.data(), most.data()};
        runEveryWay(kernel, block, output);

        std::vector<float> best(output.size());
        std::vector<int64_t> expectedArgs(output.size(), -1), expectedMost(most.size()),
            counts(degrees.size() * numTypes);
        std::vector<double> expectedSums(sums.size());
        forEachTyped(block, [&](int64_t row, int64_t edge, int64_t entry) {
          expectedMost[row] = std::max(expectedMost[row], ++counts[entry]);
          for (int64_t i = 0; i < width && keep[edge]; ++i)
            if (float number = u[block.cols[edge] * width + i];
                expectedArgs[entry * width + i] < 0 || number > best[entry * width + i]) {
              best[entry * width + i] = number;
              expectedArgs[entry * width + i] = edge;
            }
        });
        for (int64_t row = 0; row < block.numRows(); ++row)
          for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
            for (int64_t i = 0; i < width; ++i)
              expectedSums[row * width + i] += u[block.cols[edge] * width + i];
        CHECK(output == best);
        CHECK(args == expectedArgs);
        CHECK(most == expectedMost);
        checkClose(sums, expectedSums, 1e-5);
      },
      widths);
}

TEST_CASE("a parameter of the edge's type") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination
        inputs [#star.operand<row <V, [types], f32>>, #star.operand<col <V, [@F], f32>>, #star.operand<whole <P, [types, @F], f32>>]
        outputs [#star.operand<row <V, [@F], f32>>] reduce [#gnn.sum] step {
    ^bb0(%norm: !gnn.field<D, [types], f32>, %u: !gnn.field<S, [@F], f32>, %w: !gnn.field<P, [types, @F], f32>):
      %t = gnn.edge_type : !gnn.field<E, [], i32>
      %0 = gnn.index %w, %t : (!gnn.field<P, [types, @F], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [@F], f32>
      %1 = gnn.mul %0, %u : (!gnn.field<E, [@F], f32>, !gnn.field<S, [@F], f32>) -> !gnn.field<E, [@F], f32>
      %2 = gnn.index %norm, %t : (!gnn.field<D, [types], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [], f32>
      %3 = gnn.broadcast %2 dims [] : !gnn.field<E, [], f32> -> !gnn.field<E, [@F], f32>
      %4 = gnn.mul %1, %3 : (!gnn.field<E, [@F], f32>, !gnn.field<E, [@F], f32>) -> !gnn.field<E, [@F], f32>
      star.contribute [%4] : !gnn.field<E, [@F], f32>
    } end {
    ^bb0(%norm: !gnn.field<V, [types], f32>, %w: !gnn.field<P, [types, @F], f32>, %sum: !gnn.field<V, [@F], f32>):
      star.yield %sum : !gnn.field<V, [@F], f32>
    })";
  Block block = makeTyped(7);
  atEveryWidth(
      [&](Target target, int64_t width, const std::string &dim) {
        Kernel kernel(text(kernelText, dim), target, {{"F", width}, {"types", numTypes}});
        std::vector<float> norm = randomNumbers(degrees.size() * numTypes, 8), u = randomNumbers(numCols * width, 9),
                           w = randomNumbers(numTypes * width, 10), output(degrees.size() * width);
        kernel.tensors = {norm.data(), u.data(), w.data(), output.data()};
        runEveryWay(kernel, block, output);
        std::vector<double> expected(output.size());
        forEachTyped(block, [&](int64_t row, int64_t edge, int64_t entry) {
          for (int64_t i = 0; i < width; ++i)
            expected[row * width + i] +=
                double(norm[entry]) * w[block.types[edge] * width + i] * u[block.cols[edge] * width + i];
        });
        checkClose(output, expected, 1e-5);
      },
      widths);
}

TEST_CASE("a product with the matrix of the edge's type") {
  constexpr int64_t in = 9;
  for (bool isTransposed : {false, true}) {
    // x @ W[t] gives [F], x @ W[t]^T gives [in].
    std::string from = isTransposed ? "@F" : "in", to = isTransposed ? "in" : "@F";
    std::string kernelText = R"(
      star.kernel @k sweep of 0 to destination inputs [#star.operand<edge <E, [FROM], f32>>, #star.operand<whole <P, [types, in, @F], f32>>]
          outputs [#star.operand<row <V, [TO], f32>>] reduce [#gnn.sum] step {
      ^bb0(%x: !gnn.field<E, [FROM], f32>, %w: !gnn.field<P, [types, in, @F], f32>):
        %t = gnn.edge_type : !gnn.field<E, [], i32>
        %0 = gnn.typed_matmul %x, %w, %t TRANSPOSED
            : (!gnn.field<E, [FROM], f32>, !gnn.field<P, [types, in, @F], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [TO], f32>
        star.contribute [%0] : !gnn.field<E, [TO], f32>
      } end {
      ^bb0(%w: !gnn.field<P, [types, in, @F], f32>, %sum: !gnn.field<V, [TO], f32>):
        star.yield %sum : !gnn.field<V, [TO], f32>
      })";
    for (auto [word, with] : {std::pair<std::string, std::string>("FROM", from),
                              {"TO", to},
                              {"TRANSPOSED", isTransposed ? "transpose_w" : ""}})
      for (size_t at; (at = kernelText.find(word)) != std::string::npos;)
        kernelText.replace(at, word.size(), with);
    Block block = makeTyped(11);
    atEveryWidth(
        [&](Target target, int64_t width, const std::string &dim) {
          Kernel kernel(text(kernelText, dim), target, {{"F", width}, {"types", numTypes}, {"in", in}});
          int64_t contracted = isTransposed ? width : in, kept = isTransposed ? in : width;
          std::vector<float> x = randomNumbers(block.cols.size() * contracted, 12),
                             w = randomNumbers(numTypes * in * width, 13), output(degrees.size() * kept);
          kernel.tensors = {x.data(), w.data(), output.data()};
          runEveryWay(kernel, block, output);
          std::vector<double> expected(output.size());
          forEachTyped(block, [&](int64_t row, int64_t edge, int64_t) {
            for (int64_t i = 0; i < in; ++i)
              for (int64_t j = 0; j < width; ++j)
                expected[row * kept + (isTransposed ? i : j)] +=
                    double(x[edge * contracted + (isTransposed ? j : i)]) * w[(block.types[edge] * in + i) * width + j];
          });
          checkClose(output, expected, 1e-5);
        },
        {1, 17});
  }
}
