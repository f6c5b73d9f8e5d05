//===- StreamOrder.h - An order of vertices for a stream --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the order of vertices in which a streamed run reads and writes least, for training over so many epochs. What
// is chosen depends on plans and epochs alone, on no machine and no clock: it decides bits.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_STREAMORDER_H
#define GNN_TOOLS_TRAIN_STREAMORDER_H

#include "gnn/graph.h"
#include "runtime/src/stream/StreamPlanner.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gnn::train_tool {

struct StreamOrder {
  uint32_t order;  // GNN_ORDER_*
  std::string why; // on a line, for people
};

/// As --order has it, of GNN_ORDER_GIVEN, GNN_ORDER_DEGREE and GNN_ORDER_COMMUNITY.
const char *nameOfOrder(uint32_t order);

/// Prepares the edges in an order, GNN_ORDER_*, and says what a run would take then; none: more than the limit.
using PlanInOrder = std::function<std::optional<rt::StreamPlan>(uint32_t order)>;

/// Chooses between the given order and `others`, GNN_ORDER_DEGREE or GNN_ORDER_COMMUNITY. Another order is planned if
/// an epoch's traffic is large beside preparing the edges anew, and chosen if it saves more than that. The given order
/// is planned first, and fits.
StreamOrder chooseStreamOrder(int64_t numEdges, int64_t epochs, const std::vector<uint32_t> &others,
                              const PlanInOrder &planIn);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_STREAMORDER_H
