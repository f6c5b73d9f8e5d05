//===- CommunitiesTest.cpp - Tests of the order by communities --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planted communities come to lie together, at any number of threads; graphs that have none get some order all the
// same; and edges that are sorted come into an order as they do when they are sorted in it.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/Communities.h"

#include "ListedEdges.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <tbb/global_control.h>

using namespace gnn::rt;

namespace {

/// Which vertex comes where.
Ids communityIds(const ListedEdges &list) {
  auto order = communityOrder(list.set()->relation());
  for (size_t i = 0; i < order->id.size(); ++i)
    REQUIRE(order->local[size_t(order->id[i])] == i);
  Ids ids(order->id.begin(), order->id.end()), all(size_t(list.vertices));
  Ids sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  REQUIRE(sorted == all);
  return ids;
}

/// `count` communities of `size` vertices, numbered at random, with `within` edges of each vertex inside, `across` to
/// anywhere. `of`: the community of each.
ListedEdges planted(int64_t count, int64_t size, int within, int across, Ids &of, bool isSymmetric = true) {
  std::mt19937 random(7);
  ListedEdges list{count * size, {}, {}};
  Ids number(size_t(list.vertices));
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), random);
  of.assign(number.size(), 0);
  for (int64_t v = 0; v < list.vertices; ++v) {
    of[size_t(number[size_t(v)])] = v / size;
    for (int i = 0; i < within + across; ++i) {
      const int64_t u = i < within ? v / size * size + int64_t(random() % size) : int64_t(random() % list.vertices);
      list.add(number[size_t(u)], number[size_t(v)]);
      if (isSymmetric)
        list.add(number[size_t(v)], number[size_t(u)]);
    }
  }
  return list;
}

/// How often the next vertex is of another community.
int64_t changes(const Ids &ids, const Ids &of) {
  int64_t count = 0;
  for (size_t i = 1; i < ids.size(); ++i)
    count += of[size_t(ids[i])] != of[size_t(ids[i - 1])];
  return count;
}

} // namespace

TEST_CASE("planted communities lie together") {
  const bool isSymmetric = GENERATE(true, false);
  Ids of;
  const ListedEdges list = planted(/*count=*/50, /*size=*/40, /*within=*/8, /*across=*/2, of, isSymmetric);
  Ids given(of.size());
  std::iota(given.begin(), given.end(), 0);
  CHECK(changes(given, of) > 1900); // as good as everywhere
  CHECK(changes(communityIds(list), of) < 80);
}

TEST_CASE("the order by communities does not depend on the number of threads") {
  Ids of;
  const ListedEdges list = planted(/*count=*/40, /*size=*/500, /*within=*/6, /*across=*/6, of);
  std::vector<Ids> orders;
  for (size_t threads : {1, 2, 4}) {
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    orders.push_back(communityIds(list));
  }
  CHECK(orders[1] == orders[0]);
  CHECK(orders[2] == orders[0]);
}

TEST_CASE("communities of a ring of cliques are the cliques") {
  constexpr int64_t count = 30, size = 5;
  ListedEdges ring{count * size, {}, {}};
  Ids of(size_t(ring.vertices));
  for (int64_t v = 0; v < ring.vertices; ++v) {
    of[size_t(v)] = v % count; // clique c has c, c + count, ...
    for (int64_t u = v % count; u < v; u += count)
      ring.add(u, v);
  }
  for (int64_t c = 0; c < count; ++c)
    ring.add(c, (c + 1) % count + count);
  CHECK(changes(communityIds(ring), of) == count - 1);
}

TEST_CASE("graphs without communities have an order all the same") {
  ListedEdges none{0, {}, {}}, one{1, {0}, {0}}, alone{5, {}, {}};
  CHECK(communityIds(none).empty());
  CHECK(communityIds(one) == Ids{0});
  CHECK(communityIds(alone) == Ids{0, 1, 2, 3, 4});
  ListedEdges loops{4, {0, 1, 2, 3, 3}, {0, 1, 2, 3, 3}};
  CHECK(communityIds(loops) == Ids{0, 1, 2, 3});
  ListedEdges star{1000, {}, {}}, repeated{3, {}, {}}, apart{6, {0, 2}, {4, 5}};
  for (int64_t v = 1; v < star.vertices; ++v)
    star.add(v, 0);
  communityIds(star);
  for (int i = 0; i < 100; ++i)
    repeated.add(2, 0);
  CHECK(communityIds(repeated) == Ids{0, 2, 1});
  CHECK(communityIds(apart) == Ids{0, 4, 1, 2, 5, 3});
  Ids of;
  communityIds(planted(/*count=*/1, /*size=*/3000, /*within=*/5, /*across=*/0, of)); // a random graph
}

TEST_CASE("sorted edges come into another order as edges do that are sorted in it") {
  const uint32_t transforms =
      GENERATE(0u, uint32_t(GNN_GRAPH_SELF_LOOPS), uint32_t(GNN_GRAPH_SYMMETRIC | GNN_GRAPH_INVERSE_RELATIONS),
               uint32_t(GNN_GRAPH_INVERSE_RELATIONS | GNN_GRAPH_SELF_LOOPS));
  std::mt19937 random(3);
  ListedEdges list{70, {}, {}};
  Ids types;
  for (int i = 0; i < 600; ++i) {
    list.add(int64_t(random() % 70), int64_t(random() % 70 * (random() % 70) / 70));
    types.push_back(int64_t(random() % 3));
  }
  for (uint32_t order : {GNN_ORDER_DEGREE, GNN_ORDER_LOCALITY, GNN_ORDER_COMMUNITY}) {
    EdgeOptions options;
    options.transforms = transforms;
    options.edgeTypes = types;
    auto given = EdgeSet::fromEdges(list.src, list.dst, list.vertices, options);
    options.order = order;
    auto atOnce = EdgeSet::fromEdges(list.src, list.dst, list.vertices, options),
         later = EdgeSet::reordered(*given, atOnce->order());
    for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE}) {
      const Csr &a = atOnce->relation().csr(direction), &b = later->relation().csr(direction);
      CHECK(std::equal(a.offsets.begin(), a.offsets.end(), b.offsets.begin(), b.offsets.end()));
      CHECK(std::equal(a.cols.begin(), a.cols.end(), b.cols.begin(), b.cols.end()));
      CHECK(std::equal(a.types.begin(), a.types.end(), b.types.begin(), b.types.end()));
      CHECK(std::equal(a.edgeIds.narrow.begin(), a.edgeIds.narrow.end(), b.edgeIds.narrow.begin(),
                       b.edgeIds.narrow.end()));
    }
    CHECK(std::equal(atOnce->addedEdges().begin(), atOnce->addedEdges().end(), later->addedEdges().begin(),
                     later->addedEdges().end()));
    CHECK(later->order() == atOnce->order());
    CHECK(later->transforms() == transforms);
    CHECK(later->numEdgeTypes() == atOnce->numEdgeTypes());
    CHECK(later->numGivenTypes() == 3);
    CHECK(later->numGivenEdges() == 600);
  }
}
