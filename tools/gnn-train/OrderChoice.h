//===- OrderChoice.h - Whether an order of vertices pays --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses between the order that vertices are given in and that by communities, for training over so many epochs. What
// is chosen depends on graph, model and epochs alone, on no machine and no clock: it decides bits.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_ORDERCHOICE_H
#define GNN_TOOLS_TRAIN_ORDERCHOICE_H

#include "runtime/src/graph/EdgeSet.h"
#include "runtime/src/program/Dims.h"

#include <string>

namespace gnn::train_tool {

struct OrderChoice {
  std::shared_ptr<const rt::VertexOrder> order; // null: as given
  std::string why;                          // on a line, for people
};

/// `set` has the only edges of the graph, in memory and in the order of ids; `dims` are finished. Where an order may
/// pay it is made, which takes about a fifth of a microsecond an edge, so that it can be looked at.
OrderChoice chooseOrder(const rt::EdgeSet &set, const rt::Library &library, const rt::Dims &dims, int64_t epochs);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_ORDERCHOICE_H
