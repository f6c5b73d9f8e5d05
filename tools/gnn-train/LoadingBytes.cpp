//===- LoadingBytes.cpp - What loading a folder takes ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/LoadingBytes.h"

#include "gnn/graph.h"
#include "runtime/src/data/FolderFiles.h"

#include <algorithm>
#include <tbb/task_arena.h>

namespace gnn::train_tool {

using namespace rt;

namespace {

constexpr uint64_t ofId = 8;

class LoadingBytes {
public:
  explicit LoadingBytes(const std::string &folder) : files(folder), layout(files.layout()) {}

  uint64_t toLoad(uint32_t order) const {
    const uint64_t vertices = numVertices();
    const int threads = tbb::this_task_arena::max_concurrency();
    uint64_t edges = toPrepare(layout.edgeIndex, layout.edgeType), ofEdges = 0;
    for (const RelationLayout &relation : layout.relations)
      edges += toPrepare(relation.edgeIndex, relation.edgeType);
    for (const auto &[name, file] : layout.edge)
      ofEdges += of(file);
    for (const RelationLayout &relation : layout.relations)
      for (const auto &[name, file] : relation.features)
        ofEdges += of(file);
    uint64_t features = ofFeatures();
    if (order != GNN_ORDER_GIVEN)
      features *= 2; // in that order as well
    if (order == GNN_ORDER_COMMUNITY || order == GNN_ORDER_METIS)
      edges *= 2; // neighbours of both directions
    return edges + ofEdges + features +
           countedBeside(ofVertices(vertices, order, /*toSource=*/true, threads + 1)); // and their sum
  }

  uint64_t toPage(uint32_t order, bool toSource) const {
    return countedBeside(ofVertices(numVertices(), order, toSource, /*counters=*/1));
  }

  std::map<std::string, uint64_t> sparse() const {
    std::map<std::string, uint64_t> bytes;
    auto add = [&](const std::string &name, const FeatureFiles &feature) {
      if (feature.isSparse())
        bytes[name] = ofSparse(feature);
    };
    for (const auto &[name, feature] : layout.vertex)
      add(name, feature);
    for (const VertexTypeLayout &type : layout.vertexTypes)
      for (const auto &[name, feature] : type.features)
        add(type.name + "." + name, feature);
    return bytes;
  }

private:
  /// Rows of the first of these files that there is; 0 where there is none.
  uint64_t rows(const std::string &name) const {
    if (name.empty())
      return 0;
    const std::vector<int64_t> shape = files.open(name).shape();
    return shape.empty() ? 0 : uint64_t(shape[0]);
  }
  uint64_t rows(const FeatureFiles &feature) const {
    return feature.isSparse() ? std::max<uint64_t>(rows(feature.indptr), 1) - 1 : rows(feature.dense);
  }
  uint64_t rows(const std::map<std::string, FeatureFiles> &features) const {
    return features.empty() ? 0 : rows(features.begin()->second);
  }

  /// Of all types; 0 where only edges say how many there are.
  uint64_t numVertices() const {
    if (layout.vertexTypes.empty())
      return layout.numVertices >= 0 ? uint64_t(layout.numVertices)
                                     : std::max(layout.labelled.empty() ? rows(layout.labels) : 0, rows(layout.vertex));
    uint64_t count = 0;
    for (const VertexTypeLayout &type : layout.vertexTypes)
      count += type.count >= 0 ? uint64_t(type.count) : rows(type.features);
    return count;
  }

  /// Labels and splits as the data have them and as they are bound, where rows begin, degrees, and an order with what
  /// finds it: degrees, which each of `counters` counts, or communities and how many are in them.
  uint64_t ofVertices(uint64_t vertices, uint32_t order, bool toSource, int counters) const {
    constexpr uint64_t ofBound = 16, ofOrder = 8 + 4, ofCommunities = 4 * 4 + ofId;
    const uint64_t ofFinding = std::max(ofId * uint64_t(counters), ofCommunities);
    uint64_t bytes = vertices * (ofBound + (toSource ? 2 : 1) * ofId);
    if (order != GNN_ORDER_GIVEN)
      bytes += vertices * (ofOrder + ofFinding);
    bytes += ofIds(layout.labels);
    for (const auto &[name, file] : layout.split)
      bytes += ofIds(file);
    return bytes;
  }

  uint64_t ofFeatures() const {
    uint64_t bytes = 0;
    for (const auto &[name, feature] : layout.vertex)
      bytes += of(feature);
    for (const VertexTypeLayout &type : layout.vertexTypes)
      for (const auto &[name, feature] : type.features)
        bytes += of(feature);
    return bytes;
  }

  /// Of what is made of a file, and of its own where that is not the same.
  uint64_t of(const std::string &name) const {
    if (name.empty())
      return 0;
    const NpyFile file = files.open(name);
    const uint64_t bytes = uint64_t(countElements(file.shape(), file.element())) * elementBytes(file.element());
    return file.hasRows() && file.isAsItIs() ? bytes : 2 * bytes;
  }
  uint64_t of(const FeatureFiles &feature) const {
    return of(feature.dense) + of(feature.indptr) + of(feature.indices) + of(feature.values);
  }

  /// Read as numbers of 64 bits.
  uint64_t ofIds(const std::string &name) const {
    if (name.empty())
      return 0;
    const NpyFile file = files.open(name);
    const auto count = uint64_t(countElements(file.shape(), file.element()));
    return count * (file.element() == GNN_I64 ? ofId : ofId + elementBytes(file.element()));
  }

  /// Of a row's place, and a column and a value for each entry.
  uint64_t ofSparse(const FeatureFiles &feature) const {
    constexpr uint64_t ofRow = 8, ofEntry = 4 + 4;
    const NpyFile starts = files.open(feature.indptr), entries = files.open(feature.indices);
    return uint64_t(countElements(starts.shape(), starts.element())) * ofRow +
           uint64_t(countElements(entries.shape(), entries.element())) * ofEntry;
  }

  /// Of the list as i64, a copy in less bits, what it is sorted by, and the edges sorted both ways.
  uint64_t toPrepare(const std::string &index, const std::string &types) const {
    constexpr uint64_t ofEdge = 16 + 8 + 12 + 8 + 8, ofType = 8 + 4 + 4 + 4;
    if (index.empty())
      return 0;
    const std::vector<int64_t> shape = files.open(index).shape();
    return (shape.empty() ? 0 : uint64_t(shape.back())) * (types.empty() ? ofEdge : ofEdge + ofType);
  }

  const FolderFiles files;
  const FolderLayout layout;
};

} // namespace

uint64_t bytesToLoad(const std::string &folder, uint32_t order) { return LoadingBytes(folder).toLoad(order); }

uint64_t bytesToPage(const std::string &folder, uint32_t order, bool toSource) {
  return LoadingBytes(folder).toPage(order, toSource);
}

std::map<std::string, uint64_t> bytesOfSparse(const std::string &folder) { return LoadingBytes(folder).sparse(); }

} // namespace gnn::train_tool
