//===- DataFeatures.cpp - What a model reads of a data set ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/DataFeatures.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/train/Session.h"

namespace gnn::rt {

Features featuresFor(const Library &library, const Dataset &dataset) {
  Features features = dataset.vertexFeatures;
  for (const auto &[name, table] : dataset.edgeFeatures)
    features[name].dense = table;
  for (const gnn_tensor_info_t &info : library.tensors())
    if (info.role == GNN_ROLE_TARGET && !features.count(info.name) && dataset.labels)
      features[info.name].dense = dataset.labels;
  return features;
}

void bindDataset(Dims &dims, const Library &library, const Dataset &dataset, const Features &features) {
  bindDims(dims, library, features, dataset.source);
  auto extent = classesExtent(library);
  if (!extent || dataset.numClasses <= 0)
    return;
  auto known = dims.known(*extent);
  if (!known)
    return dims.bindExtent(*extent, dataset.numClasses, "classes in " + dataset.source);
  require(*known >= dataset.numClasses, GNN_ERROR_MISMATCH, dataset.source, " has ", dataset.numClasses,
          " classes, but ", library.name(), " has ", *known, "; known are ", dims.describe());
}

} // namespace gnn::rt
