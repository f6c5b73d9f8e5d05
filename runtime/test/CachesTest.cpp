//===- CachesTest.cpp - Tests of the caches of devices --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/links/Cliques.h"
#include "runtime/src/sample/UnifiedCache.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace gnn::rt;

namespace {

using Groups = std::vector<std::vector<size_t>>;

Topology linked(size_t devices, const std::vector<std::pair<size_t, size_t>> &pairs) {
  Topology topology;
  for (size_t d = 0; d < devices; ++d)
    topology.addDevice(topology.addSwitch("switch" + std::to_string(d), 0, 16e9, 0), 16e9, 0);
  for (auto [a, b] : pairs)
    topology.addPeerLink(a, b, 50e9, 0);
  return topology;
}

/// Links between all of each group.
std::vector<std::pair<size_t, size_t>> within(const Groups &groups) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (const std::vector<size_t> &group : groups)
    for (size_t a : group)
      for (size_t b : group)
        if (a < b)
          pairs.push_back({a, b});
  return pairs;
}

} // namespace

TEST_CASE("devices with links to each other are one group, the largest first", "[caches]") {
  for (const Groups &groups : {Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}, Groups{{0, 1, 2, 3}, {4, 5, 6, 7}},
                               Groups{{0, 1, 2, 3, 4, 5, 6, 7}}, Groups{{1, 3, 4, 6, 7}, {0, 2, 5}}}) {
    CHECK(cliquesOf(linked(8, within(groups))) == groups);
    auto more = within(groups); // and some links between groups, which make none larger
    if (groups.size() > 1)
      more.push_back(std::minmax(groups[0].back(), groups[1].back()));
    CHECK(cliquesOf(linked(8, more)) == groups);
  }
  CHECK(cliquesOf(linked(3, {})) == Groups{{0}, {1}, {2}});
  CHECK(cliquesOf(linked(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}})) == Groups{{0, 1}, {2, 3}}); // not {0, 3}, {1, 2}
  CHECK(cliquesOf(linked(5, {{0, 1}, {2, 3}, {3, 4}, {2, 4}})) == Groups{{2, 3, 4}, {0, 1}});
}

TEST_CASE("rows go to the device that reads them most and has room, and kinds share its memory", "[caches]") {
  const CachedRowSizes sizes{{28, 20, 12}, {256, 256, 256, 256}};
  // Edges: row 0 is the first device's, row 1 the second one's, row 2 is dealt to the first. Features: rows 1, which is
  // dealt, 0, 2 and 3, which is dealt, are the second one's, which has room for one.
  UnifiedCache cache(sizes, {{1, {4, 0, 1}, {}, {1, 5, 0, 0}}, {1, {1, 3, 1}, {}, {3, 5, 1, 0}}}, {300, 300});
  const std::vector<CountedReads> reads{{1, {5, 4, 3}, {5, 4, 3}, {1, 0, 2, 0}},
                                        {1, {1, 1, 1}, {1, 1, 1}, {1, 1, 1, 1}}};
  const std::vector<double> left = cache.sweep(reads);
  // 15 of edges and 4 for each of 7 rows of features; those of rows 0 and 1 are found.
  CHECK(left[0] == 43 - 4 * 3);
  CHECK(left[4] == 43 - 4 * 3 - 4);          // 12 bytes: row 2 of edges, as hotter ones have no room
  CHECK(left[7] == 43 - 4 * 3 - 4 - 5);      // 21: row 1 as well
  CHECK(left[10] == 43 - 4 * 3 - 6 - 5);     // 30: rows 0 and 1
  CHECK(left[11] == 43 - 4 * 3 - 6 - 5 - 4); // 33: row 2 goes to the second device
  CHECK(left[15] == 43 - 15);                // 255 are left: no row of features
  CHECK(left[100] == 43 - 15);
  CHECK(UnifiedCache::best(left) == 11);

  cache.fill(7);
  CHECK(cache.edgeBytes(0) == 12);
  CHECK(cache.edgeBytes(1) == 20);
  CHECK(cache.featureBytes(0) == 256);
  CHECK(cache.featureBytes(1) == 256);
  const UnifiedCache::Found first = cache.find(reads[0], 0), second = cache.find(reads[1], 1);
  CHECK(first.edges.rows == 12);
  CHECK(first.edges.here == 3);
  CHECK(first.edges.ofPeers == 4);
  CHECK(first.features.hitRate() == 1. / 3);
  CHECK(first.bytes == 2 * 256);
  CHECK(first.transactions == 5 + 2 * 4);
  CHECK(second.edges.here == 1);
  CHECK(second.edges.ofPeers == 1);
  CHECK(second.features.here == 1);
  CHECK(second.features.ofPeers == 1);
  CHECK(second.features.hitRate() == 2. / 4);
  CHECK(double(first.transactions + second.transactions) == left[7]);
}
