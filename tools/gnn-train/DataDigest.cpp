//===- DataDigest.cpp - Which data set it is ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/DataDigest.h"

#include "runtime/src/core/Checksum.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/graph/EdgeDigest.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

namespace gnn::train_tool {

using namespace rt;

namespace {

constexpr size_t pieceBytes = size_t(4) << 20;

/// Chains what it is given.
class Digest {
public:
  uint64_t value = 0;

  void add(const std::string &text) { value = checksum({text.data(), text.size()}, value); }
  void add(int64_t number) { value = mix64(value + mix64(uint64_t(number) + goldenGamma)); }
  void add(const std::string &name, int64_t number) {
    add(name);
    add(number);
  }
  void add(const std::string &name, const Tensor &tensor) {
    if (!tensor)
      return;
    add(name + shapeText(tensor.shape()));
    value = checksum({static_cast<const char *>(tensor.data()), tensor.bytes()}, value);
  }
  void add(const std::string &name, const Feature &feature) {
    add(name, feature.dense);
    if (feature.file)
      add(name, *feature.file);
    if (!feature.sparse)
      return;
    add(name + " offsets", feature.sparse->indptrTensor());
    add(name + " columns", feature.sparse->indicesTensor());
    add(name, feature.sparse->values());
  }
  void add(const std::string &name, const NpyFile &file) {
    add(name + shapeText(file.shape()));
    RunningChecksum sum;
    const int64_t rows = file.shape()[0], atOnce = file.rowsIn(pieceBytes);
    for (int64_t row = 0; row < rows; row += atOnce) {
      const Tensor piece = file.rows(row, std::min(atOnce, rows - row));
      sum.add({static_cast<const char *>(piece.data()), piece.bytes()});
    }
    value = sum.finish(value);
  }
  template <class T> void add(const std::map<std::string, T> &named) {
    for (const auto &[name, value] : named)
      add(name, value);
  }
};

uint64_t sumOverEdges(const EdgeSet &set) {
  if (set.relation().isPaged())
    return set.digest();
  const Csr &rows = set.relation().csr(GNN_TO_DESTINATION);
  const VertexOrder *order = set.order().get();
  const bool isTyped = !rows.types.empty() && !(set.transforms() & GNN_GRAPH_LOOP_KINDS);
  auto id = [order](size_t local) { return order ? order->id[local] : int64_t(local); };
  auto addRows = [&](const tbb::blocked_range<int64_t> &range, uint64_t sum) {
    for (int64_t v = range.begin(); v < range.end(); ++v)
      for (int64_t i = rows.offsets[v]; i < rows.offsets[v + 1]; ++i) {
        const size_t at = size_t(i);
        if (rows.edgeIds[at] >= set.numGivenEdges())
          continue; // a transform has added it
        sum += digestOfEdge(id(rows.cols[at]), id(size_t(v)), rows.edgeIds[at],
                            isTyped ? std::optional(rows.types[at]) : std::nullopt);
      }
    return sum;
  };
  return tbb::parallel_reduce(tbb::blocked_range<int64_t>(0, rows.numRows(), 1024), uint64_t(0), addRows,
                              std::plus<uint64_t>());
}

} // namespace

uint64_t digestOf(const Dataset &data, const Graph &graph) {
  Digest digest;
  for (const VertexSet &vertices : graph.vertexSets())
    digest.add(vertices.count);
  for (const Graph::Edges &relation : graph.relations()) {
    digest.add(relation.name);
    digest.add(int64_t(sumOverEdges(*relation.set)));
  }
  digest.add(data.numClasses);
  digest.add(data.vertexFeatures);
  digest.add(data.edgeFeatures);
  digest.add("labels", data.labels);
  digest.add(data.splits);
  digest.add(data.pairs);
  digest.add(data.known);
  for (const EdgeTable &relation : data.relations)
    if (!relation.known.empty()) {
      digest.add(relation.triple());
      digest.add(relation.known);
    }
  if (!data.labelled.empty())
    digest.add(data.labelled);
  return digest.value;
}

} // namespace gnn::train_tool
