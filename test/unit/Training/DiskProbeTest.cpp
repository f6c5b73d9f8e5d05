//===- DiskProbeTest.cpp - How fast a disk is -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/DiskProbe.h"
#include "runtime/test/TemporaryFolder.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;
using namespace gnn::train_tool;

TEST_CASE("the rate of a disk is that of all it does, also where it goes by jerks") {
  std::vector<std::pair<double, double>> even, byJerks;
  for (int i = 0; i <= 400; ++i) {
    even.emplace_back(i * 10, i * 0.1);                             // 100 a second
    byJerks.emplace_back(i * 10, double(i / 40) + i % 40 * 0.0005); // 400 in 20 ms, then nothing for the second
  }
  CHECK(rateOf(even) == Approx(100));
  CHECK(rateOf(byJerks) == Approx(400).epsilon(0.02));
  CHECK(rateOf({{0, 0}, {10, 1}}) == Approx(10));
}

TEST_CASE("the rates of a disk are those of a file in a folder, which is gone then") {
  TemporaryFolder folder;
  const DiskRates rates = measureDisk(folder.path(), size_t(16) << 20);
  CHECK((rates.reads > 0 && rates.writes > 0));
  CHECK(folder.names().empty());
  CHECK_THROWS_WITH(measureDisk(folder.path("none"), 1), Catch::Contains("none"));
}
