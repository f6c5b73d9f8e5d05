//===- CandidatePairs.h - One end given, the other any vertex ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A true pair is ranked among all that differ in one end. Such pairs need no list and no sorting: every query has all
// vertices, in order.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_CANDIDATEPAIRS_H
#define GNN_GRAPH_CANDIDATEPAIRS_H

#include "runtime/src/core/Span.h"
#include "runtime/src/graph/Relation.h"

namespace gnn::rt {

/// The common part of all pairs of a query: one end, a local vertex, and the type (0 if pairs have no types).
struct PairQuery {
  uint32_t end;
  int32_t type;

  bool operator<(const PairQuery &other) const { return end != other.end ? end < other.end : type < other.type; }
  bool operator==(const PairQuery &other) const { return end == other.end && type == other.type; }
};

/// The pairs of `queries`, which rise and are below `numEnds`, with each of `numCandidates` local vertices at the other
/// end: the source if `ofSource`. Pair q * numCandidates + v is query q with vertex v; there must be less than 2^32.
SortedEdges candidatePairs(Span<const PairQuery> queries, bool ofSource, int64_t numEnds, int64_t numCandidates,
                           bool hasTypes);

} // namespace gnn::rt

#endif // GNN_GRAPH_CANDIDATEPAIRS_H
