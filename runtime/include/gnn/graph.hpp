//===- graph.hpp - Graphs in C++ -------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin owner of gnn_graph_t. Failures throw gnn::Error.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_HPP
#define GNN_GRAPH_HPP

#include "gnn/graph.h"
#include "gnn/tensor.hpp"

namespace gnn {

class Graph {
public:
  Graph() = default;
  /// Takes over the handle.
  explicit Graph(gnn_graph_t *taken) : handle(taken) {}
  Graph(Graph &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Graph &operator=(Graph &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Graph() { gnn_graph_destroy(handle); }

  /// Edge i goes from src[i] to dst[i]; ids are in [0, numVertices). See gnn_graph_from_edges.
  static Graph fromEdges(const std::vector<int64_t> &src, const std::vector<int64_t> &dst, int64_t numVertices,
                         const gnn_graph_options_t *options = nullptr) {
    if (src.size() != dst.size())
      throw Error(GNN_ERROR_ARGUMENT, "src and dst differ in length");
    Graph result;
    check(gnn_graph_from_edges(src.data(), dst.data(), int64_t(src.size()), numVertices, options, &result.handle));
    return result;
  }
  /// Several types of vertices or relations; see gnn_graph_from_schema.
  static Graph fromSchema(const std::vector<gnn_vertices_t> &vertices, const std::vector<gnn_edges_t> &edges) {
    Graph result;
    check(gnn_graph_from_schema(vertices.data(), uint32_t(vertices.size()), edges.data(), uint32_t(edges.size()),
                                &result.handle));
    return result;
  }
  Graph transformed(uint32_t transforms) const {
    Graph result;
    check(gnn_graph_transform(handle, transforms, &result.handle));
    return result;
  }

  int64_t numVertices() const { return gnn_graph_num_vertices(handle); }
  int64_t numEdges() const { return gnn_graph_num_edges(handle); }
  int64_t numEdgeIds() const { return gnn_graph_num_edge_ids(handle); }
  uint32_t numEdgeTypes() const { return gnn_graph_num_edge_types(handle); }
  std::vector<gnn_vertices_t> vertexTypes() const {
    std::vector<gnn_vertices_t> result(gnn_graph_num_vertex_types(handle));
    for (uint32_t i = 0; i < result.size(); ++i)
      check(gnn_graph_vertex_type(handle, i, &result[i]));
    return result;
  }
  std::vector<gnn_edges_t> relations() const {
    std::vector<gnn_edges_t> result(gnn_graph_num_relations(handle));
    for (uint32_t i = 0; i < result.size(); ++i)
      check(gnn_graph_relation(handle, i, &result[i]));
    return result;
  }
  /// Rows are destinations (GNN_TO_DESTINATION) or sources (GNN_TO_SOURCE); borrowed from this graph.
  gnn_block_t block(uint32_t direction) const {
    gnn_block_t block;
    check(gnn_graph_block(handle, direction, &block));
    return block;
  }
  Tensor extendEdges(const Tensor &rows) const {
    gnn_tensor_t *result = nullptr;
    check(gnn_graph_extend_edges(handle, rows.get(), &result));
    return Tensor(result);
  }

  explicit operator bool() const { return handle != nullptr; }
  gnn_graph_t *get() const { return handle; }

private:
  gnn_graph_t *handle = nullptr;
};

} // namespace gnn

#endif // GNN_GRAPH_HPP
