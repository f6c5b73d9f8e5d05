//===- Graph.h - Graphs inside the library ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph: types of vertices and the relations between them, immutable and shared. Most graphs have one of each.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_GRAPH_H
#define GNN_GRAPH_GRAPH_H

#include "runtime/src/graph/EdgeSet.h"
#include "runtime/src/graph/GraphLife.h"
#include <vector>

namespace gnn::rt {

/// The vertices of one type.
struct VertexSet {
  std::string name;
  int64_t count = 0;
};

/// Edges of one relation as they are given; `types` may be empty (none).
struct EdgeSpec {
  std::string name;
  uint32_t source = 0, destination = 0; // vertex sets
  Span<const int64_t> src, dst, types;
  uint32_t numTypes = 0;                             // 0: the largest type + 1
  std::shared_ptr<const EdgeSet> prepared = nullptr; // instead of all these
};

class Graph {
public:
  struct Edges {
    std::string name;
    uint32_t source, destination;
    std::shared_ptr<const EdgeSet> set;
  };

  /// One type of vertices, one relation; the names are "vertex" and "edge".
  static std::shared_ptr<const Graph> fromEdges(Span<const int64_t> src, Span<const int64_t> dst, int64_t numVertices,
                                                const EdgeOptions &options = {});
  static std::shared_ptr<const Graph> fromSet(std::shared_ptr<const EdgeSet> set);
  /// At least one of each. Throws GNN_ERROR_ARGUMENT for two vertex sets of one name and two relations of one name and
  /// the same ends.
  static std::shared_ptr<const Graph> fromSchema(std::vector<VertexSet> vertices, const std::vector<EdgeSpec> &edges);
  /// `graph` with `transforms` applied to its first relation; `graph` itself if that has them.
  static std::shared_ptr<const Graph> transformed(std::shared_ptr<const Graph> graph, uint32_t transforms);

  const std::vector<VertexSet> &vertexSets() const { return vertices; }
  const std::vector<Edges> &relations() const { return edges; }
  /// All edges as they are given or transformed already.
  int64_t numEdges() const;

  /// The number of vertices of the first type; below, the edges of the first relation.
  int64_t numVertices() const { return vertices[0].count; }
  const EdgeSet &edgeSet() const { return *edges[0].set; }

  const GraphLife &life() const { return lived; }

private:
  Graph() = default;

  std::vector<VertexSet> vertices;
  std::vector<Edges> edges;
  GraphLife lived;
};

} // namespace gnn::rt

struct gnn_graph_t {
  std::shared_ptr<const gnn::rt::Graph> value;
};

#endif // GNN_GRAPH_GRAPH_H
