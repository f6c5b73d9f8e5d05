//===- SortEdges.h - Edge lists to CSR -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sort behind every relation: edges by row, each row by (type, col, edge id), in parallel and with one possible
// result.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_SORTEDGES_H
#define GNN_GRAPH_SORTEDGES_H

#include "runtime/src/graph/Relation.h"

namespace gnn::rt {

SortedEdges sortEdges(const EdgeList &edges, int64_t numSources, int64_t numDestinations);

/// Offsets of a direction whose edges nobody asks for: zeros, of which the system has no pages.
Buffer<int64_t> offsetsOfNone(int64_t numRows);

} // namespace gnn::rt

#endif // GNN_GRAPH_SORTEDGES_H
