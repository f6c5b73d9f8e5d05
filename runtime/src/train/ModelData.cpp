//===- ModelData.cpp - The data set that a model is bound to --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/ModelData.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/train/TrainingSplit.h"

namespace gnn::rt {

/// Whether the rows of a tensor are the vertices or edges that have labels and splits, of a graph with so many
/// relations. A model calls the only type or relation as it likes.
static bool isOfLabelled(const Library &library, const gnn_tensor_info_t &info, const Dataset &dataset,
                         size_t numRelations) {
  const gnn_library_t &table = library.table();
  if (info.domain == GNN_DOMAIN_VERTEX)
    return !dataset.labelsEdges() &&
           (dataset.vertexTypes.size() < 2 || table.vertex_types[info.type].name == dataset.labelled);
  if (info.domain != GNN_DOMAIN_EDGE || !dataset.labelsEdges())
    return false;
  const gnn_relation_t &relation = library.relation(info.type);
  const auto typeIn = [&](uint32_t type) {
    return dataset.vertexTypes.size() == 1 ? dataset.vertexTypes[0].name : std::string(table.vertex_types[type].name);
  };
  return relation.kind == GNN_RELATION_EDGES &&
         (numRelations < 2 ||
          typeIn(relation.source_type) + ":" + relation.name + ":" + typeIn(relation.destination_type) ==
              dataset.labelled);
}

Features featuresFor(const Library &library, const Dataset &dataset) {
  Features features = dataset.vertexFeatures;
  for (const auto &[name, feature] : dataset.edgeFeatures)
    features[name] = feature;
  for (const gnn_tensor_info_t &info : library.tensors())
    if (info.role == GNN_ROLE_TARGET && dataset.labels && !features.count(info.name) &&
        isOfLabelled(library, info, dataset, dataset.relations.size()))
      features[info.name].dense = dataset.labels;
  return features;
}

void bindDataset(Dims &dims, const Library &library, const Graph &graph, const Dataset &dataset,
                 const Features &features) {
  bindDims(dims, library, graph, features, dataset.source);
  for (uint32_t r = 0; r < library.table().num_relations; ++r) {
    const gnn_relation_t &relation = library.relation(r);
    if (relation.kind == GNN_RELATION_PAIRS && relation.types >= 0 && dataset.numEdgeTypes > 0)
      dims.bindExtent(uint32_t(relation.types), dataset.numEdgeTypes, "types of the pairs in " + dataset.source);
  }
  const gnn_tensor_info_t *logits = classLogits(library);
  if (!logits)
    return;
  const uint32_t extent = logits->shape[0];
  const bool isOfVertices = logits->domain == GNN_DOMAIN_VERTEX;
  if (isOfVertices ? dataset.labelsEdges() : !isOfLabelled(library, *logits, dataset, graph.relations().size())) {
    require(!isOfVertices || !dataset.labels || dims.known(extent) || dims.fallback(extent), GNN_ERROR_MISMATCH,
            dataset.source, ": labels are of edges, but ", library.name(), " predicts classes of vertices");
    return; // the data set knows other classes
  }
  auto known = dims.known(extent);
  const bool isOfNumbers =
      dataset.labels && (dataset.labels.element() == GNN_F32 || dataset.labels.element() == GNN_F64);
  require(known || !isOfNumbers || dims.fallback(extent), GNN_ERROR_MISMATCH, dataset.describe("labels"), ": ",
          elementName(dataset.labels.element()), " are numbers to predict, but ", library.name(),
          " predicts classes: save them as integers");
  if (dataset.numClasses <= 0)
    return;
  if (!known)
    return dims.bindExtent(extent, dataset.numClasses, "classes in " + dataset.source);
  require(*known >= dataset.numClasses, GNN_ERROR_MISMATCH, dataset.source, " has ", dataset.numClasses,
          " classes, but ", library.name(), " has ", *known, "; known are ", dims.describe());
}

void bindClasses(Dims &dims, const Library &library, const Features &features, const std::string &origin) {
  const gnn_tensor_info_t *logits = classLogits(library);
  if (!logits || dims.known(logits->shape[0]))
    return;
  const uint32_t extent = logits->shape[0];
  for (const gnn_tensor_info_t &info : library.tensors()) {
    auto labels = features.find(info.name);
    if (!isClassTarget(info) || labels == features.end() || !labels->second.dense)
      continue;
    const Tensor table = labels->second.dense.onHost();
    double largest = -1;
    for (int64_t v = 0; v < table.count(); ++v)
      largest = std::max(largest, numberAt(table, v));
    if (largest < double(dims.fallback(extent).value_or(0))) // also without any label
      return;
    require(largest < double(table.count()), GNN_ERROR_DATA, "the largest ", info.name, " in ", origin, " is ", largest,
            ", of ", table.count(), " labels: bind the number of classes, if there are so many");
    dims.bindExtent(extent, int64_t(largest) + 1, "the largest " + std::string(info.name) + " in " + origin);
    return;
  }
}

void requireSplitsOfLoss(const Library &library, const Graph &graph, const Dataset &dataset) {
  for (const gnn_tensor_info_t &info : library.tensors()) {
    const bool isOfVertices = info.domain == GNN_DOMAIN_VERTEX;
    if (info.role != GNN_ROLE_MASK || dataset.splits.empty() || (!isOfVertices && !dataset.labelsEdges()))
      continue;
    const std::string rows = isOfVertices
                                 ? std::string("vertices of type ") + library.table().vertex_types[info.type].name
                                 : std::string("edges ") + library.relation(info.type).name;
    require(isOfLabelled(library, info, dataset, graph.relations().size()), GNN_ERROR_MISMATCH, "the loss of ",
            library.name(), " is over ", rows, ", but the splits of ", dataset.source, " are of ",
            dataset.labelsEdges() ? "edges" : "type", dataset.hasSchema() ? " " + dataset.labelled : std::string());
  }
}

} // namespace gnn::rt
