//===- DataDigestTest.cpp - Which data set it is --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/DataDigest.h"
#include "runtime/src/io/Npy.h"
#include "runtime/test/TemporaryFolder.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <set>

using namespace gnn::rt;
using namespace gnn::train_tool;

TEST_CASE("a digest tells data sets apart, however their graph is prepared") {
  TemporaryFolder folder;
  auto put = [&](const std::string &name, const Tensor &tensor) { writeNpy(folder.path(name + ".npy"), tensor); };
  put("edge_index", Tensor::of<int64_t>({0, 1, 1, 2}, {2, 2}));
  put("y", Tensor::of<int64_t>({0, 1, -1}));
  put("x", Tensor::of<float>({1, 2, 3}, {3, 1}));
  auto digest = [&](uint32_t order = GNN_ORDER_GIVEN, uint32_t transforms = 0) {
    auto data = loadDataset(folder.path());
    auto graph = data->takeGraph(transforms, order);
    return digestOf(*data, *graph);
  };
  const uint64_t before = digest();
  CHECK(digest() == before);
  CHECK(digest(GNN_ORDER_DEGREE) == before);
  CHECK(digest(GNN_ORDER_LOCALITY, GNN_GRAPH_SELF_LOOPS | GNN_GRAPH_SYMMETRIC) == before);
  for (int reading = 0; reading < 2; ++reading) { // the second one reads what the first one keeps
    auto kept = loadPrepared(folder.path(), GNN_GRAPH_SELF_LOOPS, GNN_ORDER_DEGREE);
    CHECK(digestOf(*kept, *Graph::fromSet(kept->prepared)) == before);
  }
  SECTION("an edge") { put("edge_index", Tensor::of<int64_t>({0, 1, 1, 0}, {2, 2})); }
  SECTION("its direction") { put("edge_index", Tensor::of<int64_t>({1, 1, 0, 2}, {2, 2})); }
  SECTION("the order of edges, whose features follow it") {
    put("edge_index", Tensor::of<int64_t>({1, 0, 2, 1}, {2, 2}));
  }
  SECTION("a type") { put("edge_type", Tensor::of<int64_t>({0, 1})); }
  SECTION("a label") { put("y", Tensor::of<int64_t>({0, 1, 1})); }
  SECTION("a feature") { put("x", Tensor::of<float>({1, 2, 4}, {3, 1})); }
  SECTION("the shape of a feature") { put("x", Tensor::of<float>({1, 2, 3}, {3})); }
  SECTION("a split") { put("train", Tensor::of<int64_t>({0})); }
  CHECK(digest() != before);
}

TEST_CASE("a digest tells what has the labels, and which edges training sees") {
  TemporaryFolder folder;
  writeNpy(folder.path("edge_index.npy"), Tensor::of<int64_t>({0, 1, 2, 1, 2, 0}, {2, 3}));
  writeNpy(folder.path("y.npy"), Tensor::of<int64_t>({0, 1, 1}));
  std::set<uint64_t> digests;
  for (const char *more : {"", R"(, "labelled": "edge")", R"(, "known_edges": {"train": 1, "val": 2})",
                           R"(, "known_edges": {"train": 1, "val": 3})"}) {
    std::ofstream(folder.path("dataset.json"))
        << R"({"num_vertices": 3, "edge_index": "edge_index.npy", "labels": "y.npy")" << more << "}";
    auto data = loadDataset(folder.path());
    auto graph = data->takeGraph(0, GNN_ORDER_GIVEN);
    digests.insert(digestOf(*data, *graph));
  }
  CHECK(digests.size() == 4);
}

static constexpr uint32_t pagedTransforms[] = {0, GNN_GRAPH_SELF_LOOPS, GNN_GRAPH_ONE_LOOP, GNN_GRAPH_NO_LOOPS,
                                               GNN_GRAPH_LOOP_KINDS};

TEST_CASE("a digest is that of edges in memory, where edges stay in files") {
  constexpr int64_t vertices = 500, edges = 6000;
  TemporaryFolder folder;
  std::mt19937 random(7);
  std::vector<int64_t> ends, types;
  for (int64_t e = 0; e < edges; ++e) {
    types.push_back(int64_t(random() % 3));
    ends.push_back(int64_t(random() % vertices));
  }
  for (int64_t e = 0; e < edges; ++e) // some are loops
    ends.push_back(e % 50 ? int64_t(random() % vertices) : ends[size_t(e)]);
  writeNpy(folder.path("edge_index.npy"), Tensor::of(ends, {2, edges}));
  writeNpy(folder.path("y.npy"), Tensor::zeros(GNN_I64, {vertices}));
  auto check = [&](const PagingOptions &options) {
    const auto whole = loadDataset(folder.path()), paged = openPaged(folder.path(), LeftInFiles::OfAll, &options);
    const auto graphOfWhole = whole->takeGraph(options.transforms, options.order),
               graph = paged->prepared ? Graph::fromSet(paged->prepared) : paged->takeGraph();
    REQUIRE(graph->relations()[0].set->relation().isPaged());
    CHECK(digestOf(*paged, *graph) == digestOf(*whole, *graphOfWhole));
  };
  PagingOptions options;
  options.folder = folder.path();
  for (bool isTyped : {false, true}) {
    if (isTyped)
      writeNpy(folder.path("edge_type.npy"), Tensor::of(types));
    for (uint32_t transforms : pagedTransforms)
      for (uint32_t order : {GNN_ORDER_GIVEN, GNN_ORDER_DEGREE})
        for (size_t workBytes : {size_t(1), size_t(1) << 20}) {
          if (isTyped &&
              transforms == GNN_GRAPH_LOOP_KINDS) // of the data's types, which a graph in memory has no longer
            continue;
          options.transforms = transforms;
          options.order = order;
          options.workBytes = workBytes;
          check(options);
        }
  }
  writeNpy(folder.path("x.npy"), Tensor::zeros(GNN_F32, {vertices, 2}));
  folder.write("dataset.json", R"({
    "vertex_types": {"A": {"features": {"x": "x.npy"}}, "B": {}},
    "relations": [{"name": "like", "source": "A", "destination": "A", "edge_index": "edge_index.npy",
                   "edge_type": "edge_type.npy"},
                  {"name": "to", "source": "A", "destination": "B", "edge_index": "edge_index.npy"}],
    "labelled": "B", "labels": "y.npy"})");
  options.transforms = 0;
  options.order = GNN_ORDER_GIVEN;
  check(options);
}
