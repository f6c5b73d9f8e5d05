//===- GraphTest.cpp - Tests of graphs -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sort against a plain one on random graphs, transforms by hand-written examples, validation, and independence of
// the number of threads.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/Graph.h"
#include "gnn/error.hpp"
#include "runtime/src/graph/Partitions.h"
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tuple>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

using Ids = std::vector<int64_t>;

struct RandomEdges {
  Ids src, dst, type;
};

RandomEdges randomEdges(int64_t numVertices, size_t numEdges, uint64_t seed, int64_t numTypes = 1) {
  std::mt19937_64 random(seed);
  RandomEdges edges;
  for (size_t i = 0; i < numEdges; ++i) {
    // Squaring crowds edges onto low ids: hubs.
    double u = double(random() >> 11) * 0x1p-53;
    edges.src.push_back(int64_t(random() % uint64_t(numVertices)));
    edges.dst.push_back(int64_t(u * u * double(numVertices)));
    edges.type.push_back(int64_t(random() % uint64_t(numTypes)));
  }
  return edges;
}

using Edge = std::tuple<int64_t, int64_t, int64_t, int64_t>; // row, type, col, id

std::vector<Edge> edgesOf(const gnn_block_t &block) {
  std::vector<Edge> edges;
  for (int64_t row = 0; row < block.num_rows; ++row)
    for (int64_t i = block.offsets[row]; i < block.offsets[row + 1]; ++i)
      edges.emplace_back(row, block.edge_type ? block.edge_type[i] : 0, block.cols[i], block.edge_id32[i]);
  return edges;
}

EdgeOptions with(uint32_t transforms, uint32_t order = GNN_ORDER_GIVEN) {
  EdgeOptions options;
  options.transforms = transforms;
  options.order = order;
  return options;
}

/// (source, destination, id) by id, in original vertex ids.
std::vector<Ids> listOf(const EdgeSet &graph) {
  gnn_block_t block = graph.relation().block(GNN_TO_DESTINATION);
  std::vector<Ids> list;
  for (auto [row, type, col, id] : edgesOf(block))
    list.push_back({id, block.col_id ? block.col_id[col] : col, block.row_id ? block.row_id[row] : row});
  std::sort(list.begin(), list.end());
  return list;
}

} // namespace

TEST_CASE("both directions are sorted by type, other end and id") {
  auto [numVertices, numEdges] =
      GENERATE(std::make_pair(1, 5), std::make_pair(7, 40), std::make_pair(3000, 20000), std::make_pair(5, 300000));
  bool isTyped = GENERATE(true, false);
  RandomEdges edges = randomEdges(numVertices, size_t(numEdges), 1, isTyped ? 3 : 1);
  EdgeOptions options;
  if (isTyped)
    options.edgeTypes = edges.type;
  auto graph = EdgeSet::fromEdges(edges.src, edges.dst, numVertices, options);
  std::vector<Edge> byDestination, bySource;
  for (int64_t i = 0; i < numEdges; ++i) {
    byDestination.emplace_back(edges.dst[i], edges.type[i], edges.src[i], i);
    bySource.emplace_back(edges.src[i], edges.type[i], edges.dst[i], i);
  }
  std::sort(byDestination.begin(), byDestination.end());
  std::sort(bySource.begin(), bySource.end());
  CHECK(edgesOf(graph->relation().block(GNN_TO_DESTINATION)) == byDestination);
  CHECK(edgesOf(graph->relation().block(GNN_TO_SOURCE)) == bySource);
}

TEST_CASE("threads do not change the prepared graph") {
  RandomEdges edges = randomEdges(2000, 600000, 2);
  auto prepare = [&](size_t threads) {
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    auto graph = EdgeSet::fromEdges(edges.src, edges.dst, 2000, with(GNN_GRAPH_SYMMETRIC | GNN_GRAPH_SELF_LOOPS));
    return edgesOf(graph->relation().block(GNN_TO_SOURCE));
  };
  CHECK(prepare(1) == prepare(4));
}

