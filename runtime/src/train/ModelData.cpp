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

/// Whether a target may be the labels, which are those of the vertices, or of one type of them.
static bool isOfLabels(const Library &library, const gnn_tensor_info_t &info, const Dataset &dataset) {
  if (info.role != GNN_ROLE_TARGET || info.domain != GNN_DOMAIN_VERTEX || !dataset.labels)
    return false;
  std::string type = library.table().vertex_types[info.type].name;
  return dataset.vertexTypes.size() < 2 || type == dataset.labelled;
}

Features featuresFor(const Library &library, const Dataset &dataset) {
  Features features = dataset.vertexFeatures;
  for (const auto &[name, feature] : dataset.edgeFeatures)
    features[name] = feature;
  for (const gnn_tensor_info_t &info : library.tensors())
    if (isOfLabels(library, info, dataset) && !features.count(info.name))
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
  if (!logits || logits->domain != GNN_DOMAIN_VERTEX) // a data set knows the classes of vertices alone
    return;
  const uint32_t extent = logits->shape[0];
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

void requireSplitsOfLoss(const Library &library, const Dataset &dataset) {
  for (const gnn_tensor_info_t &info : library.tensors()) {
    if (info.role != GNN_ROLE_MASK || info.domain != GNN_DOMAIN_VERTEX || dataset.splits.empty())
      continue;
    const std::string type = library.table().vertex_types[info.type].name;
    require(dataset.vertexTypes.size() < 2 || type == dataset.labelled, GNN_ERROR_MISMATCH, "the loss of ",
            library.name(), " is over vertices of type ", type, ", but the splits of ", dataset.source, " are of type ",
            dataset.labelled);
  }
}

} // namespace gnn::rt
