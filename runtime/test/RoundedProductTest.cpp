//===- RoundedProductTest.cpp - Tests of products of bf16 -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Against plain loops over the rounded numbers, in double precision.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/RoundedProduct.h"
#include "runtime/src/core/Narrow.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/cpu/Product.h"
#include "runtime/src/cpu/Tasks.h"
#include "runtime/src/program/Fold.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace gnn::rt;

namespace {

std::vector<float> numbers(int64_t count, RandomSequence &random) {
  std::vector<float> made;
  for (int64_t i = 0; i < count; ++i)
    made.push_back((float(random.below(2000001)) - 1e6f) / 1e6f);
  return made;
}

double rounded(float number) { return widenedBf16(roundedToBf16(number)); }

/// One sum of a product in f32 of `terms` terms of at most 1.
void checkSum(float found, double expected, int64_t terms) {
  CHECK(std::abs(found - expected) <= 1e-6 * std::sqrt(double(terms)) + 1e-6);
}

/// The rows of a product, by any number of threads, put in pieces of 50 rows.
std::vector<float> productOf(bool transposeB, int64_t rows, int64_t n, int64_t k, const std::vector<float> &a,
                             const std::vector<float> &b, unsigned threads, const std::string &isa = "") {
  Team team(threads);
  RoundedProduct product(transposeB, n, k, threads);
  std::vector<float> c(size_t(rows * n), NAN);
  forTasks(team, 1, [&](int64_t, unsigned) { product.begin(b.data(), isa); });
  forTasks(team, (rows + productTileRows - 1) / productTileRows, [&](int64_t tile, unsigned worker) {
    const int64_t begin = tile * productTileRows, end = std::min(begin + productTileRows, rows), piece = 50;
    for (int64_t row = begin; row < end; row += piece)
      product.put(worker, row - begin, std::min(piece, end - row), a.data() + row * k);
    product.multiply(worker, end - begin, c.data() + begin * n);
  });
  return c;
}

} // namespace

TEST_CASE("products multiply what is rounded to bf16, with sums in f32", "[cpu][product]") {
  if (!bf16Instructions())
    WARN("skipped: this processor has no instructions for bf16: the same numbers are multiplied as f32");
  RandomSequence random(5);
  for (const auto &[rows, n, k] : {std::tuple<int64_t, int64_t, int64_t>{300, 16, 64},
                                   {128, 41, 33},
                                   {1, 8, 745},
                                   {129, 1, 1},
                                   {257, 70, 3},
                                   {7, 5, 0},
                                   {0, 4, 4}})
    for (bool transposeB : {false, true}) {
      const std::vector<float> a = numbers(rows * k, random), b = numbers(k * n, random);
      const std::vector<float> c = productOf(transposeB, rows, n, k, a, b, 1);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < n; ++j) {
          double sum = 0;
          for (int64_t p = 0; p < k; ++p)
            sum += rounded(a[size_t(i * k + p)]) * rounded(b[size_t(transposeB ? j * k + p : p * n + j)]);
          checkSum(c[size_t(i * n + j)], sum, k);
        }
      CHECK(productOf(transposeB, rows, n, k, a, b, 3) == c);
    }
}

TEST_CASE("rows that stand alone are of rounded numbers too", "[cpu][product]") {
  RandomSequence random(6);
  const int64_t rows = 140, n = 20, k = 37;
  const std::vector<float> a = numbers(rows * k, random), b = numbers(k * n, random);
  const std::vector<float> all = productOf(false, rows, n, k, a, b, 2, "x86-64-v2");
  const std::vector<float> one = productOf(false, 1, n, k, a, b, 1, "x86-64-v2");
  CHECK(std::equal(one.begin(), one.end(), all.begin()));
  const std::vector<float> together = productOf(false, rows, n, k, a, b, 1);
  for (size_t i = 0; i < all.size(); ++i)
    checkSum(all[i], together[i], k);
}

TEST_CASE("products that are summed over rows begin anew and go on from what is there", "[cpu][product]") {
  RandomSequence random(7);
  for (const auto &[rows, n, k] : {std::tuple<int64_t, int64_t, int64_t>{256, 16, 64}, {600, 41, 33}, {3, 1, 70}}) {
    const std::vector<float> a = numbers(rows * k, random), b = numbers(rows * n, random);
    std::vector<float> c(size_t(k * n), NAN);
    RoundedProductSum product(n, k, 2);
    for (int64_t begin = 0; begin < rows; begin += leastPartialRows) {
      const int64_t end = std::min(begin + leastPartialRows, rows), middle = (begin + end) / 2;
      product.put(1, 0, middle - begin, a.data() + begin * k, b.data() + begin * n);
      product.put(1, middle - begin, end - middle, a.data() + middle * k, b.data() + middle * n);
      product.multiply(1, end - begin, c.data(), /*accumulate=*/begin > 0);
    }
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t i = 0; i < rows; ++i)
          sum += rounded(a[size_t(i * k + p)]) * rounded(b[size_t(i * n + j)]);
        checkSum(c[size_t(p * n + j)], sum, rows);
      }
  }
}
