//===- StreamOrderTest.cpp - An order of vertices for a stream ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/StreamOrder.h"

#include <catch2/catch.hpp>
#include <map>

using namespace gnn::rt;
using namespace gnn::train_tool;

namespace {

constexpr uint32_t given = GNN_ORDER_GIVEN, degree = GNN_ORDER_DEGREE, community = GNN_ORDER_COMMUNITY;

/// Plans of a graph of a million edges that read and write so many megabytes an epoch, by order.
struct Plans {
  std::map<uint32_t, uint64_t> megabytes;
  uint32_t tooLarge = UINT32_MAX; // the order in which nothing fits
  std::vector<uint32_t> asked = {};

  StreamOrder choose(int64_t epochs, const std::vector<uint32_t> &others = {degree, community}) {
    asked.clear();
    return chooseStreamOrder(/*numEdges=*/1000000, epochs, others, [&](uint32_t order) -> std::optional<StreamPlan> {
      asked.push_back(order);
      if (order == tooLarge)
        return std::nullopt;
      StreamPlan plan{/*parts=*/4, /*bytes=*/0};
      plan.moved = megabytes.at(order) * 1000000;
      plan.cost = plan.moved + 1000000; // of calls
      return plan;
    });
  }
};

} // namespace

TEST_CASE("of a stream the order is taken that reads and writes least") {
  CHECK(Plans{{{given, 999}, {degree, 499}, {community, 599}}}.choose(100).order == degree);
  CHECK(Plans{{{given, 999}, {degree, 1099}, {community, 249}}}.choose(100).order == community);
  CHECK(Plans{{{given, 999}, {degree, 999}, {community, 1099}}}.choose(100).order == given);
  CHECK(Plans{{{given, 999}, {degree, 499}, {community, 249}}}.choose(100, {degree}).order == degree);
  CHECK(Plans{{{given, 999}, {degree, 499}, {community, 749}}, degree}.choose(100).order == community);
  CHECK(Plans{{{given, 999}, {degree, 499}, {community, 249}}}.choose(100).why ==
        "of what the given order reads and writes: degree 0.50, community 0.25");
}

TEST_CASE("an order is tried where preparing it is little beside the epochs, and taken where it saves more") {
  Plans plans{{{given, 999}, {degree, 499}, {community, 249}}};
  CHECK(plans.choose(2).order == given);
  CHECK(plans.asked == std::vector{given});
  CHECK(plans.choose(2).why == "another order has little to gain in these epochs");
  CHECK(plans.choose(3).order == degree);
  CHECK(plans.asked == std::vector{given, degree});
  CHECK(plans.choose(20).order == community); // what degree has left is enough for another try
  CHECK(plans.asked == std::vector{given, degree, community});
  plans.megabytes[degree] = 990;
  CHECK(plans.choose(3).order == given); // sorting takes more than it saves
  CHECK(plans.choose(50, {degree}).order == degree);
  plans.megabytes[given] = 0; // all is in memory
  CHECK(plans.choose(1000).order == given);
  CHECK(plans.asked == std::vector{given});
}
