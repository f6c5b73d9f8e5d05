//===- growing.hpp - Graphs that grow, in C++ ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thin owners of gnn_growing_graph_t and gnn_snapshot_t. Failures throw gnn::Error.
//
//   gnn::GrowingGraph graph(src, dst, users, {{"x", features}});
//   graph.append({7, 8}, {8, 3});
//   gnn::Tensor logits = graph.snapshot().inferAt(model, {3}).at("logits");
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GROWING_HPP
#define GNN_GROWING_HPP

#include "gnn/growing.h"
#include "gnn/model.hpp"

namespace gnn {

/// Vertices that are asked for together. `vertexType` may be empty where the model has only one.
struct Request {
  std::vector<int64_t> vertices;
  std::string vertexType = "";
};

class Snapshot {
public:
  Snapshot() = default;
  /// Takes over the handle.
  explicit Snapshot(gnn_snapshot_t *taken) : handle(taken) {}
  Snapshot(Snapshot &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Snapshot &operator=(Snapshot &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Snapshot() { gnn_snapshot_destroy(handle); }

  int64_t numVertices(uint32_t vertexType = 0) const { return gnn_snapshot_num_vertices(handle, vertexType); }
  int64_t numEdges(uint32_t relation = 0) const { return gnn_snapshot_num_edges(handle, relation); }

  using Outputs = std::map<std::string, Tensor>;

  /// Rows of the outputs for some vertices, by name (gnn_snapshot_infer).
  Outputs inferAt(Model &model, const std::vector<int64_t> &vertices, const std::string &vertexType = "") const {
    return std::move(inferEach(model, {{vertices, vertexType}})[0]);
  }
  /// The same for each of several requests, with the bits that it has alone.
  std::vector<Outputs> inferEach(Model &model, const std::vector<Request> &requests) const {
    std::vector<gnn_request_t> c;
    for (const Request &request : requests)
      c.push_back({request.vertexType.empty() ? nullptr : request.vertexType.c_str(), request.vertices.data(),
                   int64_t(request.vertices.size())});
    const uint32_t numOutputs = gnn_model_num_outputs(model.get());
    std::vector<gnn_tensor_t *> outputs(size_t(numOutputs) * c.size());
    check(gnn_snapshot_infer(handle, model.get(), c.data(), uint32_t(c.size()), outputs.data()));
    std::vector<Outputs> results(c.size());
    for (size_t i = 0; i < outputs.size(); ++i)
      results[i / numOutputs][gnn_model_output_name(model.get(), uint32_t(i % numOutputs))] = Tensor(outputs[i]);
    return results;
  }

  /// Computes all stored rows that are not known (gnn_snapshot_store).
  gnn_stored_rows_t store(Model &model) const {
    gnn_stored_rows_t state{};
    state.size = sizeof state;
    check(gnn_snapshot_store(handle, model.get(), &state));
    return state;
  }
  /// What is stored, without computing anything.
  gnn_stored_rows_t storedRows(Model &model) const {
    gnn_stored_rows_t state{};
    state.size = sizeof state;
    check(gnn_snapshot_stored_rows(handle, model.get(), &state));
    return state;
  }

  gnn_snapshot_t *get() const { return handle; }

private:
  gnn_snapshot_t *handle = nullptr;
};

class GrowingGraph {
public:
  /// Of one type of vertices and one relation: edge i goes from src[i] to dst[i]. `features` are dense.
  GrowingGraph(const std::vector<int64_t> &src, const std::vector<int64_t> &dst, int64_t numVertices,
               const Inputs &features, const gnn_growing_options_t *options = nullptr)
      : GrowingGraph({{"vertex", numVertices}}, {edgesOf(src, dst)}, features, options) {}
  /// Of several types of vertices or relations, or of edges with types; see gnn_growing_graph_create.
  GrowingGraph(const std::vector<gnn_vertices_t> &vertices, const std::vector<gnn_edges_t> &edges,
               const Inputs &features, const gnn_growing_options_t *options = nullptr) {
    const std::vector<gnn_input_t> c = detail::cInputs(features);
    check(gnn_growing_graph_create(vertices.data(), uint32_t(vertices.size()), edges.data(), uint32_t(edges.size()),
                                   c.data(), uint32_t(c.size()), options, &handle));
  }
  GrowingGraph(GrowingGraph &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  GrowingGraph &operator=(GrowingGraph &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~GrowingGraph() { gnn_growing_graph_destroy(handle); }

  /// To a graph of one type of vertices and one relation: `numVertices` vertices with rows of all features, and edges
  /// among all that there are then.
  void append(const std::vector<int64_t> &src, const std::vector<int64_t> &dst, int64_t numVertices = 0,
              const Inputs &rows = {}) {
    append({{"vertex", numVertices}}, rows, {edgesOf(src, dst)});
  }
  /// See gnn_growing_graph_append.
  void append(const std::vector<gnn_vertices_t> &vertices, const Inputs &rows, const std::vector<gnn_edges_t> &edges) {
    const std::vector<gnn_input_t> c = detail::cInputs(rows);
    check(gnn_growing_graph_append(handle, vertices.data(), uint32_t(vertices.size()), c.data(), uint32_t(c.size()),
                                   edges.data(), uint32_t(edges.size())));
  }
  void compact() { check(gnn_growing_graph_compact(handle)); }
  Snapshot snapshot() const {
    gnn_snapshot_t *taken = nullptr;
    check(gnn_growing_graph_snapshot(handle, &taken));
    return Snapshot(taken);
  }
  /// The newest one that is stored (gnn_growing_graph_stored_snapshot).
  Snapshot storedSnapshot(Model &model) const {
    gnn_snapshot_t *taken = nullptr;
    check(gnn_growing_graph_stored_snapshot(handle, model.get(), &taken));
    return Snapshot(taken);
  }

  gnn_growing_graph_t *get() const { return handle; }

private:
  static gnn_edges_t edgesOf(const std::vector<int64_t> &src, const std::vector<int64_t> &dst) {
    if (src.size() != dst.size())
      throw Error(GNN_ERROR_ARGUMENT, "src and dst differ in length");
    gnn_edges_t edges{};
    edges.name = "edge";
    edges.num_edges = int64_t(src.size());
    edges.src = src.data();
    edges.dst = dst.data();
    return edges;
  }

  gnn_growing_graph_t *handle = nullptr;
};

} // namespace gnn

#endif // GNN_GROWING_HPP
