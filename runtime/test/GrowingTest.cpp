//===- GrowingTest.cpp - Tests of graphs that grow ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gnn/gnn.hpp"
#include <atomic>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <thread>

using Catch::Matchers::Contains;

namespace {

struct Edges {
  std::vector<int64_t> src, dst;

  /// Few vertices, so that there are loops, mirrored and repeated edges; half of them enter or leave one.
  Edges(int64_t count, int64_t vertices, uint64_t seed) {
    std::mt19937_64 random(seed);
    for (int64_t i = 0; i < count; ++i) {
      src.push_back(random() % 4 ? int64_t(random() % uint64_t(vertices)) : 1);
      dst.push_back(random() % 4 ? int64_t(random() % uint64_t(vertices)) : 1);
    }
  }

  std::vector<int64_t> part(const std::vector<int64_t> &of, int64_t begin, int64_t end) const {
    return {of.begin() + begin, of.begin() + end};
  }
};

std::vector<float> valuesOf(const gnn::Tensor &tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.count()};
}

/// Rows of two numbers for vertices [begin, end).
gnn::Tensor featuresOf(int64_t begin, int64_t end) {
  std::vector<float> numbers;
  for (int64_t i = 2 * begin; i < 2 * end; ++i)
    numbers.push_back(float(i * 37 % 101 - 50) / 7);
  return gnn::Tensor::copy<float>(numbers, {end - begin, 2});
}

gnn::Model fakeModel() {
  gnn::Model model(FAKE_MODEL, 1);
  model.bindDim("in", 2);
  model.initialize(3);
  return model;
}

/// The answers for all vertices over a graph that is prepared at once.
std::vector<float> expectedOf(gnn::Model &model, const Edges &edges, int64_t numEdges, int64_t numVertices,
                              const std::vector<int64_t> &asked) {
  const gnn::Graph graph =
      gnn::Graph::fromEdges(edges.part(edges.src, 0, numEdges), edges.part(edges.dst, 0, numEdges), numVertices);
  return valuesOf(model.inferAt(graph, {{"x", featuresOf(0, numVertices)}}, asked).at("logits"));
}

std::vector<int64_t> firstVertices(int64_t count) {
  std::vector<int64_t> vertices;
  for (int64_t v = 0; v < count; ++v)
    vertices.push_back(v);
  return vertices;
}

} // namespace

TEST_CASE("answers over snapshots have the bits of graphs prepared at once") {
  const int64_t all = 4000;
  const Edges edges(all, 40, 11);
  gnn::Model model = fakeModel();
  gnn_growing_options_t options{};
  options.size = sizeof options;
  for (bool isFixed : {false, true}) {
    options.is_fixed = isFixed;
    options.vertices = isFixed ? 2000 : 0;
    options.edges = isFixed ? all : 0;
    gnn::GrowingGraph graph(edges.part(edges.src, 0, 100), edges.part(edges.dst, 0, 100), 40,
                            {{"x", featuresOf(0, 40)}}, &options);
    std::vector<gnn::Snapshot> snapshots;
    snapshots.push_back(graph.snapshot());
    // More than there is room for in the beginning, of both.
    int64_t numEdges = 100, numVertices = 40;
    for (int64_t more : {1, 0, 50, 3000, 20}) {
      const int64_t moreVertices = more == 3000 ? 1500 : more % 7;
      graph.append(edges.part(edges.src, numEdges, numEdges + more), edges.part(edges.dst, numEdges, numEdges + more),
                   moreVertices, {{"x", featuresOf(numVertices, numVertices + moreVertices)}});
      numEdges += more;
      numVertices += moreVertices;
      if (more == 50)
        graph.compact();
      snapshots.push_back(graph.snapshot());
      CHECK(snapshots.back().numEdges() == numEdges);
      CHECK(snapshots.back().numVertices() == numVertices);
    }
    graph.append({numVertices - 1, 3}, {3, numVertices - 1}); // of a vertex that came later
    for (const gnn::Snapshot &snapshot : snapshots) {
      std::vector<int64_t> asked = firstVertices(40);
      asked.push_back(snapshot.numVertices() - 1);
      const std::vector<float> expected = expectedOf(model, edges, snapshot.numEdges(), snapshot.numVertices(), asked);
      CHECK(valuesOf(snapshot.inferAt(model, asked).at("logits")) == expected);
      CHECK_THROWS_WITH(snapshot.inferAt(model, {snapshot.numVertices()}),
                        Contains("the graph has " + std::to_string(snapshot.numVertices())));
    }
  }
}