TEST_CASE("ids out of range are located") {
  CHECK_THROWS_WITH(EdgeSet::fromEdges(Ids{0, 1, 3}, Ids{0, 1, 2}, 3),
                    Contains("edge 2: source 3 is out of range, expected 0 <= source < 3"));
  CHECK_THROWS_WITH(EdgeSet::fromEdges(Ids{0, 1, 2}, Ids{0, -1, -5}, 3), Contains("edge 1: destination -1"));
  Ids many(500000, 0);
  many[400001] = many[300007] = 9;
  CHECK_THROWS_WITH(EdgeSet::fromEdges(many, Ids(500000, 0), 3), Contains("edge 300007: source 9"));
  CHECK_THROWS_AS(EdgeSet::fromEdges(Ids{0}, Ids{}, 3), gnn::Error);
  CHECK_THROWS_AS(EdgeSet::fromEdges(Ids{}, Ids{}, -1), gnn::Error);
  CHECK_THROWS_AS(EdgeSet::fromEdges(Ids{}, Ids{}, int64_t(1) << 32), gnn::Error);
  EdgeOptions options;
  Ids types{0, 2};
  options.edgeTypes = types;
  options.numTypes = 2;
  CHECK_THROWS_WITH(EdgeSet::fromEdges(Ids{0, 1}, Ids{0, 1}, 3, options), Contains("edge 1: type 2"));
}

TEST_CASE("empty graphs are legal") {
  for (int64_t numVertices : {0, 5}) {
    auto graph = EdgeSet::fromEdges(Ids{}, Ids{}, numVertices, with(GNN_GRAPH_SYMMETRIC | GNN_GRAPH_SELF_LOOPS));
    CHECK(graph->relation().numDestinations() == numVertices);
    CHECK(graph->numEdges() == numVertices);
    CHECK(EdgeSet::fromEdges(Ids{}, Ids{}, numVertices)->relation().block(GNN_TO_SOURCE).offsets[numVertices] == 0);
  }
}

TEST_CASE("self loops follow the edges; existing ones keep their ids") {
  auto plain = EdgeSet::fromEdges(Ids{0, 1}, Ids{1, 2}, 3, with(GNN_GRAPH_SELF_LOOPS));
  CHECK(listOf(*plain) == std::vector<Ids>{{0, 0, 1}, {1, 1, 2}, {2, 0, 0}, {3, 1, 1}, {4, 2, 2}});
  auto looped = EdgeSet::fromEdges(Ids{1, 0, 1}, Ids{1, 1, 1}, 3, with(GNN_GRAPH_SELF_LOOPS));
  CHECK(listOf(*looped) == std::vector<Ids>{{0, 1, 1}, {1, 0, 1}, {2, 1, 1}, {3, 0, 0}, {4, 2, 2}});
  CHECK(looped->numEdgeIds() == 5);
}

TEST_CASE("symmetry adds what is missing, as often as it is") {
  auto graph = EdgeSet::fromEdges(Ids{0, 1, 2, 2, 1}, Ids{1, 0, 1, 0, 1}, 3, with(GNN_GRAPH_SYMMETRIC));
  CHECK(listOf(*graph) ==
        std::vector<Ids>{{0, 0, 1}, {1, 1, 0}, {2, 2, 1}, {3, 2, 0}, {4, 1, 1}, {5, 1, 2}, {6, 0, 2}});
  auto multi = EdgeSet::fromEdges(Ids{0, 0}, Ids{1, 1}, 2, with(GNN_GRAPH_SYMMETRIC));
  CHECK(listOf(*multi) == std::vector<Ids>{{0, 0, 1}, {1, 0, 1}, {2, 1, 0}, {3, 1, 0}});
}

