//===- PanelTest.cpp - Products of panels of edges against plain loops ----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products on edges that are folded at once, and those that edges go on with; rows shorter than a block of edges,
// longer than a panel and longer than a segment.
//
//===----------------------------------------------------------------------===//

#include "SweepTesting.h"
#include <algorithm>
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

/// relu(x + y) @ w, each for one edge.
std::vector<double> product(const float *x, const float *y, const std::vector<float> &w, int64_t in, int64_t out) {
  std::vector<double> sums(out);
  for (int64_t k = 0; k < in; ++k)
    for (int64_t i = 0; i < out; ++i)
      sums[i] += std::max(double(x[k]) + y[k], 0.0) * w[k * out + i];
  return sums;
}

void forEachEdge(const Block &block, const std::function<void(int64_t row, int64_t edge, int64_t col)> &body) {
  for (size_t row = 0; row < degrees.size(); ++row)
    for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
      body(row, edge, block.cols[edge]);
}

/// For the emulated device, which has no panels and is slow.
bool isTooLarge(Target target, int64_t width) { return !target.isa && width > 7; }

} // namespace

TEST_CASE("products that are folded at once") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination
        inputs [#star.operand<row <V, [in], f32>>, #star.operand<col <V, [in], f32>>, #star.operand<whole <P, [in, @F], f32>>]
        outputs [#star.operand<row <V, [@F], f32>>, #star.operand<row <V, [@F], f32>>] reduce [#gnn.max, #gnn.sum] step {
    ^bb0(%v: !gnn.field<D, [in], f32>, %u: !gnn.field<S, [in], f32>, %w: !gnn.field<P, [in, @F], f32>):
      %0 = gnn.add %u, %v : (!gnn.field<S, [in], f32>, !gnn.field<D, [in], f32>) -> !gnn.field<E, [in], f32>
      %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [in], f32>
      %1 = gnn.maximum %0, %zero : (!gnn.field<E, [in], f32>, !gnn.field<P, [in], f32>) -> !gnn.field<E, [in], f32>
      %2 = gnn.matmul %1, %w : (!gnn.field<E, [in], f32>, !gnn.field<P, [in, @F], f32>) -> !gnn.field<E, [@F], f32>
      %one = gnn.constant 1.0 : f32 -> !gnn.field<P, [@F], f32>
      %3 = gnn.add %2, %one : (!gnn.field<E, [@F], f32>, !gnn.field<P, [@F], f32>) -> !gnn.field<E, [@F], f32>
      star.contribute [%3, %2] : !gnn.field<E, [@F], f32>, !gnn.field<E, [@F], f32>
    } end {
    ^bb0(%v: !gnn.field<V, [in], f32>, %w: !gnn.field<P, [in, @F], f32>, %max: !gnn.field<V, [@F], f32>,
         %arg: !gnn.field<V, [@F], i64>, %sum: !gnn.field<V, [@F], f32>):
      star.yield %max, %sum : !gnn.field<V, [@F], f32>, !gnn.field<V, [@F], f32>
    })";
  Block block = makeBlock(degrees, numCols, 30);
  for (int64_t in : {1, 8, 19})
    atEveryWidth([&](Target target, int64_t width, const std::string &dim) {
      if (isTooLarge(target, width))
        return;
      Kernel kernel(text(kernelText, dim), target, {{"F", width}, {"in", in}});
      std::vector<float> v = randomNumbers(degrees.size() * in, 31), u = randomNumbers(numCols * in, 32),
                         w = randomNumbers(in * width, 33);
      std::vector<float> max(degrees.size() * width), sum(max.size());
      kernel.tensors = {v.data(), u.data(), w.data(), max.data(), sum.data()};
      runEveryWay(kernel, block, {&max, &sum});
      std::vector<double> expectedMax(max.size()), expectedSum(max.size());
      forEachEdge(block, [&](int64_t row, int64_t edge, int64_t col) {
        std::vector<double> of = product(&u[col * in], &v[row * in], w, in, width);
        for (int64_t i = 0; i < width; ++i) {
          double &best = expectedMax[row * width + i];
          best = edge == block.offsets[row] ? of[i] + 1 : std::max(best, of[i] + 1);
          expectedSum[row * width + i] += of[i];
        }
      });
      checkClose(max, expectedMax, 1e-5);
      checkClose(sum, expectedSum, 1e-5);
    });
}

TEST_CASE("products that edges go on with") {
  // The first product is a result of the edges, and what the second multiplies, by the same parameter.
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination
        inputs [#star.operand<row <V, [in], f32>>, #star.operand<col <V, [in], f32>>, #star.operand<whole <P, [in, @F], f32>>]
        outputs [#star.operand<row <V, [in], f32>>, #star.operand<edge <E, [@F], f32>>] reduce [#gnn.sum] step {
    ^bb0(%v: !gnn.field<D, [in], f32>, %u: !gnn.field<S, [in], f32>, %w: !gnn.field<P, [in, @F], f32>):
      %0 = gnn.add %u, %v : (!gnn.field<S, [in], f32>, !gnn.field<D, [in], f32>) -> !gnn.field<E, [in], f32>
      %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [in], f32>
      %1 = gnn.maximum %0, %zero : (!gnn.field<E, [in], f32>, !gnn.field<P, [in], f32>) -> !gnn.field<E, [in], f32>
      %2 = gnn.matmul %1, %w : (!gnn.field<E, [in], f32>, !gnn.field<P, [in, @F], f32>) -> !gnn.field<E, [@F], f32>
      %3 = gnn.matmul %2, %w transpose_w : (!gnn.field<E, [@F], f32>, !gnn.field<P, [in, @F], f32>) -> !gnn.field<E, [in], f32>
      %4 = gnn.mul %3, %u : (!gnn.field<E, [in], f32>, !gnn.field<S, [in], f32>) -> !gnn.field<E, [in], f32>
      star.contribute [%4] edges [%2] : !gnn.field<E, [in], f32>, !gnn.field<E, [@F], f32>
    } end {
    ^bb0(%v: !gnn.field<V, [in], f32>, %w: !gnn.field<P, [in, @F], f32>, %sum: !gnn.field<V, [in], f32>):
      star.yield %sum : !gnn.field<V, [in], f32>
    })";
  Block block = makeBlock(degrees, numCols, 34);
  for (int64_t in : {3, 20})
    atEveryWidth(
        [&](Target target, int64_t width, const std::string &dim) {
          if (isTooLarge(target, width))
            return;
          Kernel kernel(text(kernelText, dim), target, {{"F", width}, {"in", in}});
          std::vector<float> v = randomNumbers(degrees.size() * in, 35), u = randomNumbers(numCols * in, 36),
                             w = randomNumbers(in * width, 37);
          std::vector<float> sum(degrees.size() * in), edges(block.cols.size() * width);
          kernel.tensors = {v.data(), u.data(), w.data(), sum.data(), edges.data()};
          runEveryWay(kernel, block, sum);
          std::vector<double> expectedSum(sum.size()), expectedEdges(edges.size());
          forEachEdge(block, [&](int64_t row, int64_t edge, int64_t col) {
            std::vector<double> of = product(&u[col * in], &v[row * in], w, in, width);
            std::copy(of.begin(), of.end(), expectedEdges.begin() + edge * width);
            for (int64_t k = 0; k < in; ++k)
              for (int64_t i = 0; i < width; ++i)
                expectedSum[row * in + k] += of[i] * w[k * width + i] * u[col * in + k];
          });
          checkClose(sum, expectedSum, 1e-5);
          checkClose(edges, expectedEdges, 1e-5);
        },
        {2, 16, 33, 70});
}
