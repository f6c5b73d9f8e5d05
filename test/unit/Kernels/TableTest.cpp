//===- TableTest.cpp - Compiled maps with tables and totals ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepTesting.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

using namespace gnnc;
using namespace gnnc::testing;

TEST_CASE("entries of a parameter and of the vertex's own table") {
  constexpr const char *kernelText = R"(
    star.kernel @k map of 0 inputs [#star.operand<row <V, [], i64>>, #star.operand<row <V, [n, @F], f32>>, #star.operand<whole <P, [n, @F], f32>>]
        outputs [#star.operand<row <V, [@F], f32>>, #star.operand<row <V, [@F], f32>>] reduce [] step {
    } end {
    ^bb0(%i: !gnn.field<V, [], i64>, %own: !gnn.field<V, [n, @F], f32>, %table: !gnn.field<P, [n, @F], f32>):
      %0 = gnn.index %table, %i : (!gnn.field<P, [n, @F], f32>, !gnn.field<V, [], i64>) -> !gnn.field<V, [@F], f32>
      %1 = gnn.mul %own, %table : (!gnn.field<V, [n, @F], f32>, !gnn.field<P, [n, @F], f32>) -> !gnn.field<V, [n, @F], f32>
      %2 = gnn.index %1, %i : (!gnn.field<V, [n, @F], f32>, !gnn.field<V, [], i64>) -> !gnn.field<V, [@F], f32>
      star.yield %0, %2 : !gnn.field<V, [@F], f32>, !gnn.field<V, [@F], f32>
    })";
  constexpr int64_t rows = 12;
  for (int64_t n : {0, 4})
    atEveryWidth(
        [&](Target target, int64_t width, const std::string &dim) {
          Kernel kernel(text(kernelText, dim), target, {{"F", width}, {"n", n}});
          std::vector<int64_t> index = {0, 3, 2, 1, -1, 4, 1, 1, INT64_MIN, INT64_MAX, 0, 3};
          std::vector<float> own = randomNumbers(rows * n * width, 1), table = randomNumbers(n * width, 2);
          std::vector<float> picked(rows * width), scaled(rows * width);
          kernel.tensors = {index.data(), own.data(), table.data(), picked.data(), scaled.data()};
          std::vector<char> slot;
          kernel.run(rowsOnly(rows), 0, slot);
          for (int64_t row = 0; row < rows; ++row)
            for (int64_t i = 0; i < width; ++i) {
              bool isInside = index[row] >= 0 && index[row] < n;
              float entry = isInside ? table[index[row] * width + i] : 0;
              float factor = isInside ? own[(row * n + index[row]) * width + i] : 0;
              REQUIRE(picked[row * width + i] == entry);
              REQUIRE(scaled[row * width + i] == factor * entry);
            }
        },
        {1, 7, 16, 40});
}

TEST_CASE("a transposed parameter") {
  constexpr const char *kernelText = R"(
    star.kernel @k map of -1 inputs [#star.operand<whole <P, [3, n, @F], f32>>]
        outputs [#star.operand<row <P, [@F, 3, n], f32>>, #star.operand<row <P, [n, 3, @F], f32>>] reduce [] step {
    } end {
    ^bb0(%w: !gnn.field<P, [3, n, @F], f32>):
      %0 = gnn.transpose %w permutation [2, 0, 1] : !gnn.field<P, [3, n, @F], f32> -> !gnn.field<P, [@F, 3, n], f32>
      %1 = gnn.transpose %w permutation [1, 0, 2] : !gnn.field<P, [3, n, @F], f32> -> !gnn.field<P, [n, 3, @F], f32>
      star.yield %0, %1 : !gnn.field<P, [@F, 3, n], f32>, !gnn.field<P, [n, 3, @F], f32>
    })";
  constexpr int64_t n = 5;
  atEveryWidth(
      [&](Target target, int64_t width, const std::string &dim) {
        Kernel kernel(text(kernelText, dim), target, {{"F", width}, {"n", n}});
        std::vector<float> w = randomNumbers(3 * n * width, 1), last(w.size()), kept(w.size());
        kernel.tensors = {w.data(), last.data(), kept.data()};
        std::vector<char> slot;
        kernel.run(rowsOnly(1), 0, slot);
        for (int64_t i = 0; i < 3; ++i)
          for (int64_t j = 0; j < n; ++j)
            for (int64_t k = 0; k < width; ++k) {
              REQUIRE(last[(k * 3 + i) * n + j] == w[(i * n + j) * width + k]);
              REQUIRE(kept[(j * 3 + i) * width + k] == w[(i * n + j) * width + k]);
            }
      },
      {1, 7, 17});
}

TEST_CASE("ids of vertices") {
  constexpr const char *kernelText = R"(
    star.kernel @k map of 0 inputs [] outputs [#star.operand<row <V, [], i64>>] reduce [] step {
    } end {
      %0 = gnn.vertex_id : !gnn.field<V, [], i64>
      star.yield %0 : !gnn.field<V, [], i64>
    })";
  Kernel kernel(kernelText, Target{Isa::X86_64_V2});
  std::vector<int64_t> ids = {5, 3, 8}, output(3);
  kernel.tensors = {output.data()};
  gnn_block_t block = rowsOnly(3);
  std::vector<char> slot;
  kernel.run(block, 0, slot);
  CHECK(output == std::vector<int64_t>{0, 1, 2});
  block.row_id = ids.data();
  kernel.run(block, 0, slot);
  CHECK(output == ids);
}

TEST_CASE("totals by max and min start from what the slot holds") {
  constexpr const char *kernelText = R"(
    star.kernel @k map of 0 inputs [#star.operand<row <V, [@F], f32>>]
        outputs [#star.operand<whole <P, [@F], f32>>, #star.operand<whole <P, [@F], f32>>] reduce [#gnn.max, #gnn.min] step {
    } end {
    ^bb0(%x: !gnn.field<V, [@F], f32>):
      star.yield %x, %x : !gnn.field<V, [@F], f32>, !gnn.field<V, [@F], f32>
    })";
  constexpr int64_t rows = 50;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  atEveryWidth(
      [&](Target target, int64_t width, const std::string &dim) {
        Kernel kernel(text(kernelText, dim), target, {{"F", width}});
        std::vector<float> x = randomNumbers(rows * width, 1);
        x[20 * width] = NAN;
        kernel.tensors = {x.data(), nullptr, nullptr};
        std::vector<float> totals(2 * width, -infinity);
        std::fill(totals.begin() + width, totals.end(), infinity);
        std::vector<char> slot(kernel.stateBytes);
        REQUIRE(slot.size() == totals.size() * sizeof(float));
        std::memcpy(slot.data(), totals.data(), slot.size());
        kernel.run(rowsOnly(rows), 0, slot);
        std::memcpy(totals.data(), slot.data(), slot.size());
        for (int64_t i = 0; i < width; ++i) {
          float most = -infinity, least = infinity;
          for (int64_t row = 0; row < rows; ++row) {
            most = std::fmax(most, x[row * width + i]);
            least = std::fmin(least, x[row * width + i]);
          }
          if (i == 0) {
            REQUIRE(std::isnan(totals[0]));
            REQUIRE(std::isnan(totals[width]));
          } else {
            REQUIRE(totals[i] == most);
            REQUIRE(totals[width + i] == least);
          }
        }
      },
      {1, 7, 40});
}