TEST_CASE("inverse relations have types of their own") {
  Ids types{0, 1};
  EdgeOptions options = with(GNN_GRAPH_INVERSE_RELATIONS | GNN_GRAPH_SELF_LOOPS);
  options.edgeTypes = types;
  auto graph = EdgeSet::fromEdges(Ids{0, 1}, Ids{1, 2}, 3, options);
  CHECK(listOf(*graph) ==
        std::vector<Ids>{{0, 0, 1}, {1, 1, 2}, {2, 1, 0}, {3, 2, 1}, {4, 0, 0}, {5, 1, 1}, {6, 2, 2}});
  CHECK(graph->numEdgeTypes() == 4); // loops that are added have no type
  std::vector<Edge> edges = edgesOf(graph->relation().block(GNN_TO_DESTINATION));
  CHECK(edges[2] == Edge{1, 0, 0, 0});
  CHECK(edges[3] == Edge{1, 3, 2, 3});
  CHECK(edges[4] == Edge{1, -1, 1, 5});
  CHECK_THROWS_WITH(EdgeSet::fromEdges(Ids{0}, Ids{0}, 1, with(GNN_GRAPH_INVERSE_RELATIONS)), Contains("no types"));
}

TEST_CASE("transforming later is transforming at once") {
  RandomEdges edges = randomEdges(50, 400, 3);
  uint32_t all = GNN_GRAPH_SYMMETRIC | GNN_GRAPH_SELF_LOOPS;
  auto atOnce = EdgeSet::fromEdges(edges.src, edges.dst, 50, with(all));
  auto later = EdgeSet::transformed(EdgeSet::fromEdges(edges.src, edges.dst, 50, with(GNN_GRAPH_SELF_LOOPS)),
                                    GNN_GRAPH_SYMMETRIC);
  CHECK(listOf(*later) == listOf(*atOnce));
  CHECK(later->transforms() == all);
  CHECK(EdgeSet::transformed(later, GNN_GRAPH_SELF_LOOPS) == later);
}

TEST_CASE("all who ask for the same transforms share the edges while one has them") {
  RandomEdges edges = randomEdges(50, 400, 3);
  auto given = EdgeSet::fromEdges(edges.src, edges.dst, 50, with(0, GNN_ORDER_DEGREE));
  auto looped = EdgeSet::transformed(given, GNN_GRAPH_SELF_LOOPS);
  CHECK(EdgeSet::transformed(given, GNN_GRAPH_SELF_LOOPS) == looped);
  CHECK(EdgeSet::transformed(given, GNN_GRAPH_SYMMETRIC) != looped);
  CHECK_FALSE(EdgeSet::transformed(given, GNN_GRAPH_SELF_LOOPS, /*inGivenOrder=*/true)->order());
  std::weak_ptr<const EdgeSet> left = looped;
  looped.reset();
  CHECK(left.expired());
  CHECK(EdgeSet::transformed(given, GNN_GRAPH_SELF_LOOPS)->transforms() == GNN_GRAPH_SELF_LOOPS);
}

TEST_CASE("transforms and partitions may be asked for inside the application's own loops") {
  RandomEdges edges = randomEdges(20000, 100000, 3);
  auto given = EdgeSet::fromEdges(edges.src, edges.dst, 20000);
  std::atomic<int> wrong{0};
  // A thread that waits for a part of one transform must not begin with the next: it holds the lock of the first.
#ifdef GNNC_PLAIN_THREADS
  constexpr int numLoops = 6; // which begin so many threads that a hundred loops take minutes
#else
  constexpr int numLoops = 100;
#endif
  tbb::parallel_for(0, numLoops, [&](int i) {
    auto looped = EdgeSet::transformed(given, i % 2 ? GNN_GRAPH_SELF_LOOPS : GNN_GRAPH_SYMMETRIC);
    wrong += looped->relation().partitions(GNN_TO_DESTINATION, 8, false)->count() != 8;
  });
  CHECK(wrong == 0);
}

