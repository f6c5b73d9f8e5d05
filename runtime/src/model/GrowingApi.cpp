//===- GrowingApi.cpp - The C interface of graphs that grow ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles around GrowingGraph and Snapshot; the contracts are in gnn/growing.h.
//
//===----------------------------------------------------------------------===//

#include "gnn/growing.h"
#include "runtime/src/core/Options.h"
#include "runtime/src/graph/GraphSpecs.h"
#include "runtime/src/grow/GrowingGraph.h"
#include "runtime/src/model/Model.h"

using namespace gnn::rt;

struct gnn_growing_graph_t {
  GrowingGraph value;
};

struct gnn_snapshot_t {
  std::shared_ptr<const Snapshot> value;
};

namespace {

Features denseOf(const gnn_input_t *inputs, uint32_t count) {
  require(inputs || count == 0, GNN_ERROR_ARGUMENT, "inputs is NULL");
  Features features;
  for (uint32_t i = 0; i < count; ++i) {
    const gnn_input_t &input = inputs[i];
    require(input.name, GNN_ERROR_ARGUMENT, "input ", i, " has no name");
    require(input.dense, GNN_ERROR_ARGUMENT, "input ", input.name,
            " is not dense: a graph that grows has dense features");
    require(features.emplace(input.name, Feature{input.dense->value.onHost(), std::nullopt}).second, GNN_ERROR_ARGUMENT,
            "input ", input.name, " is given twice");
  }
  return features;
}

} // namespace

extern "C" {

gnn_status_t gnn_growing_graph_create(const gnn_vertices_t *vertices, uint32_t num_vertex_types,
                                      const gnn_edges_t *edges, uint32_t num_relations, const gnn_input_t *inputs,
                                      uint32_t num_inputs, const gnn_growing_options_t *options,
                                      gnn_growing_graph_t **out) {
  return guard([&] {
    require(out, GNN_ERROR_ARGUMENT, "gnn_growing_graph_create: out is NULL");
    const gnn_growing_options_t given = readOptions(options, "gnn_growing_graph_create");
    *out = new gnn_growing_graph_t{
        {vertexSetsOf(vertices, num_vertex_types), edgeSpecsOf(edges, num_relations), denseOf(inputs, num_inputs),
         GrowthOptions{given.is_fixed != 0, given.vertices, given.edges, given.stored_bytes}}};
  });
}

void gnn_growing_graph_destroy(gnn_growing_graph_t *graph) { delete graph; }

gnn_status_t gnn_growing_graph_append(gnn_growing_graph_t *graph, const gnn_vertices_t *vertices,
                                      uint32_t num_vertex_types, const gnn_input_t *inputs, uint32_t num_inputs,
                                      const gnn_edges_t *edges, uint32_t num_relations) {
  return guard([&] {
    require(graph, GNN_ERROR_ARGUMENT, "gnn_growing_graph_append: NULL argument");
    graph->value.append(
        {vertexSetsOf(vertices, num_vertex_types), denseOf(inputs, num_inputs), edgeSpecsOf(edges, num_relations)});
  });
}

gnn_status_t gnn_growing_graph_compact(gnn_growing_graph_t *graph) {
  return guard([&] {
    require(graph, GNN_ERROR_ARGUMENT, "gnn_growing_graph_compact: NULL argument");
    graph->value.compact();
  });
}

gnn_status_t gnn_growing_graph_snapshot(gnn_growing_graph_t *graph, gnn_snapshot_t **out) {
  return guard([&] {
    require(graph && out, GNN_ERROR_ARGUMENT, "gnn_growing_graph_snapshot: NULL argument");
    *out = new gnn_snapshot_t{graph->value.snapshot()};
  });
}

gnn_status_t gnn_growing_graph_stored_snapshot(gnn_growing_graph_t *graph, gnn_model_t *model, gnn_snapshot_t **out) {
  return guard([&] {
    require(graph && model && out, GNN_ERROR_ARGUMENT, "gnn_growing_graph_stored_snapshot: NULL argument");
    Model::Use use(*model->value, Model::Use::Shared);
    std::shared_ptr<const Snapshot> present = graph->value.snapshot();
    std::shared_ptr<const Snapshot> stored = model->value->inference().newestStored(*present);
    *out = new gnn_snapshot_t{stored ? std::move(stored) : std::move(present)};
  });
}

void gnn_snapshot_destroy(gnn_snapshot_t *snapshot) { delete snapshot; }

int64_t gnn_snapshot_num_vertices(const gnn_snapshot_t *snapshot, uint32_t vertex_type) {
  if (!snapshot)
    return -1;
  const std::vector<int64_t> &counts = snapshot->value->vertices;
  return vertex_type < counts.size() ? counts[vertex_type] : -1;
}

int64_t gnn_snapshot_num_edges(const gnn_snapshot_t *snapshot, uint32_t relation) {
  return snapshot && relation < snapshot->value->appended.size() ? snapshot->value->numEdges(relation) : -1;
}

gnn_status_t gnn_snapshot_infer(const gnn_snapshot_t *snapshot, gnn_model_t *model, const gnn_request_t *requests,
                                uint32_t num_requests, gnn_tensor_t **out) {
  return guard([&] {
    require(snapshot && model && ((requests && out) || num_requests == 0), GNN_ERROR_ARGUMENT,
            "gnn_snapshot_infer: NULL argument");
    std::vector<ModelInference::Request> asked;
    for (uint32_t i = 0; i < num_requests; ++i) {
      const gnn_request_t &request = requests[i];
      require(request.num_vertices >= 0 && (request.vertices || request.num_vertices == 0), GNN_ERROR_ARGUMENT,
              "request ", i, " asks for no vertices");
      asked.push_back(
          {request.vertex_type ? request.vertex_type : "", {request.vertices, size_t(request.num_vertices)}});
    }
    Model::Use use(*model->value, Model::Use::Shared);
    std::vector<std::unique_ptr<gnn_tensor_t>> handles;
    for (std::vector<Tensor> &outputs : model->value->inference().inferAt(*snapshot->value, asked))
      for (Tensor &output : outputs)
        handles.push_back(std::make_unique<gnn_tensor_t>(gnn_tensor_t{std::move(output)}));
    for (size_t i = 0; i < handles.size(); ++i)
      out[i] = handles[i].release();
  });
}

static gnn_stored_rows_t stateOf(const ModelInference::StoredState &state) {
  return {sizeof(gnn_stored_rows_t), 0, state.chosen, state.known, state.taken};
}

gnn_status_t gnn_snapshot_store(const gnn_snapshot_t *snapshot, gnn_model_t *model, gnn_stored_rows_t *state) {
  return guard([&] {
    require(snapshot && model, GNN_ERROR_ARGUMENT, "gnn_snapshot_store: NULL argument");
    Model::Use use(*model->value, Model::Use::Shared);
    const gnn_stored_rows_t result = stateOf(model->value->inference().store(*snapshot->value));
    if (state)
      writeStruct(result, state, "gnn_snapshot_store");
  });
}

gnn_status_t gnn_snapshot_stored_rows(const gnn_snapshot_t *snapshot, gnn_model_t *model, gnn_stored_rows_t *state) {
  return guard([&] {
    require(snapshot && model && state, GNN_ERROR_ARGUMENT, "gnn_snapshot_stored_rows: NULL argument");
    Model::Use use(*model->value, Model::Use::Shared);
    writeStruct(stateOf(model->value->inference().store(*snapshot->value, /*onlyCount=*/true)), state,
                "gnn_snapshot_stored_rows");
  });
}

} // extern "C"
