//===- Transforms.h - Edges that models ask for ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symmetry, inverse relations and self loops on an edge list. Which edges are added, with which ids and types, is
// specified in gnn/graph.h.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_TRANSFORMS_H
#define GNN_GRAPH_TRANSFORMS_H

#include "runtime/src/graph/Relation.h"

namespace gnn::rt {

/// All GNN_GRAPH_* transforms.
constexpr uint32_t knownTransforms = GNN_GRAPH_SELF_LOOPS | GNN_GRAPH_SYMMETRIC | GNN_GRAPH_INVERSE_RELATIONS |
                                     GNN_GRAPH_ONE_LOOP | GNN_GRAPH_MARK_LOOPS | GNN_GRAPH_NO_LOOPS |
                                     GNN_GRAPH_LOOP_KINDS;

/// Under these each vertex has a loop.
constexpr uint32_t loopsForAll = GNN_GRAPH_SELF_LOOPS | GNN_GRAPH_ONE_LOOP | GNN_GRAPH_LOOP_KINDS;

/// An edge list that grows by transforms.
struct GrowingEdges {
  EdgeList edges;
  Buffer<int64_t> addedFrom; // for each edge after the given ones: the given edge it mirrors, -1 for a new self loop
  uint32_t numTypes = 0;     // 0: no types

  size_t numGiven() const { return edges.src.size() - addedFrom.size(); }
};

/// How many types edges have under GNN_GRAPH_* `transforms`, of `given` ones in the data.
uint32_t numTypesUnder(uint32_t transforms, uint32_t given);

/// Applies GNN_GRAPH_* `transforms` in their fixed order. `order` is that of the vertices, or null.
void applyTransforms(GrowingEdges &graph, uint32_t transforms, int64_t numVertices, const VertexOrder *order);

} // namespace gnn::rt

#endif // GNN_GRAPH_TRANSFORMS_H
