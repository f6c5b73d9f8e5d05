//===- StoredGraphsTest.cpp - Tests of what is stored by graph ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/grow/StoredGraphs.h"
#include "runtime/src/grow/GrowingGraph.h"
#include "runtime/src/grow/GrownRows.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace gnn::rt;

namespace {

std::unique_ptr<GrowingGraph> twoVertices() {
  static const std::vector<int64_t> src{0}, dst{1};
  return std::make_unique<GrowingGraph>(std::vector<VertexSet>{{"vertex", 2}},
                                        std::vector<EdgeSpec>{{"edge", 0, 0, src, dst, {}, 0}}, Features{},
                                        GrowthOptions{});
}

void appendEdge(GrowingGraph &graph) {
  static const std::vector<int64_t> src{1}, dst{0};
  graph.append({{}, {}, {{"edge", 0, 0, src, dst, {}, 0}}});
}

} // namespace

TEST_CASE("what is stored of a graph goes with the last of its snapshots") {
  StoredGraphs stored;
  auto graph = twoVertices(), other = twoVertices();
  std::shared_ptr<const Snapshot> first = graph->snapshot();
  stored.put(*first, nullptr);
  stored.serve(*first);
  stored.put(*other->snapshot(), nullptr);
  appendEdge(*graph);
  std::shared_ptr<const Snapshot> second = graph->snapshot(), served = stored.served(*second);
  REQUIRE(served);
  CHECK(served->number == first->number);
  CHECK(stored.find(*second).epoch == second->epoch);
  const std::weak_ptr<const GraphEpoch> epoch = first->epoch;
  CHECK(stored.size() == 2);
  graph = nullptr;
  first = nullptr;
  CHECK(stored.size() == 2);
  second = nullptr; // one that was asked for as stored is a handle, too
  CHECK(stored.size() == 2);
  CHECK(!epoch.expired());
  served = nullptr;
  CHECK(stored.size() == 1);
  CHECK(epoch.expired());
  CHECK(stored.find(*other->snapshot()).epoch == other->snapshot()->epoch);
}

TEST_CASE("an epoch that is prepared anew is of the same graph, and the one before goes when it is served no more") {
  StoredGraphs stored;
  auto graph = twoVertices();
  stored.put(*graph->snapshot(), nullptr);
  stored.serve(*graph->snapshot());
  const std::weak_ptr<const GraphEpoch> epoch = graph->snapshot()->epoch;
  appendEdge(*graph);
  graph->compact();
  stored.put(*graph->snapshot(), nullptr);
  CHECK(stored.size() == 1);
  CHECK(stored.served(*graph->snapshot())->epoch == epoch.lock());
  stored.serve(*graph->snapshot());
  CHECK(epoch.expired());
  graph = nullptr;
  CHECK(stored.size() == 0);
}

TEST_CASE("what is forgotten is stored again, and a graph may end after the model") {
  auto graph = twoVertices();
  {
    StoredGraphs stored;
    stored.put(*graph->snapshot(), nullptr);
    stored.serve(*graph->snapshot());
    stored.clear();
    CHECK(stored.size() == 0);
    CHECK(!stored.find(*graph->snapshot()).epoch);
    CHECK(!stored.served(*graph->snapshot()));
    stored.put(*graph->snapshot(), nullptr);
    CHECK(stored.size() == 1);
  }
  graph = nullptr;
}

TEST_CASE("graphs end while others are stored") {
  StoredGraphs stored;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        auto graph = twoVertices();
        stored.put(*graph->snapshot(), nullptr);
        stored.serve(*graph->snapshot());
        if (!stored.served(*graph->snapshot()))
          FAIL_CHECK("not served");
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(stored.size() == 0);
}
