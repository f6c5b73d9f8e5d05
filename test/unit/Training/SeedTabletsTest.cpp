//===- SeedTabletsTest.cpp - Tests of dealing seeds to devices ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communities of seeds stay together where devices share a cache.
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/SeedTablets.h"
#include "runtime/src/graph/Communities.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace gnn::rt;
using gnn::train_tool::dealSeeds;

using Groups = std::vector<std::vector<size_t>>;

TEST_CASE("communities go to groups of devices, and by hash to those of a group", "[caches]") {
  const int64_t vertices = 40; // the even ones are a community, and the odd ones
  EdgeList edges;
  edges.src = Buffer<uint32_t>(size_t(vertices * (vertices / 2 - 1)));
  edges.dst = Buffer<uint32_t>(edges.src.size());
  size_t count = 0;
  for (int64_t a = 0; a < vertices; ++a)
    for (int64_t b = a % 2; b < vertices; b += 2)
      if (a != b) {
        edges.src[count] = uint32_t(a);
        edges.dst[count++] = uint32_t(b);
      }
  const Relation relation(edges, vertices, vertices, nullptr, nullptr);
  std::vector<int64_t> seeds;
  for (int64_t v = 0; v < vertices; ++v)
    seeds.push_back(v);
  const std::shared_ptr<const VertexOrder> communities = communityOrder(relation);
  auto dealt = [&](const VertexOrder *order, const Groups &groups, size_t pieces = 0) {
    auto tablets = dealSeeds(seeds, order, groups, pieces);
    std::vector<int64_t> all;
    for (const std::vector<int64_t> &tablet : tablets) {
      all.insert(all.end(), tablet.begin(), tablet.end());
      CHECK(tablet.size() >= seeds.size() / tablets.size());
      CHECK(tablet.size() <= seeds.size() / tablets.size() + 1);
    }
    std::sort(all.begin(), all.end());
    CHECK(all == seeds);
    return tablets;
  };
  auto isPure = [](const std::vector<int64_t> &tablet) {
    return std::all_of(tablet.begin(), tablet.end(), [&](int64_t v) { return v % 2 == tablet[0] % 2; });
  };
  const auto pairs = dealt(communities.get(), {{0, 2}, {1, 3}});
  for (const std::vector<int64_t> &tablet : pairs)
    CHECK(isPure(tablet));
  CHECK(pairs[0][0] % 2 == pairs[2][0] % 2);
  CHECK(pairs[0][0] % 2 != pairs[1][0] % 2);
  CHECK_FALSE(isPure(dealt(communities.get(), {{0, 1, 2}})[0]));
  for (const std::vector<int64_t> &tablet : dealt(communities.get(), {{1, 0}}, /*pieces=*/1))
    CHECK(isPure(tablet));
  CHECK_FALSE(isPure(dealt(nullptr, {{0}, {1}, {2}})[0]));
}
