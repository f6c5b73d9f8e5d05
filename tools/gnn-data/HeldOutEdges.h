//===- HeldOutEdges.h - Edges that become pairs -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of links is trained and tested on pairs of vertices. The graph that it sees must have no edge between the two
// vertices of a test pair, in either direction.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_HELDOUTEDGES_H
#define GNN_TOOLS_DATA_HELDOUTEDGES_H

#include "runtime/src/data/ColumnForm.h"
#include "runtime/src/data/Dataset.h"
#include "tools/gnn-data/Labels.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// How edges are divided into pairs of "train", "val" and "test".
struct HoldOut {
  std::string split;                  // --split-edges: shares, or boundaries of `times`
  std::vector<double> times;          // of all edges; empty: pairs are drawn at random with `seed`
  std::optional<rt::ColumnForm> form; // of the times
  uint64_t seed = 0;
  bool isOneType = false; // both ends are vertices of one type: (a, b) and (b, a) are the same pair
};

struct HeldOut {
  std::map<std::string, rt::Tensor> pairs; // i64 [pairs, 2], or with types [pairs, 3]
  std::vector<int64_t> kept;               // the edges of the graph
  int64_t numRepeated = 0;                 // later edges that repeat a training pair; they are not in `kept`
  std::optional<Boundaries> boundaries;    // where the division is by time
};

/// Divides the first `numGiven` edges of `data`, an edge index with or without types, into pairs. Edges of one type
/// between the same vertices, in either direction, are one pair, whose time is that of the earliest edge. At random,
/// all pairs of the same vertices come into one split, whatever their types, so that the graph keeps no edge between
/// the vertices of a held-out pair. By time, each pair comes into the split of its time, and the graph keeps the edges
/// that are earlier than the first boundary.
HeldOut holdOut(const rt::Dataset &data, int64_t numGiven, const HoldOut &options);

/// Source, type if there is one, and destination of some edges.
rt::Tensor pairsOf(const rt::Tensor &index, const rt::Tensor &types, const std::vector<int64_t> &edges);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_HELDOUTEDGES_H
