//===- DatasetApi.cpp - The C interface of data sets -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles around gnn::rt::Dataset; the contracts are in gnn/dataset.h.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Options.h"
#include "runtime/src/data/Dataset.h"
#include "runtime/src/data/Generators.h"
#include "runtime/src/data/Import.h"
#include "runtime/src/data/VertexNames.h"

using namespace gnn::rt;

namespace {

void hand(Dataset dataset, gnn_dataset_t **out) {
  *out = new gnn_dataset_t{std::make_shared<Dataset>(std::move(dataset))};
}

gnn_tensor_t *handleOf(const Tensor &tensor) { return new gnn_tensor_t{tensor}; }

gnn_feature_info_t describe(const Dataset &data, uint32_t index) {
  gnn_feature_info_t info{};
  const bool ofVertices = index < data.vertexFeatures.size();
  info.domain = ofVertices ? GNN_FEATURE_VERTEX : GNN_FEATURE_EDGE;
  const Tensor *dense = nullptr;
  if (ofVertices) {
    const auto &[name, feature] = *std::next(data.vertexFeatures.begin(), index);
    info.name = name.c_str();
    if (feature.sparse) {
      info.is_sparse = 1;
      info.element = feature.sparse->values().element();
      info.columns = feature.sparse->columns();
      info.nonzeros = feature.sparse->nonzeros();
      return info;
    }
    dense = &feature.dense;
  } else {
    const auto &[name, feature] = *std::next(data.edgeFeatures.begin(), index - data.vertexFeatures.size());
    info.name = name.c_str();
    dense = &feature.dense;
  }
  info.element = dense->element();
  info.columns = countElements({dense->shape().begin() + 1, dense->shape().end()}, dense->element());
  info.nonzeros = dense->count();
  return info;
}

Tensor namedTensor(const Dataset &data, const std::string &name) {
  if (name == "edge_index" && data.edgeIndex)
    return data.edgeIndex;
  for (const char *split : {"train", "val", "test"})
    if (name == split + std::string("_pairs") && data.pairs.count(split))
      return data.pairs.at(split);
  if (name == "edge_type" && data.edgeType)
    return data.edgeType;
  if (name == "labels" && data.labels)
    return data.labels;
  bool isSplit = name == "train" || name == "val" || name == "test";
  bool known = isSplit || name == "edge_index" || name == "edge_type" || name == "labels" || name == "train_pairs" ||
               name == "val_pairs" || name == "test_pairs";
  require(known, GNN_ERROR_ARGUMENT, "unknown tensor '", name, "' of a data set");
  require(isSplit, GNN_ERROR_MISMATCH, data.source, ": the data set has no ", name);
  return data.split(name);
}

} // namespace

