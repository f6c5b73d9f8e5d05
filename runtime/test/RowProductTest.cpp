//===- RowProductTest.cpp - Tests of products whose rows stand alone ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/RowProduct.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/cpu/Product.h"

#include "gnn/program.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace gnn::rt;

namespace {

std::vector<float> numbers(int64_t count, RandomSequence &random) {
  std::vector<float> made;
  for (int64_t i = 0; i < count; ++i)
    made.push_back(float(random.below(2001)) / 1000 - 1);
  return made;
}

} // namespace

TEST_CASE("A row of a product has the same bits whatever rows are beside it", "[cpu][product]") {
  RandomSequence random(3);
  for (const char *isa : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
    if (isa[8] == '3' && !__builtin_cpu_supports("x86-64-v3"))
      continue;
    if (isa[8] == '4' && !__builtin_cpu_supports("x86-64-v4"))
      continue;
    for (const auto &[n, k] : {std::pair<int64_t, int64_t>{128, 64}, {7, 33}, {1, 5}, {65, 1}, {40, 0}})
      for (bool transposeB : {false, true}) {
        const int64_t most = 29;
        const std::vector<float> a = numbers(most * k, random), b = numbers(k * n, random);
        std::vector<float> all(size_t(most * n), NAN), expected(all);
        multiplyRowsAlone(isa, transposeB, most, n, k, a.data(), b.data(), all.data());
        multiply(GNN_F32, transposeB, most, n, k, a.data(), b.data(), expected.data());
        for (size_t i = 0; i < all.size(); ++i)
          CHECK(std::abs(all[i] - expected[i]) <= 1e-4f);
        for (int64_t first = 0; first < most; first += 3)
          for (int64_t m = 1; first + m <= most; ++m) {
            std::vector<float> some(size_t(m * n), NAN);
            multiplyRowsAlone(isa, transposeB, m, n, k, a.data() + first * k, b.data(), some.data());
            CHECK(std::equal(some.begin(), some.end(), all.begin() + first * n));
          }
      }
  }
}
