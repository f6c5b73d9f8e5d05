//===- DotTest.cpp - Dot products of edges --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums along the last dimension of an edge: unrolled or in loops, they have the same bits in every
// kernel, because gradients compute them again.
//
//===----------------------------------------------------------------------===//

#include "SweepTesting.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

constexpr const char *scores = R"(
  star.kernel @k sweep of 0 to destination
      inputs [#star.operand<row <V, [@F], f32>>, #star.operand<col <V, [@F], f32>>, #star.operand<col <V, [], f32>>]
      outputs [#star.operand<edge <E, [], f32>>, #star.operand<edge <E, [], f32>>] reduce [] step {
  ^bb0(%v: !gnn.field<D, [@F], f32>, %u: !gnn.field<S, [@F], f32>, %b: !gnn.field<S, [], f32>):
    %0 = gnn.mul %u, %v : (!gnn.field<S, [@F], f32>, !gnn.field<D, [@F], f32>) -> !gnn.field<E, [@F], f32>
    %1 = gnn.reduce #gnn.sum %0 dim 0 : (!gnn.field<E, [@F], f32>) -> !gnn.field<E, [], f32>
    %2 = gnn.mul %1, %b : (!gnn.field<E, [], f32>, !gnn.field<S, [], f32>) -> !gnn.field<E, [], f32>
    star.contribute [] edges [%1, %2] : !gnn.field<E, [], f32>, !gnn.field<E, [], f32>
  } end {
  ^bb0(%v: !gnn.field<V, [@F], f32>):
    star.yield
  })";

/// The same, of a sweep that folds something too, with a use for the products by themselves.
constexpr const char *scoresBesideSums = R"(
  star.kernel @k sweep of 0 to destination
      inputs [#star.operand<row <V, [@F], f32>>, #star.operand<col <V, [@F], f32>>]
      outputs [#star.operand<row <V, [@F], f32>>, #star.operand<edge <E, [], f32>>] reduce [#gnn.sum] step {
  ^bb0(%v: !gnn.field<D, [@F], f32>, %u: !gnn.field<S, [@F], f32>):
    %0 = gnn.mul %u, %v : (!gnn.field<S, [@F], f32>, !gnn.field<D, [@F], f32>) -> !gnn.field<E, [@F], f32>
    %1 = gnn.reduce #gnn.sum %0 dim 0 : (!gnn.field<E, [@F], f32>) -> !gnn.field<E, [], f32>
    star.contribute [%0] edges [%1] : !gnn.field<E, [@F], f32>, !gnn.field<E, [], f32>
  } end {
  ^bb0(%v: !gnn.field<V, [@F], f32>, %sum: !gnn.field<V, [@F], f32>):
    star.yield %sum : !gnn.field<V, [@F], f32>
  })";

const std::vector<int64_t> widths = {1, 3, 7, 16, 17, 33, 80, 150, 300};

} // namespace

TEST_CASE("dot products of edges") {
  Block block = makeBlock(degrees, numCols, 31);
  const size_t edges = block.cols.size();
  auto test = [&](Target target, int64_t width, const std::string &dim) {
    std::vector<float> v = randomNumbers(degrees.size() * width, 32), u = randomNumbers(numCols * width, 33),
                       factors = randomNumbers(numCols, 34), output(edges), scaled(edges), sums(degrees.size() * width);
    Kernel kernel(text(scores, dim), target, {{"F", width}});
    kernel.tensors = {v.data(), u.data(), factors.data(), output.data(), scaled.data()};
    runEveryWay(kernel, block, output); // pieces have other edges in their blocks, and other edges after these
    std::vector<double> expected(edges);
    for (size_t row = 0; row < degrees.size(); ++row)
      for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge) {
        for (int64_t i = 0; i < width; ++i)
          expected[edge] += double(v[row * width + i]) * u[block.cols[edge] * width + i];
        REQUIRE(scaled[edge] == output[edge] * factors[block.cols[edge]]);
      }
    checkClose(output, expected, 1e-6);
    if (!target.isa)
      return; // where it depends on the threads that share a row
    std::vector<float> again(edges);
    Kernel other(text(scoresBesideSums, dim), target, {{"F", width}});
    other.tensors = {v.data(), u.data(), sums.data(), again.data()};
    other.run(block);
    CHECK(std::memcmp(again.data(), output.data(), edges * sizeof(float)) == 0);
  };
  atEveryWidth(test, widths);
}

TEST_CASE("a product that is added to a sum of an edge is not rounded, where there is an instruction for both") {
  // Of 17 elements the first and the last are added in one lane. In f32 the last product, 1 + 2^-11 + 2^-24, is rounded
  // to 1 + 2^-11.
  constexpr int64_t width = 17;
  std::vector<float> v(width), u(width), factors = {1};
  v[0] = -1 - 0x1p-11f;
  u[0] = 1;
  v[width - 1] = u[width - 1] = 1 + 0x1p-12f;
  Block block = makeBlock({20}, 1, 1);
  for (Target target : runnableTargets()) {
    if (!target.isa)
      continue;
    INFO(target.name());
    std::vector<float> output(20), scaled(20);
    Kernel kernel(text(scores, "F"), target, {{"F", width}});
    kernel.tensors = {v.data(), u.data(), factors.data(), output.data(), scaled.data()};
    kernel.run(block);
    for (float score : output)
      CHECK(score == (*target.isa == Isa::X86_64_V2 ? 0 : 0x1p-24f));
  }
}