TEST_CASE("vertices with a loop get no other, wherever their loops are in a long list") {
  constexpr size_t count = 700000;
  Ids src(count), dst(count);
  for (size_t i = 0; i < count; ++i) {
    src[i] = int64_t(i % 1000);
    dst[i] = i % 70000 == 0 ? src[i] : (src[i] + 1) % 1000; // ten loops at vertex 0
  }
  src[3] = dst[3] = 5;
  auto set = EdgeSet::fromEdges(src, dst, 1001, with(GNN_GRAPH_SELF_LOOPS));
  CHECK(set->numEdges() == int64_t(count) + 999);
  const Csr &csr = set->relation().csr(GNN_TO_DESTINATION);
  auto idOfLoop = [&](int64_t v) {
    for (int64_t e = csr.offsets[size_t(v)]; e < csr.offsets[size_t(v) + 1]; ++e)
      if (csr.cols[size_t(e)] == uint32_t(v))
        return csr.edgeIds[size_t(e)];
    return int64_t(-1);
  };
  CHECK(idOfLoop(0) == 0);
  CHECK(idOfLoop(5) == 3);
  CHECK(idOfLoop(1) == int64_t(count));
  CHECK(idOfLoop(1000) == int64_t(count) + 998);
}

TEST_CASE("degree order is invisible in ids") {
  RandomEdges edges = randomEdges(60, 500, 4);
  uint32_t all = GNN_GRAPH_SYMMETRIC | GNN_GRAPH_SELF_LOOPS;
  auto given = EdgeSet::fromEdges(edges.src, edges.dst, 60, with(all));
  auto ordered = EdgeSet::fromEdges(edges.src, edges.dst, 60, with(all, GNN_ORDER_DEGREE));
  std::vector<Ids> a = listOf(*given), b = listOf(*ordered);
  CHECK(a == b);
  const VertexOrder &order = *ordered->order();
  for (int64_t v = 0; v < 60; ++v)
    CHECK(order.local[order.id[v]] == uint32_t(v));
  std::vector<int64_t> degree(60);
  for (int64_t v : edges.dst)
    ++degree[v];
  for (int64_t v = 1; v < 60; ++v)
    CHECK(degree[order.id[v - 1]] >= degree[order.id[v]]);
}

TEST_CASE("locality order is invisible in ids, and puts neighbours side by side") {
  constexpr int64_t side = 20, count = side * side; // a grid whose vertices are numbered at random
  Ids number(count), src, dst;
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), std::mt19937(3));
  for (int64_t v = 0; v < count; ++v)
    for (int64_t step : {int64_t(1), side})
      if (v + step < count && (step == side || v % side != side - 1)) {
        src.push_back(number[v]);
        dst.push_back(number[v + step]);
      }
  auto given = EdgeSet::fromEdges(src, dst, count, with(GNN_GRAPH_SELF_LOOPS));
  auto ordered = EdgeSet::fromEdges(src, dst, count, with(GNN_GRAPH_SELF_LOOPS, GNN_ORDER_LOCALITY));
  CHECK(listOf(*given) == listOf(*ordered));
  const VertexOrder &order = *ordered->order();
  int64_t widest = 0;
  for (size_t i = 0; i < src.size(); ++i)
    widest = std::max(widest, std::abs(int64_t(order.local[src[i]]) - int64_t(order.local[dst[i]])));
  CHECK(widest <= side + 1);
}

TEST_CASE("an order of vertices can be taken back") {
  RandomEdges edges = randomEdges(60, 500, 9, 3);
  EdgeOptions options = with(GNN_GRAPH_SYMMETRIC, GNN_ORDER_DEGREE),
              plain = with(GNN_GRAPH_SYMMETRIC | GNN_GRAPH_SELF_LOOPS);
  options.edgeTypes = plain.edgeTypes = edges.type;
  auto ordered = EdgeSet::fromEdges(edges.src, edges.dst, 60, options);
  auto back = EdgeSet::transformed(ordered, GNN_GRAPH_SELF_LOOPS, /*inGivenOrder=*/true);
  CHECK(!back->order());
  CHECK(edgesOf(back->relation().block(GNN_TO_SOURCE)) ==
        edgesOf(EdgeSet::fromEdges(edges.src, edges.dst, 60, plain)->relation().block(GNN_TO_SOURCE)));
  CHECK(!EdgeSet::transformed(ordered, 0, /*inGivenOrder=*/true)->order());
  CHECK(EdgeSet::transformed(ordered, GNN_GRAPH_SELF_LOOPS)->order());
}

