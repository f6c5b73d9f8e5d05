//===- Graph.cpp - Graphs inside the library -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/Graph.h"
#include "runtime/src/core/Guard.h"

using namespace gnn::rt;

std::shared_ptr<const Graph> Graph::fromEdges(Span<const int64_t> src, Span<const int64_t> dst, int64_t numVertices,
                                              const EdgeOptions &options) {
  return fromSet(EdgeSet::fromEdges(src, dst, numVertices, options));
}

std::shared_ptr<const Graph> Graph::fromSet(std::shared_ptr<const EdgeSet> set) {
  std::shared_ptr<Graph> graph(new Graph);
  graph->vertices.push_back({"vertex", set->relation().numDestinations()});
  graph->edges.push_back({"edge", 0, 0, std::move(set)});
  return graph;
}

std::shared_ptr<const Graph> Graph::fromSchema(std::vector<VertexSet> vertices, const std::vector<EdgeSpec> &edges) {
  require(!vertices.empty() && !edges.empty(), GNN_ERROR_ARGUMENT, "a graph needs a type of vertices and a relation");
  for (size_t i = 0; i < vertices.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      require(vertices[i].name != vertices[j].name, GNN_ERROR_ARGUMENT, "two types of vertices are called '",
              vertices[i].name, "'");
  std::shared_ptr<Graph> graph(new Graph);
  for (const EdgeSpec &spec : edges) {
    require(spec.source < vertices.size() && spec.destination < vertices.size(), GNN_ERROR_ARGUMENT, "relation '",
            spec.name, "' has an end that is no type of vertices");
    for (const Edges &other : graph->edges)
      require(other.name != spec.name || other.source != spec.source || other.destination != spec.destination,
              GNN_ERROR_ARGUMENT, "two relations ", vertices[spec.source].name, " -", spec.name, "-> ",
              vertices[spec.destination].name);
    EdgeOptions options;
    options.numTypes = spec.numTypes;
    options.edgeTypes = spec.types;
    int64_t sources = vertices[spec.source].count, destinations = vertices[spec.destination].count;
    try {
      graph->edges.push_back({spec.name, spec.source, spec.destination,
                              spec.prepared ? spec.prepared
                              : spec.source == spec.destination
                                  ? EdgeSet::fromEdges(spec.src, spec.dst, sources, options)
                                  : EdgeSet::between(spec.src, spec.dst, sources, destinations, options)});
    } catch (const gnn::Error &error) {
      fail(error.code(), "relation '", spec.name, "': ", error.what());
    }
  }
  graph->vertices = std::move(vertices);
  return graph;
}

std::shared_ptr<const Graph> Graph::transformed(std::shared_ptr<const Graph> graph, uint32_t transforms) {
  auto set = EdgeSet::transformed(graph->edges[0].set, transforms);
  if (set == graph->edges[0].set)
    return graph;
  std::shared_ptr<Graph> result(new Graph);
  result->vertices = graph->vertices;
  result->edges = graph->edges;
  result->edges[0].set = std::move(set);
  return result;
}

int64_t Graph::numEdges() const {
  int64_t count = 0;
  for (const Edges &relation : edges)
    count += relation.set->numEdges();
  return count;
}
