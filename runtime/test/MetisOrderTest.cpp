//===- MetisOrderTest.cpp - Tests of the order by METIS's parts -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/MetisOrder.h"

#include "ListedEdges.h"
#include "gnn/error.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <numeric>
#include <random>
#include <thread>
#include <unistd.h>

using namespace gnn::rt;

namespace {

/// Which vertex comes where, checked to be each once.
Ids idsOf(const VertexOrder &order) {
  Ids ids(order.id.begin(), order.id.end()), sorted = ids, all(ids.size());
  for (size_t i = 0; i < ids.size(); ++i)
    REQUIRE(order.local[size_t(ids[i])] == i);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  REQUIRE(sorted == all);
  return ids;
}

/// 64 communities of 32 vertices, whose numbers are at random: each vertex has edges from 8 of its own and from one of
/// any.
ListedEdges planted(Ids &communities) {
  std::mt19937 random(7);
  ListedEdges list{64 * 32, {}, {}};
  Ids number(size_t(list.vertices));
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), random);
  communities.assign(number.size(), 0);
  for (int64_t v = 0; v < list.vertices; ++v) {
    communities[size_t(number[size_t(v)])] = v / 32;
    for (int i = 0; i < 9; ++i) {
      const int64_t u = i < 8 ? v / 32 * 32 + int64_t(random() % 32) : int64_t(random() % list.vertices);
      list.add(number[size_t(u)], number[size_t(v)]);
    }
  }
  return list;
}

std::atomic<int64_t> handled{0}, withoutInfo{0};

void onTerm(int, siginfo_t *info, void *) {
  ++handled;
  withoutInfo += !info;
}

bool hasMetis() {
  if (!whyNoMetis().empty())
    WARN("skipped: " + whyNoMetis());
  return whyNoMetis().empty();
}

} // namespace

TEST_CASE("parts of METIS lie side by side: those of planted communities are these") {
  if (!hasMetis())
    return;
  Ids communities;
  const ListedEdges list = planted(communities);
  const std::shared_ptr<const EdgeSet> set = list.set(GNN_ORDER_METIS);
  const Ids ids = idsOf(*set->order());
  int64_t same = 0;
  for (size_t i = 1; i < ids.size(); ++i)
    same += communities[size_t(ids[i])] == communities[size_t(ids[i - 1])];
  CHECK(same > 64 * 31 * 9 / 10); // at random one of 64
  CHECK(idsOf(*list.set(GNN_ORDER_METIS)->order()) == ids);
}

TEST_CASE("signals reach their handlers while METIS works, and these stay as they were") {
  if (!hasMetis())
    return;
  Ids communities;
  const ListedEdges list = planted(communities);
  const Ids expected = idsOf(*list.set(GNN_ORDER_METIS)->order());
  struct sigaction term {
  }, before{}, after{};
  term.sa_sigaction = onTerm;
  term.sa_flags = SA_SIGINFO | SA_RESTART;
  REQUIRE(sigaction(SIGTERM, &term, &before) == 0);
  std::atomic<bool> isDone{false};
  std::thread other([&] { // to which signals go as well
    while (!isDone) {
      kill(getpid(), SIGTERM);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  });
  const Ids ids = idsOf(*list.set(GNN_ORDER_METIS)->order());
  isDone = true;
  other.join();
  REQUIRE(sigaction(SIGTERM, &before, &after) == 0);
  CHECK(ids == expected);
  CHECK(handled > 0);
  CHECK(withoutInfo == 0);
  CHECK(after.sa_sigaction == onTerm);
  CHECK((after.sa_flags & (SA_SIGINFO | SA_RESTART | int(SA_RESETHAND))) == (SA_SIGINFO | SA_RESTART));
}

TEST_CASE("graphs that METIS can't cut are in the order of ids") {
  if (!hasMetis())
    return;
  for (const ListedEdges &list : {ListedEdges{0, {}, {}}, ListedEdges{5, {}, {}}, ListedEdges{40, {3, 3}, {3, 3}},
                                  ListedEdges{3, {0, 1}, {1, 2}}}) {
    Ids all(size_t(list.vertices));
    std::iota(all.begin(), all.end(), 0);
    CHECK(idsOf(*metisOrder(list.set()->relation())) == all);
  }
}

TEST_CASE("without METIS its order is an error that says why") {
  if (whyNoMetis().empty())
    return;
  CHECK_THROWS_WITH((ListedEdges{3, {0, 1}, {1, 2}}.set(GNN_ORDER_METIS)), "order metis: " + whyNoMetis());
}
