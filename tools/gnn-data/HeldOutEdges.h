//===- HeldOutEdges.h - Edges that become pairs -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of links learns and is tested on pairs. Those that it is tested on must not be edges of its graph, in either
// direction.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_HELDOUTEDGES_H
#define GNN_TOOLS_DATA_HELDOUTEDGES_H

#include "runtime/src/data/ColumnForm.h"
#include "runtime/src/data/Dataset.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// How edges are divided into pairs of "train", "val" and "test".
struct HoldOut {
  std::string split;                  // --split-edges: shares, or boundaries of `times`
  std::vector<double> times;          // of all edges; empty: drawn by `seed`
  std::optional<rt::ColumnForm> form; // of the times
  uint64_t seed = 0;
  bool isOneType = false; // of both ends: an edge may be there in the other direction
};

struct HeldOut {
  std::map<std::string, rt::Tensor> pairs; // i64 [pairs, 2], or with types [pairs, 3]
  std::vector<int64_t> kept;               // the edges of the graph
  int64_t numRepeated = 0;                 // edges that are later than training and that training has as pairs
};

/// Divides the first `numGiven` edges of `data`, an edge index with or without types. Edges between the same vertices,
/// of one type and in either direction, are one pair, which is as early as the first of them. What is no pair of
/// training is taken out of the graph, with all edges between its ends.
HeldOut holdOut(const rt::Dataset &data, int64_t numGiven, const HoldOut &options);

/// Source, type if there is one, and destination of some edges.
rt::Tensor pairsOf(const rt::Tensor &index, const rt::Tensor &types, const std::vector<int64_t> &edges);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_HELDOUTEDGES_H
