//===- GraphSpecs.h - Parts of a graph as C gives them ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_GRAPHSPECS_H
#define GNN_GRAPH_GRAPHSPECS_H

#include "runtime/src/graph/Graph.h"

#include <vector>

namespace gnn::rt {

/// They throw GNN_ERROR_ARGUMENT for what is NULL or has no name; the arrays are borrowed.
std::vector<VertexSet> vertexSetsOf(const gnn_vertices_t *vertices, uint32_t count);
std::vector<EdgeSpec> edgeSpecsOf(const gnn_edges_t *edges, uint32_t count);

} // namespace gnn::rt

#endif // GNN_GRAPH_GRAPHSPECS_H
