//===- dataset.hpp - Data sets in C++ --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin owner of gnn_dataset_t. Failures throw gnn::Error.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATASET_HPP
#define GNN_DATASET_HPP

#include "gnn/dataset.h"
#include "gnn/graph.hpp"
#include "gnn/tensor.hpp"
#include <string>
#include <string_view>

namespace gnn {

/// A sparse [rows, columns] matrix in CSR.
struct SparseFeature {
  Tensor indptr, indices, values;
  int64_t columns = 0;
};

/// The user's ids of vertices, in both directions.
class VertexIds {
public:
  /// Takes over the handle.
  explicit VertexIds(gnn_vertex_ids_t *taken) : handle(taken) {}
  VertexIds(VertexIds &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  VertexIds &operator=(VertexIds &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~VertexIds() { gnn_vertex_ids_destroy(handle); }

  int64_t size() const { return gnn_vertex_ids_count(handle); }
  /// Throws a mismatch if no vertex has this id.
  int64_t find(std::string_view id) const {
    int64_t vertex = 0;
    check(gnn_vertex_ids_find(handle, id.data() ? id.data() : "", id.size(), &vertex));
    return vertex;
  }
  std::string at(int64_t vertex) const {
    const char *text = nullptr;
    uint64_t size = 0;
    check(gnn_vertex_ids_text(handle, vertex, &text, &size));
    return std::string(text, size_t(size));
  }

private:
  gnn_vertex_ids_t *handle = nullptr;
};

class Dataset {
public:
  Dataset() = default;
  /// Takes over the handle.
  explicit Dataset(gnn_dataset_t *taken) : handle(taken) {}
  Dataset(Dataset &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Dataset &operator=(Dataset &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Dataset() { gnn_dataset_destroy(handle); }

  static Dataset load(const std::string &folder) {
    Dataset result;
    check(gnn_dataset_load(folder.c_str(), &result.handle));
    return result;
  }
  /// See gnn_dataset_load_prepared.
  static std::pair<Dataset, Graph> loadPrepared(const std::string &folder, uint32_t transforms = 0,
                                                uint32_t order = GNN_ORDER_GIVEN) {
    Dataset data;
    gnn_graph_t *graph = nullptr;
    check(gnn_dataset_load_prepared(folder.c_str(), transforms, order, &data.handle, &graph));
    return {std::move(data), Graph(graph)};
  }
  static Dataset importNpz(const std::string &path, const gnn_npz_options_t &options) {
    Dataset result;
    check(gnn_dataset_import_npz(path.c_str(), &options, &result.handle));
    return result;
  }
  static Dataset generate(const std::string &kind, const gnn_generate_options_t *options = nullptr) {
    Dataset result;
    check(gnn_dataset_generate(kind.c_str(), options, &result.handle));
    return result;
  }
  void save(const std::string &folder) const { check(gnn_dataset_save(handle, folder.c_str())); }

  std::string name() const { return gnn_dataset_name(handle); }
  int64_t numVertices() const { return gnn_dataset_num_vertices(handle); }
  int64_t numEdges() const { return gnn_dataset_num_edges(handle); }
  int64_t numClasses() const { return gnn_dataset_num_classes(handle); }
  uint32_t numEdgeTypes() const { return gnn_dataset_num_edge_types(handle); }
  std::string labelled() const { return gnn_dataset_labelled(handle); }
  /// See gnn_dataset_known_to.
  Dataset knownTo(const std::string &split) const {
    Dataset result;
    check(gnn_dataset_known_to(handle, split.c_str(), &result.handle));
    return result;
  }

  /// `type` is empty for a data set without a schema.
  VertexIds vertexIds(const std::string &type = "") const {
    gnn_vertex_ids_t *ids = nullptr;
    check(gnn_dataset_vertex_ids(handle, type.empty() ? nullptr : type.c_str(), &ids));
    return VertexIds(ids);
  }
  Graph graph(uint32_t transforms = 0, uint32_t order = GNN_ORDER_GIVEN) const {
    gnn_graph_t *graph = nullptr;
    check(gnn_dataset_graph(handle, transforms, order, &graph));
    return Graph(graph);
  }
  std::vector<gnn_feature_info_t> features() const {
    std::vector<gnn_feature_info_t> result(gnn_dataset_num_features(handle));
    for (uint32_t i = 0; i < result.size(); ++i) {
      result[i].size = sizeof(gnn_feature_info_t);
      check(gnn_dataset_feature_info(handle, i, &result[i]));
    }
    return result;
  }
  Tensor denseFeature(uint32_t domain, const std::string &name) const {
    gnn_tensor_t *tensor = nullptr;
    check(gnn_dataset_dense_feature(handle, domain, name.c_str(), &tensor));
    return Tensor(tensor);
  }
  SparseFeature sparseFeature(const std::string &name) const {
    gnn_tensor_t *indptr = nullptr, *indices = nullptr, *values = nullptr;
    SparseFeature result;
    check(gnn_dataset_sparse_feature(handle, name.c_str(), &indptr, &indices, &values, &result.columns));
    result.indptr = Tensor(indptr);
    result.indices = Tensor(indices);
    result.values = Tensor(values);
    return result;
  }
  /// One of "edge_index", "edge_type", "labels", "train", "val", "test".
  Tensor tensor(const std::string &name) const {
    gnn_tensor_t *tensor = nullptr;
    check(gnn_dataset_tensor(handle, name.c_str(), &tensor));
    return Tensor(tensor);
  }
  /// As tensor(), but no tensor where the data set has none.
  Tensor find(const std::string &name) const {
    gnn_tensor_t *tensor = nullptr;
    gnn_status_t status = gnn_dataset_tensor(handle, name.c_str(), &tensor);
    if (status == GNN_ERROR_MISMATCH)
      return Tensor();
    check(status);
    return Tensor(tensor);
  }

  explicit operator bool() const { return handle != nullptr; }
  gnn_dataset_t *get() const { return handle; }

private:
  gnn_dataset_t *handle = nullptr;
};

} // namespace gnn

#endif // GNN_DATASET_HPP