gnn_status_t gnn_dataset_load(const char *folder, gnn_dataset_t **out) {
  return guard([&] {
    require(folder && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_dataset_t{loadDataset(folder)};
  });
}

gnn_status_t gnn_dataset_load_prepared(const char *folder, uint32_t transforms, uint32_t order, gnn_dataset_t **out,
                                       gnn_graph_t **out_graph) {
  return guard([&] {
    require(folder && out && out_graph, GNN_ERROR_ARGUMENT, "an argument is NULL");
    std::shared_ptr<Dataset> data = loadPrepared(folder, transforms, order);
    auto graph = std::make_unique<gnn_graph_t>(gnn_graph_t{Graph::fromSet(data->prepared)});
    *out = new gnn_dataset_t{data};
    *out_graph = graph.release();
  });
}

gnn_status_t gnn_dataset_save(const gnn_dataset_t *dataset, const char *folder) {
  return guard([&] {
    require(dataset && folder, GNN_ERROR_ARGUMENT, "an argument is NULL");
    saveDataset(*dataset->value, folder);
  });
}

void gnn_dataset_destroy(gnn_dataset_t *dataset) { delete dataset; }

gnn_status_t gnn_dataset_import_npz(const char *path, const gnn_npz_options_t *options, gnn_dataset_t **out) {
  return guard([&] {
    require(path && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    gnn_npz_options_t chosen = readOptions(options, "gnn_dataset_import_npz");
    Dataset data = importNpz(readFile(path), path, chosen.clean);
    if (chosen.train_per_class || chosen.val_per_class)
      splitPerClass(data, chosen.train_per_class, chosen.val_per_class, chosen.seed);
    hand(std::move(data), out);
  });
}

gnn_status_t gnn_dataset_generate(const char *kind, const gnn_generate_options_t *options, gnn_dataset_t **out) {
  return guard([&] {
    require(kind && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    hand(generateDataset(kind, readOptions(options, "gnn_dataset_generate")), out);
  });
}

const char *gnn_dataset_name(const gnn_dataset_t *dataset) { return dataset->value->name.c_str(); }
int64_t gnn_dataset_num_vertices(const gnn_dataset_t *dataset) { return dataset->value->totalVertices(); }
int64_t gnn_dataset_num_edges(const gnn_dataset_t *dataset) { return dataset->value->numEdges(); }
int64_t gnn_dataset_num_classes(const gnn_dataset_t *dataset) { return dataset->value->numClasses; }
uint32_t gnn_dataset_num_edge_types(const gnn_dataset_t *dataset) { return uint32_t(dataset->value->numEdgeTypes); }

const char *gnn_dataset_labelled(const gnn_dataset_t *dataset) { return dataset->value->labelled.c_str(); }

gnn_status_t gnn_dataset_known_to(const gnn_dataset_t *dataset, const char *split, gnn_dataset_t **out) {
  return guard([&] {
    require(dataset && split && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    dataset->value->requireEdges("dividing it by time");
    hand(dataset->value->knownTo(split), out);
  });
}

gnn_status_t gnn_dataset_graph(const gnn_dataset_t *dataset, uint32_t transforms, uint32_t order, gnn_graph_t **out) {
  return guard([&] {
    require(dataset && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_graph_t{dataset->value->graph(transforms, order)};
  });
}

uint32_t gnn_dataset_num_features(const gnn_dataset_t *dataset) {
  return uint32_t(dataset->value->vertexFeatures.size() + dataset->value->edgeFeatures.size());
}

gnn_status_t gnn_dataset_feature_info(const gnn_dataset_t *dataset, uint32_t index, gnn_feature_info_t *out) {
  return guard([&] {
    require(dataset && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    require(index < gnn_dataset_num_features(dataset), GNN_ERROR_ARGUMENT, "no feature of index ", index);
    writeStruct(describe(*dataset->value, index), out, "gnn_dataset_feature_info");
  });
}

gnn_status_t gnn_dataset_dense_feature(const gnn_dataset_t *dataset, uint32_t domain, const char *name,
                                       gnn_tensor_t **out) {
  return guard([&] {
    require(dataset && name && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    require(domain <= GNN_FEATURE_EDGE, GNN_ERROR_ARGUMENT, "unknown domain ", domain);
    const Dataset &data = *dataset->value;
    *out = handleOf(domain == GNN_FEATURE_VERTEX ? data.denseVertexFeature(name) : data.edgeFeature(name));
  });
}

gnn_status_t gnn_dataset_sparse_feature(const gnn_dataset_t *dataset, const char *name, gnn_tensor_t **out_indptr,
                                        gnn_tensor_t **out_indices, gnn_tensor_t **out_values, int64_t *out_columns) {
  return guard([&] {
    require(dataset && name && out_indptr && out_indices && out_values && out_columns, GNN_ERROR_ARGUMENT,
            "an argument is NULL");
    SparseMatrix matrix = dataset->value->sparseVertexFeature(name);
    std::unique_ptr<gnn_tensor_t> indptr(handleOf(matrix.indptrTensor())), indices(handleOf(matrix.indicesTensor())),
        values(handleOf(matrix.values()));
    *out_indptr = indptr.release();
    *out_indices = indices.release();
    *out_values = values.release();
    *out_columns = matrix.columns();
  });
}

gnn_status_t gnn_dataset_tensor(const gnn_dataset_t *dataset, const char *name, gnn_tensor_t **out) {
  return guard([&] {
    require(dataset && name && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = handleOf(namedTensor(*dataset->value, name));
  });
}

gnn_status_t gnn_dataset_vertex_ids(const gnn_dataset_t *dataset, const char *type, gnn_vertex_ids_t **out) {
  return guard([&] {
    require(dataset && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_vertex_ids_t(*dataset->value, type ? type : "");
  });
}

void gnn_vertex_ids_destroy(gnn_vertex_ids_t *ids) { delete ids; }

int64_t gnn_vertex_ids_count(const gnn_vertex_ids_t *ids) { return ids->value.size(); }

gnn_status_t gnn_vertex_ids_find(const gnn_vertex_ids_t *ids, const char *text, uint64_t size, int64_t *out_vertex) {
  return guard([&] {
    require(ids && text && out_vertex, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out_vertex = ids->value.find({text, size_t(size)});
  });
}

gnn_status_t gnn_vertex_ids_text(const gnn_vertex_ids_t *ids, int64_t vertex, const char **out_text,
                                 uint64_t *out_size) {
  return guard([&] {
    require(ids && out_text && out_size, GNN_ERROR_ARGUMENT, "an argument is NULL");
    const std::string_view text = ids->value.of(vertex);
    *out_text = text.data();
    *out_size = text.size();
  });
}
