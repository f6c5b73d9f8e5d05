//===- InferencePoolTest.cpp - Tests of what inference keeps --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeLibrary.h"
#include "runtime/src/grow/GrowingGraph.h"
#include "runtime/src/model/Model.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <thread>

using namespace gnn::rt;

namespace {

const std::vector<int64_t> src{0, 1, 2, 3, 0}, dst{1, 2, 3, 0, 2};

Features features() {
  Features result;
  result["x"].dense = Tensor::zeros(GNN_F32, {4, 2});
  return result;
}

struct Opened {
  Opened() : library(Library::fromTable(&fake.library, "fake.so")) { open(); }
  void open() {
    model = std::make_unique<Model>(library, 2);
    model->dims().bind("in", 2, "the test");
    model->initialize(1);
  }

  FakeLibrary fake;
  std::shared_ptr<const Library> library;
  std::unique_ptr<Model> model;
};

/// A graph, and whether its edges are still there.
struct Watched {
  std::shared_ptr<const Graph> graph = Graph::fromEdges(src, dst, 4);
  std::weak_ptr<const EdgeSet> edges = graph->relations()[0].set;
};

} // namespace

TEST_CASE("what inference prepared for a graph goes with the graph") {
  Opened opened;
  Watched first, second;
  const auto answer = [&](const Watched &of) {
    return opened.model->inference().infer(of.graph, features())[0].second;
  };
  const Tensor before = answer(second);
  answer(first);
  opened.model->inference().inferAt(first.graph, features(), "", std::vector<int64_t>{2, 1});
  first.graph = nullptr;
  CHECK(first.edges.expired());
  CHECK(!second.edges.expired());
  CHECK(std::memcmp(answer(second).data(), before.data(), before.bytes()) == 0);
  second.graph = nullptr;
  CHECK(second.edges.expired());
  Watched third;
  answer(third);
}

TEST_CASE("a graph that ends on another thread, and while the model is trained, takes it along") {
  Opened opened;
  Watched first, second;
  opened.model->inference().infer(first.graph, features());
  std::thread([&] { first.graph = nullptr; }).join();
  CHECK(first.edges.expired());
  opened.model->inference().infer(second.graph, features());
  {
    const Model::Use alone(*opened.model);
    second.graph = nullptr;
    CHECK(!second.edges.expired()); // whoever is alone has the engine
  }
  CHECK(second.edges.expired());
}

TEST_CASE("inputs that can't be bound leave nothing of a graph that ended meanwhile") {
  Opened opened;
  Watched first, second;
  opened.model->inference().infer(first.graph, features());
  CHECK_THROWS(opened.model->inference().infer(second.graph, {}));
  first.graph = second.graph = nullptr;
  CHECK(first.edges.expired());
  CHECK(second.edges.expired());
}

TEST_CASE("a graph may end after the models that answered over it, of which there may be many") {
  Opened opened;
  Watched watched;
  for (int i = 0; i < 3; ++i) {
    opened.model->inference().infer(watched.graph, features());
    opened.open();
  }
  watched.graph = nullptr;
  CHECK(watched.edges.expired());
}

TEST_CASE("edges that a growing graph has prepared anew take the place of those before") {
  Opened opened;
  GrowingGraph graph({{"vertex", 4}}, {{"edge", 0, 0, src, dst, {}, 0}}, features(), GrowthOptions{});
  const std::vector<int64_t> asked{1};
  opened.model->inference().inferAt(*graph.snapshot(), {{"", asked}});
  const std::weak_ptr<const EdgeSet> edges = graph.snapshot()->epoch->graph->relations()[0].set;
  graph.append({{}, {}, {{"edge", 0, 0, {src.data(), 1}, {dst.data(), 1}, {}, 0}}});
  graph.compact();
  CHECK(edges.expired());
}
