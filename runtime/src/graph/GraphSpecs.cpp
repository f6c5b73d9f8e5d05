//===- GraphSpecs.cpp - Parts of a graph as C gives them ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/GraphSpecs.h"

#include "runtime/src/core/Guard.h"

namespace gnn::rt {

std::vector<VertexSet> vertexSetsOf(const gnn_vertices_t *vertices, uint32_t count) {
  require(vertices || count == 0, GNN_ERROR_ARGUMENT, "vertices is NULL");
  std::vector<VertexSet> sets;
  for (uint32_t i = 0; i < count; ++i) {
    require(vertices[i].name, GNN_ERROR_ARGUMENT, "vertex type ", i, " has no name");
    sets.push_back({vertices[i].name, vertices[i].count});
  }
  return sets;
}

std::vector<EdgeSpec> edgeSpecsOf(const gnn_edges_t *edges, uint32_t count) {
  require(edges || count == 0, GNN_ERROR_ARGUMENT, "edges is NULL");
  std::vector<EdgeSpec> specs;
  for (uint32_t i = 0; i < count; ++i) {
    const gnn_edges_t &given = edges[i];
    require(given.name, GNN_ERROR_ARGUMENT, "relation ", i, " has no name");
    require(given.num_edges >= 0 && (given.num_edges == 0 || (given.src && given.dst)), GNN_ERROR_ARGUMENT,
            "relation '", given.name, "' has no edges");
    const auto number = size_t(given.num_edges);
    specs.push_back(
        {given.name, given.source, given.destination, {given.src, number}, {given.dst, number}, {}, given.num_types});
    if (given.edge_type)
      specs.back().types = {given.edge_type, number};
  }
  return specs;
}

} // namespace gnn::rt
