//===- LoadedEdges.h - Edges of a file in memory ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For who reads the edges of single vertices in any order, as samplers do: a graph whose edges were prepared outside of
// memory, with no more of them in memory than is asked for.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_LOADEDEDGES_H
#define GNN_GRAPH_LOADEDEDGES_H

#include "runtime/src/graph/Graph.h"

namespace gnn::rt {

struct LoadedFields {
  bool ids, toDestination, toSource; // ids of edges; which directions have edges
};

bool hasEdgesInFile(const Graph &graph);

/// Bytes of memory that edges in a file would take, with the offsets of their rows.
uint64_t bytesInMemory(const Graph &graph, const LoadedFields &fields);

/// The graph itself if none of its edges are in files. Throws GNN_ERROR_IO.
std::shared_ptr<const Graph> withEdgesInMemory(std::shared_ptr<const Graph> graph, const LoadedFields &fields);

} // namespace gnn::rt

#endif // GNN_GRAPH_LOADEDEDGES_H
