//===- PlaceMapTest.cpp - Where vertices that are met have their places ---===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map of places against the standard library's, met and cleared again and again.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/PlaceMap.h"
#include "runtime/src/core/Random.h"

#include <catch2/catch.hpp>
#include <unordered_map>

using namespace gnn::rt;

namespace {

/// Meets `count` vertices, each of `distinct` that are `stride` apart, and compares; then forgets them.
void meetAndForget(PlaceMap &map, RandomSequence &random, int count, uint64_t distinct, uint32_t stride) {
  std::unordered_map<uint32_t, uint32_t> expected;
  std::vector<int64_t> met;
  bool same = true;
  for (int i = 0; i < count; ++i) {
    const auto vertex = uint32_t(random.below(distinct)) * stride;
    const auto [found, isNew] = expected.emplace(vertex, uint32_t(met.size()));
    same &= map.meet(vertex, uint32_t(met.size())) == found->second;
    if (isNew)
      met.push_back(vertex);
  }
  CHECK(same);
  map.clear(met);
}

} // namespace

TEST_CASE("Vertices have the places in which they were met first", "[exec][places]") {
  PlaceMap map;
  RandomSequence random(7);
  for (uint32_t stride : {1u, 64u, 4099u, 1u << 20}) // the last ones wrap around, and are vertices all the same
    for (int count : {0, 1, 100, 5000, 100})
      meetAndForget(map, random, count, /*distinct=*/uint64_t(count) + 1, stride);
}

TEST_CASE("The largest vertex has a place", "[exec][places]") {
  PlaceMap map;
  CHECK(map.meet(UINT32_MAX - 1, 0) == 0);
  CHECK(map.meet(0, 1) == 1);
  CHECK(map.meet(UINT32_MAX - 1, 2) == 0);
}

TEST_CASE("A few vertices are forgotten without going over the memory of many", "[exec][places]") {
  PlaceMap map;
  CHECK(map.bytes() == 0);
  RandomSequence random(1);
  meetAndForget(map, random, 100000, 100000, 1);
  const size_t bytes = map.bytes();
  CHECK(bytes >= 100000);
  meetAndForget(map, random, 10, 10, 1);
  CHECK(map.bytes() == bytes);
}