TEST_CASE("requests that are answered together have the bits that each has alone") {
  const Edges edges(300, 40, 2);
  gnn::Model model = fakeModel();
  gnn::GrowingGraph graph(edges.src, edges.dst, 40, {{"x", featuresOf(0, 40)}});
  graph.append({1, 2, 3}, {3, 3, 4});
  const gnn::Snapshot snapshot = graph.snapshot();
  const std::vector<gnn::Request> requests{{{3}}, {{}}, {{4, 3, 4}, "vertex"}, {firstVertices(40)}};
  const auto together = snapshot.inferEach(model, requests);
  REQUIRE(together.size() == requests.size());
  CHECK(snapshot.inferEach(model, {}).empty());
  CHECK(gnn::Snapshot().numVertices() == -1);
  for (size_t i = 0; i < requests.size(); ++i) {
    CHECK(together[i].at("logits").shape()[0] == int64_t(requests[i].vertices.size()));
    CHECK(valuesOf(together[i].at("logits")) == valuesOf(snapshot.inferAt(model, requests[i].vertices).at("logits")));
  }
}

TEST_CASE("threads read snapshots while others append and compact") {
  const int64_t given = 50, all = 250, vertices = 20;
  const Edges edges(all, vertices, 9);
  gnn::Model model = fakeModel();
  const std::vector<int64_t> asked = firstVertices(vertices);
  std::vector<std::vector<float>> expected(size_t(all) + 1);
  for (int64_t count = given; count <= all; ++count)
    expected[size_t(count)] = expectedOf(model, edges, count, vertices + count - given, asked);
  gnn_growing_options_t options{};
  options.size = sizeof options;
  gnn::GrowingGraph graph(edges.part(edges.src, 0, given), edges.part(edges.dst, 0, given), vertices,
                          {{"x", featuresOf(0, vertices)}}, &options);
  std::atomic<int> wrong{0};
  std::atomic<bool> isOver{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (bool isLast = false; !isLast;) {
        isLast = isOver;
        const gnn::Snapshot snapshot = graph.snapshot();
        wrong += valuesOf(snapshot.inferAt(model, asked).at("logits")) != expected[size_t(snapshot.numEdges())];
        wrong += snapshot.numVertices() != vertices + snapshot.numEdges() - given;
      }
    });
  threads.emplace_back([&] {
    while (!isOver) {
      graph.compact();
      std::this_thread::yield();
    }
  });
  for (int64_t e = given; e < all; ++e) { // a vertex with each edge
    const int64_t vertex = vertices + e - given;
    graph.append({edges.src[size_t(e)]}, {edges.dst[size_t(e)]}, 1, {{"x", featuresOf(vertex, vertex + 1)}});
    std::this_thread::yield();
  }
  isOver = true;
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("what can't be appended changes nothing and says why") {
  const gnn::Tensor x = featuresOf(0, 4);
  gnn_growing_options_t options{};
  options.size = sizeof options;
  options.is_fixed = 1;
  options.vertices = 2;
  options.edges = 3;
  gnn::GrowingGraph graph({0, 1}, {1, 2}, 4, {{"x", x}}, &options);
  auto refuses = [&](const char *why, auto call) {
    CHECK_THROWS_WITH(call(), Contains(why));
    CHECK(graph.snapshot().numVertices() == 4);
    CHECK(graph.snapshot().numEdges() == 2);
  };
  refuses("relation 'edge': edge 1: source 4 is out of range", [&] { graph.append({0, 4}, {0, 0}); });
  refuses("destination -1", [&] { graph.append({0}, {-1}); });
  refuses("2 vertices are appended without x", [&] { graph.append({}, {}, 2); });
  refuses("f32 [3, 2], expected f32 [2, 2]", [&] { graph.append({}, {}, 2, {{"x", featuresOf(0, 3)}}); });
  refuses("no feature y", [&] { graph.append({}, {}, 1, {{"x", featuresOf(0, 1)}, {"y", featuresOf(0, 1)}}); });
  refuses("room for 6 vertices of type 'vertex', not for 7", [&] {
    graph.append({}, {}, 3, {{"x", featuresOf(0, 3)}});
  });
  refuses("room for 5 edges of the relation 'edge', not for 6", [&] { graph.append({0, 1, 2, 3}, {0, 0, 0, 0}); });
  refuses("no vertices of type 'User'", [&] { graph.append({{"User", 1}}, {}, {}); });
  gnn_edges_t edges{};
  edges.name = "knows";
  refuses("no relation 'knows'", [&] { graph.append(std::vector<gnn_vertices_t>{}, {}, {edges}); });
  const int64_t zero[1] = {0};
  edges = {"edge", 0, 0, 0, 0, 1, zero, zero, zero};
  refuses("1 types for 1 edges of 0 types", [&] { graph.append(std::vector<gnn_vertices_t>{}, {}, {edges}); });
  graph.compact(); // which makes no room
  refuses("room for 5 edges", [&] { graph.append({0, 1, 2, 3}, {0, 0, 0, 0}); });
  graph.append({0, 1, 4}, {0, 5, 5}, 2, {{"x", featuresOf(0, 2)}});
  CHECK(graph.snapshot().numEdges() == 5);
  CHECK(gnn_snapshot_num_edges(graph.snapshot().get(), 1) == -1);
  gnn::Model model = fakeModel();
  gnn::GrowingGraph wide({0}, {1}, 4, {{"x", gnn::Tensor::copy<double>(std::vector<double>(8), {4, 2})}});
  CHECK_THROWS_WITH(wide.snapshot().inferAt(model, {1}), Contains("reads x as f32, which is f64"));
  CHECK_THROWS_WITH(gnn::GrowingGraph({0}, {7}, 4, {{"x", x}}), Contains("destination 7"));
  CHECK_THROWS_WITH(gnn::GrowingGraph({0}, {1}, 5, {{"x", x}}), Contains("each of the 5 vertices"));
}

namespace {

gnn::GrowingGraph storingGraph(const Edges &edges, int64_t vertices, int64_t bytes) {
  gnn_growing_options_t options{};
  options.size = sizeof options;
  options.stored_bytes = bytes;
  return {edges.src, edges.dst, vertices, {{"x", featuresOf(0, vertices)}}, &options};
}

} // namespace

TEST_CASE("rows are not stored where they can't be, and that is said") {
  const Edges edges(300, 40, 2);
  gnn::Model model = fakeModel();
  const gnn::GrowingGraph without(edges.src, edges.dst, 40, {{"x", featuresOf(0, 40)}});
  CHECK_THROWS_WITH(without.snapshot().store(model), Contains("no memory for stored rows"));
  CHECK_THROWS_WITH(storingGraph(edges, 40, -1), Contains("-1 bytes"));
  CHECK_THROWS_WITH(storingGraph(edges, 40, 10).snapshot().inferAt(model, {3}),
                    Contains("stored rows of") && Contains("have 10 bytes, but one row of a vertex of type"));
  const gnn::GrowingGraph graph = storingGraph(edges, 40, 1 << 20);
  CHECK(graph.snapshot().store(model).chosen == 0); // of one layer there is no earlier one
}
