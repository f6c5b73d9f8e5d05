//===- GraphApi.cpp - The C interface of graphs ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles around gnn::rt::Graph; the contracts are in gnn/graph.h.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "runtime/src/graph/Graph.h"

using namespace gnn::rt;

gnn_status_t gnn_graph_from_edges(const int64_t *src, const int64_t *dst, int64_t num_edges, int64_t num_vertices,
                                  const gnn_graph_options_t *options, gnn_graph_t **out) {
  return guard([&] {
    require(out, GNN_ERROR_ARGUMENT, "out is NULL");
    require(num_edges >= 0, GNN_ERROR_ARGUMENT, "the number of edges is ", num_edges);
    require(num_edges == 0 || (src && dst), GNN_ERROR_ARGUMENT, "src or dst is NULL");
    GraphOptions chosen;
    if (options) {
      require(options->size >= sizeof(gnn_graph_options_t), GNN_ERROR_VERSION, "options->size is ", options->size,
              ", expected ", sizeof(gnn_graph_options_t));
      chosen.transforms = options->transforms;
      chosen.order = options->order;
      chosen.numTypes = options->num_types;
      if (options->edge_type)
        chosen.edgeTypes = {options->edge_type, size_t(num_edges)};
    }
    *out = new gnn_graph_t{Graph::fromEdges({src, size_t(num_edges)}, {dst, size_t(num_edges)}, num_vertices, chosen)};
  });
}

gnn_status_t gnn_graph_transform(const gnn_graph_t *graph, uint32_t transforms, gnn_graph_t **out) {
  return guard([&] {
    require(graph && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_graph_t{Graph::transformed(graph->value, transforms)};
  });
}

void gnn_graph_destroy(gnn_graph_t *graph) { delete graph; }

int64_t gnn_graph_num_vertices(const gnn_graph_t *graph) { return graph->value->numVertices(); }
int64_t gnn_graph_num_edges(const gnn_graph_t *graph) { return graph->value->numEdges(); }
int64_t gnn_graph_num_edge_ids(const gnn_graph_t *graph) { return graph->value->numEdgeIds(); }
uint32_t gnn_graph_num_edge_types(const gnn_graph_t *graph) { return graph->value->numEdgeTypes(); }
uint32_t gnn_graph_transforms(const gnn_graph_t *graph) { return graph->value->transforms(); }

gnn_status_t gnn_graph_block(const gnn_graph_t *graph, uint32_t direction, gnn_block_t *out) {
  return guard([&] {
    require(graph && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    require(direction <= GNN_TO_SOURCE, GNN_ERROR_ARGUMENT, "unknown direction ", direction);
    *out = graph->value->relation().block(direction);
  });
}

gnn_status_t gnn_graph_extend_edges(const gnn_graph_t *graph, const gnn_tensor_t *rows, gnn_tensor_t **out) {
  return guard([&] {
    require(graph && rows && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_tensor_t{graph->value->extendEdgeTable(rows->value, "the table of edges")};
  });
}