TEST_CASE("tables over edges are extended for added edges") {
  auto graph = EdgeSet::fromEdges(Ids{0, 1}, Ids{1, 2}, 3, with(GNN_GRAPH_SYMMETRIC | GNN_GRAPH_SELF_LOOPS));
  Tensor rows = graph->extendEdgeTable(Tensor::of<float>({5, 6, 7, 8}, {2, 2}), "w");
  CHECK(rows.shape() == std::vector<int64_t>{7, 2});
  CHECK(std::vector<float>(rows.values<float>().begin(), rows.values<float>().end()) ==
        std::vector<float>{5, 6, 7, 8, 5, 6, 7, 8, 1, 1, 1, 1, 1, 1});
  CHECK_THROWS_WITH(graph->extendEdgeTable(Tensor::of<float>({5}), "w"),
                    Contains("w has the shape [1], expected a row for each of the 2 edges"));
}

TEST_CASE("a graph with a schema has relations between types") {
  Ids writers{0, 1, 1}, papers{2, 0, 2}, types{0, 2, 1}, citing{0}, cited{1};
  auto graph = Graph::fromSchema({{"Author", 2}, {"Paper", 3}},
                                 {{"writes", 0, 1, writers, papers, types}, {"cites", 1, 1, citing, cited, {}}});
  REQUIRE(graph->relations().size() == 2);
  const EdgeSet &writes = *graph->relations()[0].set;
  CHECK(writes.numEdgeTypes() == 3);
  CHECK(writes.relation().numSources() == 2);
  CHECK(edgesOf(writes.relation().block(GNN_TO_DESTINATION)) ==
        std::vector<Edge>{{0, 2, 1, 1}, {2, 0, 0, 0}, {2, 1, 1, 2}});
  CHECK(edgesOf(writes.relation().block(GNN_TO_SOURCE)).size() == 3);
  CHECK(graph->numEdges() == 4);
  CHECK(EdgeSet::transformed(graph->relations()[1].set, GNN_GRAPH_SELF_LOOPS)->numEdges() == 4);
  CHECK_THROWS_WITH(EdgeSet::transformed(graph->relations()[0].set, GNN_GRAPH_SYMMETRIC), Contains("symmetric"));
}

TEST_CASE("a wrong schema is refused") {
  Ids a{0}, b{1}, far{3};
  std::vector<VertexSet> two{{"A", 2}, {"B", 3}};
  CHECK_THROWS_WITH(Graph::fromSchema({{"A", 2}, {"A", 3}}, {{"r", 0, 0, a, b, {}}}), Contains("'A'"));
  CHECK_THROWS_WITH(Graph::fromSchema(two, {{"r", 0, 2, a, b, {}}}), Contains("'r'"));
  CHECK_THROWS_WITH(Graph::fromSchema(two, {{"r", 0, 1, a, far, {}}}),
                    Contains("'r'") && Contains("edge 0: destination 3 is out of range"));
  CHECK_THROWS_WITH(Graph::fromSchema(two, {{"r", 1, 0, a, far, {}}}), Contains("destination 3"));
  CHECK_THROWS_WITH(Graph::fromSchema(two, {{"r", 0, 1, a, b, far, 2}}), Contains("edge 0: type 3 is out of range"));
  CHECK_THROWS_WITH(Graph::fromSchema(two, {{"r", 0, 1, a, b, {}}, {"r", 0, 1, a, b, {}}}), Contains("A -r-> B"));
  CHECK_THROWS_WITH(Graph::fromSchema({{"A", -1}}, {{"r", 0, 0, {}, {}, {}}}), Contains("-1"));
  CHECK_THROWS_WITH(Graph::fromSchema({}, {}), Contains("type of vertices"));
}
