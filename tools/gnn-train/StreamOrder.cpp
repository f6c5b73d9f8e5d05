//===- StreamOrder.cpp - An order of vertices for a stream ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/StreamOrder.h"

#include <cstdio>

namespace gnn::train_tool {

namespace {

/// What preparing an edge in another order takes, as bytes of the file: reading and sorting it, and for communities
/// some passes over all.
constexpr double bytesToSort = 250, bytesToPropagate = 500;
/// An order is tried where the epochs read and write this many times what preparing it takes: the most that is lost
/// where it saves nothing is the inverse of that.
constexpr double leastGain = 10;

double bytesToPrepare(uint32_t order) { return order == GNN_ORDER_COMMUNITY ? bytesToPropagate : bytesToSort; }

} // namespace

const char *nameOfOrder(uint32_t order) {
  return order == GNN_ORDER_DEGREE ? "degree" : order == GNN_ORDER_COMMUNITY ? "community" : "given";
}

StreamOrder chooseStreamOrder(int64_t numEdges, int64_t epochs, const std::vector<uint32_t> &others,
                              const PlanInOrder &planIn) {
  const rt::StreamPlan asGiven = planIn(GNN_ORDER_GIVEN).value();
  const auto given = double(asGiven.cost);
  StreamOrder best{GNN_ORDER_GIVEN, ""};
  double least = given, moved = double(asGiven.moved);
  std::string shares;
  for (uint32_t order : others) {
    const double preparing = double(numEdges) * bytesToPrepare(order);
    if (moved * double(epochs) < leastGain * preparing)
      continue;
    const std::optional<rt::StreamPlan> plan = planIn(order);
    if (!plan)
      continue;
    const auto cost = double(plan->cost);
    char share[40];
    std::snprintf(share, sizeof share, "%s%s %.2f", shares.empty() ? "" : ", ", nameOfOrder(order), cost / given);
    shares += share;
    if (cost >= least || (given - cost) * double(epochs) < preparing)
      continue;
    best.order = order;
    least = cost;
    moved = double(plan->moved);
  }
  best.why = shares.empty() ? "another order has little to gain in these epochs"
                            : "of what the given order reads and writes: " + shares;
  return best;
}

} // namespace gnn::train_tool
