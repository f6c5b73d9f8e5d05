//===- PaperDriverTest.cpp - A driver of devices that are not there -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/PaperDriver.h"
#include "runtime/src/cuda/Driver.h"
#include "runtime/test/Machines.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

using namespace gnn::rt;
using namespace gnn::rt::cuda;
using namespace gnn::train_tool;
using namespace machines;

namespace {

/// The driver of a machine, as long as this lives.
struct OnPaper {
  explicit OnPaper(const Topology &topology) { useOnPaper(std::make_shared<const Topology>(topology)); }
  ~OnPaper() { useOnPaper(nullptr); }
  const Driver *operator->() const { return &Driver::get(); }
};

int attributeOf(const OnPaper &driver, int attribute) {
  int value = -1;
  REQUIRE(driver->deviceGetAttribute(&value, attribute, 0) == success);
  return value;
}

} // namespace

TEST_CASE("devices on paper are those of the topology", "[paper]") {
  Topology topology = withoutPeers(switches({2, 1}));
  topology.setReach(0, 1, true);
  topology.kind.arch = 75;
  topology.kind.multiprocessors = 40;
  topology.kind.memoryBytes = 11e9;
  const OnPaper driver(topology);
  CHECK(driver->isOnPaper);
  int count = 0;
  CHECK(driver->deviceGetCount(&count) == success);
  CHECK(count == 3);
  CHECK(attributeOf(driver, attributeMajor) == 7);
  CHECK(attributeOf(driver, attributeMinor) == 5);
  CHECK(attributeOf(driver, attributeMultiprocessors) == 40);
  int value = 0;
  CHECK(driver->deviceGetAttribute(&value, /*attribute=*/-1, 0) == errorInvalidValue);
  size_t free = 0, total = 0;
  CHECK(driver->memoryInfo(&free, &total) == success);
  CHECK((free == size_t(11e9) && total == free));
  int can = -1;
  driver->deviceCanAccessPeer(&can, 0, 1);
  CHECK(can == 1);
  driver->deviceCanAccessPeer(&can, 0, 2);
  CHECK(can == 0);
}

TEST_CASE("memory on paper is of addresses, but for that of this process", "[paper]") {
  const OnPaper driver(switches({1}));
  Address first = 0, second = 0;
  CHECK(driver->allocate(&first, size_t(1) << 40) == success); // more than any machine has
  CHECK(driver->allocate(&second, 1) == success);
  CHECK(second >= first + (Address(1) << 40));
  CHECK(driver->release(first) == success);
  CHECK(driver->release(second) == success);

  void *pinned = nullptr;
  CHECK(driver->hostAllocate(&pinned, 8, 0) == success);
  std::memset(pinned, 1, 8);
  CHECK(driver->hostRelease(pinned) == success);

  std::vector<char> copy(8, 'x'); // what was never computed comes back as zeros
  CHECK(driver->copyToHost(copy.data(), second, copy.size(), nullptr) == success);
  CHECK(std::count(copy.begin(), copy.end(), 0) == 8);
}

TEST_CASE("on paper all that is asked for succeeds but what is recorded", "[paper]") {
  const OnPaper driver(switches({1}));
  Module module = nullptr;
  Function function = nullptr;
  CHECK(driver->moduleLoad(&module, "no code", 0, nullptr, nullptr) == success);
  CHECK(driver->moduleFunction(&function, module, "any") == success);
  CHECK(function != nullptr);
  CHECK(driver->launch(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == success);
  float milliseconds = -1;
  CHECK(driver->eventElapsedTime(&milliseconds, nullptr, nullptr) == success);
  CHECK(milliseconds == 0);
  Graph graph = nullptr; // so executors ask step by step
  CHECK(driver->captureEnd(nullptr, &graph) == errorCaptureUnsupported);
}
