//===- HugePagesTest.cpp - Tests of large tables on large pages -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/HugePages.h"
#include "FakeData.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <sys/mman.h>

using namespace gnn::rt;

namespace {

constexpr int64_t rows = 20000, width = 256;
constexpr size_t bytes = rows * width * sizeof(float); // nearly ten huge pages

/// A table on small pages, as most allocators make it.
Tensor onSmallPages() {
  void *data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(data != MAP_FAILED);
  std::shared_ptr<void> owner(data, [](void *mapped) { munmap(mapped, bytes); });
  auto *values = static_cast<float *>(data);
  for (int64_t i = 0; i < rows * width; ++i)
    values[i] = float(i % 1000);
  return Tensor::view(owner, data, GNN_F32, {rows, width});
}

/// Kibibytes of huge pages of this process; -1: the system does not say.
int64_t hugeKibibytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  for (std::string word; file >> word;)
    if (int64_t amount; word == "AnonHugePages:" && file >> amount)
      return amount;
  return -1;
}

} // namespace

TEST_CASE("features of the application move to huge pages when a model is bound to them, and stay as they are") {
  Tensor probe = onSmallPages();
  const int64_t before = hugeKibibytes();
  moveToHugePages(probe.data(), probe.bytes());
  if (before < 0 || hugeKibibytes() <= before) {
    WARN("skipped: this system moves nothing to huge pages");
    return;
  }
  FakeLibrary fake;
  FakeData data(rows, 1000, GNN_ORDER_GIVEN, width);
  Tensor features = data.features["x"].dense = onSmallPages();
  const int64_t small = hugeKibibytes();
  FakeRun run(fake, data, GNN_PROGRAM_INFER, 1);
  CHECK(run.binding.data(FakeLibrary::X).data() == features.data());
  CHECK(hugeKibibytes() >= small + 8 * 2048);
  CHECK(features.data<float>()[rows * width - 1] == float((rows * width - 1) % 1000));
}

TEST_CASE("what is smaller than huge pages, or no memory at all, stays where it is") {
  float value = 1;
  moveToHugePages(&value, sizeof value);
  moveToHugePages(nullptr, 0);
  CHECK(value == 1);
}
