//===- Import.cpp - Data sets from other layouts ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of an archive become the fields of a data set.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Import.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/io/Npz.h"
#include <algorithm>
#include <numeric>

using namespace gnn::rt;

namespace {

SparseMatrix readSparse(const NpzArchive &archive, const std::string &prefix, const std::string &file) {
  return SparseMatrix::fromArrays(archive.read(prefix + "_indptr"), archive.read(prefix + "_indices"),
                                  archive.read(prefix + "_data"), archive.read(prefix + "_shape"),
                                  file + "(" + prefix + ")");
}

/// Positive attributes become 1, others 0.
Tensor binary(const Tensor &values) {
  Tensor result = values.converted(GNN_F32, "attributes");
  float *value = result.mutableData<float>();
  for (int64_t i = 0; i < result.count(); ++i)
    value[i] = value[i] > 0 ? 1.0f : 0.0f;
  return result;
}

std::vector<std::pair<int64_t, int64_t>> edgesOf(const SparseMatrix &adjacency, uint32_t clean) {
  std::vector<std::pair<int64_t, int64_t>> edges;
  for (int64_t row = 0; row < adjacency.rows(); ++row)
    for (int64_t i = adjacency.indptr()[row]; i < adjacency.indptr()[row + 1]; ++i) {
      int64_t column = adjacency.indices()[i];
      if (clean == GNN_CLEAN_NONE || row != column)
        edges.emplace_back(row, column);
      if (clean == GNN_CLEAN_PYG && row != column)
        edges.emplace_back(column, row);
    }
  return edges;
}

Feature readAttributes(const NpzArchive &archive, const std::string &file, bool makeBinary) {
  if (archive.has("attr_matrix")) {
    Tensor dense = archive.read("attr_matrix");
    return {makeBinary ? binary(dense) : dense, std::nullopt};
  }
  SparseMatrix matrix = readSparse(archive, "attr", file);
  if (makeBinary)
    matrix = SparseMatrix(matrix.rows(), matrix.columns(), matrix.indptrTensor(), matrix.indicesTensor(),
                          binary(matrix.values()), file + "(attr)");
  return {Tensor(), matrix};
}

} // namespace

Dataset gnn::rt::importNpz(const FileBytes &bytes, const std::string &file, uint32_t clean) {
  require(clean <= GNN_CLEAN_PYG, GNN_ERROR_ARGUMENT, "unknown cleaning ", clean);
  NpzArchive archive(bytes, file);
  Dataset data;
  data.source = file;
  size_t begin = file.find_last_of('/') + 1, end = file.rfind(".npz");
  data.name = file.substr(begin, end == std::string::npos || end < begin ? end : end - begin);
  SparseMatrix adjacency = readSparse(archive, "adj", file);
  require(adjacency.rows() == adjacency.columns(), GNN_ERROR_DATA, file, "(adj): a [", adjacency.rows(), ", ",
          adjacency.columns(), "] matrix, expected a square one");
  data.numVertices = adjacency.rows();
  setEdges(data, edgesOf(adjacency, clean));
  if (archive.has("attr_matrix") || archive.has("attr_data"))
    data.vertexFeatures["x"] = readAttributes(archive, file, clean == GNN_CLEAN_PYG);
  if (archive.has("labels"))
    data.labels = archive.read("labels");
  data.finish();
  return data;
}

void gnn::rt::splitPerClass(Dataset &dataset, int64_t trainPerClass, int64_t valPerClass, uint64_t seed) {
  require(dataset.labels && dataset.numClasses > 0, GNN_ERROR_MISMATCH, dataset.source, ": no classes to split by");
  Span<const int64_t> labels = dataset.labels.values<int64_t>();
  std::vector<int64_t> vertices(labels.size());
  std::iota(vertices.begin(), vertices.end(), int64_t(0));
  RandomSequence random(seed);
  for (size_t i = vertices.size(); i > 1; --i)
    std::swap(vertices[i - 1], vertices[random.below(i)]);
  std::vector<int64_t> taken(size_t(dataset.numClasses)), parts[3];
  for (int64_t v : vertices) {
    if (labels[size_t(v)] < 0)
      continue;
    int64_t rank = taken[size_t(labels[size_t(v)])]++;
    parts[rank < trainPerClass ? 0 : rank < trainPerClass + valPerClass ? 1 : 2].push_back(v);
  }
  constexpr const char *names[] = {"train", "val", "test"};
  for (int i = 0; i < 3; ++i) {
    std::sort(parts[i].begin(), parts[i].end());
    dataset.splits[names[i]] = Tensor::of(parts[i]);
  }
}

void gnn::rt::setEdges(Dataset &dataset, std::vector<std::pair<int64_t, int64_t>> edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  int64_t count = int64_t(edges.size());
  dataset.edgeIndex = Tensor::empty(GNN_I64, {2, count});
  int64_t *ids = dataset.edgeIndex.mutableData<int64_t>();
  for (int64_t i = 0; i < count; ++i) {
    ids[i] = edges[size_t(i)].first;
    ids[count + i] = edges[size_t(i)].second;
  }
}
