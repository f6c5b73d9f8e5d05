//===- GraphApi.cpp - The C interface of graphs ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles around gnn::rt::Graph; the contracts are in gnn/graph.h.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Options.h"
#include "runtime/src/graph/GraphSpecs.h"

using namespace gnn::rt;

gnn_status_t gnn_graph_from_edges(const int64_t *src, const int64_t *dst, int64_t num_edges, int64_t num_vertices,
                                  const gnn_graph_options_t *options, gnn_graph_t **out) {
  return guard([&] {
    require(out, GNN_ERROR_ARGUMENT, "out is NULL");
    require(num_edges >= 0, GNN_ERROR_ARGUMENT, "the number of edges is ", num_edges);
    require(num_edges == 0 || (src && dst), GNN_ERROR_ARGUMENT, "src or dst is NULL");
    const gnn_graph_options_t given = readOptions(options, "gnn_graph_from_edges");
    EdgeOptions chosen;
    chosen.transforms = given.transforms;
    chosen.order = given.order;
    chosen.numTypes = given.num_types;
    if (given.edge_type)
      chosen.edgeTypes = {given.edge_type, size_t(num_edges)};
    *out = new gnn_graph_t{Graph::fromEdges({src, size_t(num_edges)}, {dst, size_t(num_edges)}, num_vertices, chosen)};
  });
}

gnn_status_t gnn_graph_transform(const gnn_graph_t *graph, uint32_t transforms, gnn_graph_t **out) {
  return guard([&] {
    require(graph && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_graph_t{Graph::transformed(graph->value, transforms)};
  });
}

gnn_status_t gnn_graph_from_schema(const gnn_vertices_t *vertices, uint32_t num_vertex_types, const gnn_edges_t *edges,
                                   uint32_t num_relations, gnn_graph_t **out) {
  return guard([&] {
    require(out && vertices && (edges || num_relations == 0), GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out =
        new gnn_graph_t{Graph::fromSchema(vertexSetsOf(vertices, num_vertex_types), edgeSpecsOf(edges, num_relations))};
  });
}

void gnn_graph_destroy(gnn_graph_t *graph) { delete graph; }

int64_t gnn_graph_num_vertices(const gnn_graph_t *graph) { return graph->value->numVertices(); }
int64_t gnn_graph_num_edges(const gnn_graph_t *graph) { return graph->value->edgeSet().numEdges(); }
int64_t gnn_graph_num_edge_ids(const gnn_graph_t *graph) { return graph->value->edgeSet().numEdgeIds(); }
uint32_t gnn_graph_num_edge_types(const gnn_graph_t *graph) { return graph->value->edgeSet().numEdgeTypes(); }
uint32_t gnn_graph_transforms(const gnn_graph_t *graph) { return graph->value->edgeSet().transforms(); }

uint32_t gnn_graph_num_vertex_types(const gnn_graph_t *graph) { return uint32_t(graph->value->vertexSets().size()); }
uint32_t gnn_graph_num_relations(const gnn_graph_t *graph) { return uint32_t(graph->value->relations().size()); }

gnn_status_t gnn_graph_vertex_type(const gnn_graph_t *graph, uint32_t index, gnn_vertices_t *out) {
  return guard([&] {
    require(graph && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    require(index < graph->value->vertexSets().size(), GNN_ERROR_ARGUMENT, "no type of vertices of index ", index);
    const VertexSet &set = graph->value->vertexSets()[index];
    *out = {set.name.c_str(), set.count};
  });
}

gnn_status_t gnn_graph_relation(const gnn_graph_t *graph, uint32_t index, gnn_edges_t *out) {
  return guard([&] {
    require(graph && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    require(index < graph->value->relations().size(), GNN_ERROR_ARGUMENT, "no relation of index ", index);
    const Graph::Edges &edges = graph->value->relations()[index];
    *out = {edges.name.c_str(),
            edges.source,
            edges.destination,
            edges.set->numEdgeTypes(),
            0,
            edges.set->numEdges(),
            nullptr,
            nullptr,
            nullptr};
  });
}

gnn_status_t gnn_graph_block(const gnn_graph_t *graph, uint32_t direction, gnn_block_t *out) {
  return guard([&] {
    require(graph && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    require(direction <= GNN_TO_SOURCE, GNN_ERROR_ARGUMENT, "unknown direction ", direction);
    *out = graph->value->edgeSet().relation().block(direction);
  });
}

gnn_status_t gnn_graph_extend_edges(const gnn_graph_t *graph, const gnn_tensor_t *rows, gnn_tensor_t **out) {
  return guard([&] {
    require(graph && rows && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_tensor_t{graph->value->edgeSet().extendEdgeTable(rows->value, "the table of edges")};
  });
}
