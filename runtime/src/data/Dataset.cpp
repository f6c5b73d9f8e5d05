//===- Dataset.cpp - Data sets inside the library --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks that every data set passes, and its features in the form that a model wants.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Dataset.h"
#include "runtime/src/core/Guard.h"
#include <algorithm>
#include <cctype>
#include <cstring>

using namespace gnn::rt;

namespace {

Span<const int64_t> row(const Tensor &matrix, int64_t i) {
  return matrix.values<int64_t>().slice(size_t(i * matrix.dim(1)), size_t(matrix.dim(1)));
}

int64_t largest(Span<const int64_t> values) {
  return values.empty() ? -1 : *std::max_element(values.begin(), values.end());
}

bool isInteger(const Tensor &tensor) { return tensor.element() >= GNN_I32; }

/// Names are those of a model's inputs.
void checkName(const std::string &name, const std::string &where) {
  bool good = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
              std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  require(good, GNN_ERROR_DATA, where, ": the feature name '", name, "' is no identifier");
}

/// The names in a map, for messages.
template <class Map> std::string namesOf(const Map &map) {
  std::string names;
  for (const auto &named : map)
    names += (names.empty() ? "" : ", ") + named.first;
  return names.empty() ? "none" : names;
}

class Checker {
public:
  explicit Checker(Dataset &data) : data(data) {}

  void run() {
    checkEdgeShapes();
    inferVertices();
    std::string where = data.describe("edge_index") + ": ";
    checkEdgeIds(row(data.edgeIndex, 0), data.numVertices, "source", where);
    checkEdgeIds(row(data.edgeIndex, 1), data.numVertices, "destination", where);
    checkTypes();
    checkFeatures();
    checkLabels();
    for (auto &split : data.splits)
      checkSplit(split.first, split.second);
  }

private:
  template <class... Parts> void expect(bool condition, const std::string &field, const Parts &...parts) const {
    if (!condition)
      fail(GNN_ERROR_DATA, data.describe(field), ": ", parts...);
  }

  void checkEdgeShapes() {
    Tensor &edges = data.edgeIndex;
    require(bool(edges), GNN_ERROR_DATA, data.source, ": there is no edge_index");
    expect(edges.rank() == 2 && edges.dim(0) == 2 && isInteger(edges), "edge_index",
           "expected integers [2, edges], got ", elementName(edges.element()), " ", shapeText(edges.shape()));
    edges = edges.as(GNN_I64, data.describe("edge_index"));
    if (!data.edgeType)
      return;
    Tensor &types = data.edgeType;
    expect(types.rank() == 1 && types.dim(0) == edges.dim(1) && isInteger(types), "edge_type", "expected integers [",
           edges.dim(1), "], got ", elementName(types.element()), " ", shapeText(types.shape()));
    types = types.as(GNN_I64, data.describe("edge_type"));
  }

  void inferVertices() {
    if (data.numVertices < 0 && data.labels && data.labels.rank() > 0)
      data.numVertices = data.labels.dim(0);
    for (const auto &feature : data.vertexFeatures)
      if (data.numVertices < 0 && (feature.second.sparse || feature.second.dense.rank() > 0))
        data.numVertices = feature.second.rows();
    if (data.numVertices < 0)
      data.numVertices = largest(data.edgeIndex.values<int64_t>()) + 1;
    require(data.numVertices < int64_t(UINT32_MAX), GNN_ERROR_DATA, data.source, ": ", data.numVertices,
            " vertices, the most is 2^32 - 2");
  }

  void checkTypes() {
    if (!data.edgeType) {
      expect(data.numEdgeTypes <= 0, "edge_type", "edge types are announced, but there are none");
      data.numEdgeTypes = 0;
      return;
    }
    if (data.numEdgeTypes < 0)
      data.numEdgeTypes = std::max<int64_t>(largest(data.edgeType.values<int64_t>()) + 1, 1);
    expect(data.numEdgeTypes > 0 && data.numEdgeTypes < INT32_MAX / 2 - 1, "edge_type", data.numEdgeTypes, " types");
    checkEdgeIds(data.edgeType.values<int64_t>(), data.numEdgeTypes, "type", data.describe("edge_type") + ": ");
  }

  void checkFeatures() {
    for (const auto &[name, feature] : data.vertexFeatures) {
      checkName(name, data.source);
      expect(feature.sparse || feature.dense.rank() > 0, name, "a scalar, expected a row for each vertex");
      expect(feature.rows() == data.numVertices, name, "expected ", data.numVertices,
             " rows, one for each vertex, got ", feature.rows());
    }
    for (const auto &[name, rows] : data.edgeFeatures) {
      checkName(name, data.source);
      expect(rows.rank() > 0 && rows.dim(0) == data.numEdges(), name, "expected ", data.numEdges(),
             " rows, one for each edge, got the shape ", shapeText(rows.shape()));
    }
  }

  void checkLabels() {
    Tensor &labels = data.labels;
    if (!labels) {
      data.numClasses = std::max<int64_t>(data.numClasses, 0);
      return;
    }
    expect(labels.rank() > 0 && labels.dim(0) == data.numVertices, "labels", "expected ", data.numVertices,
           " rows, one for each vertex, got the shape ", shapeText(labels.shape()));
    bool classes = isInteger(labels) && labels.count() == data.numVertices;
    if (!classes) {
      data.numClasses = std::max<int64_t>(data.numClasses, 0);
      return;
    }
    labels = labels.as(GNN_I64, data.describe("labels")).reshaped({data.numVertices});
    Span<const int64_t> values = labels.values<int64_t>();
    if (data.numClasses < 0)
      data.numClasses = largest(values) + 1;
    for (size_t v = 0; v < values.size(); ++v)
      expect(values[v] >= -1 && values[v] < data.numClasses, "labels", "vertex ", v, ": label ", values[v],
             " is out of range, expected -1 (no label) or 0 <= label < ", data.numClasses);
  }

  /// A mask becomes the ids where it is true.
  void checkSplit(const std::string &name, Tensor &ids) {
    bool mask = ids.element() == GNN_BOOL && ids.rank() == 1 && ids.dim(0) == data.numVertices;
    expect(ids.rank() == 1 && isInteger(ids) && (mask || ids.element() != GNN_BOOL), name,
           "expected vertex ids or bool [", data.numVertices, "], got ", elementName(ids.element()), " ",
           shapeText(ids.shape()));
    if (mask) {
      std::vector<int64_t> chosen;
      for (int64_t v = 0; v < data.numVertices; ++v)
        if (ids.data<bool>()[v])
          chosen.push_back(v);
      ids = Tensor::of(chosen);
    } else {
      ids = ids.as(GNN_I64, data.describe(name));
    }
    std::vector<bool> seen(size_t(data.numVertices));
    Span<const int64_t> values = ids.values<int64_t>();
    for (size_t i = 0; i < values.size(); ++i) {
      int64_t v = values[i];
      expect(v >= 0 && v < data.numVertices, name, "entry ", i, ": vertex ", v,
             " is out of range, expected 0 <= vertex < ", data.numVertices);
      expect(!seen[size_t(v)], name, "entry ", i, ": vertex ", v, " occurs twice");
      seen[size_t(v)] = true;
      bool unlabelled = data.numClasses > 0 && data.labels && data.labels.data<int64_t>()[v] < 0;
      expect(!unlabelled, name, "entry ", i, ": vertex ", v, " has no label");
    }
  }

  Dataset &data;
};

} // namespace

void Dataset::finish() { Checker(*this).run(); }

std::string Dataset::describe(const std::string &field) const {
  auto file = files.find(field);
  return file == files.end() ? source + ": " + field : source + "/" + file->second;
}

std::shared_ptr<const Graph> Dataset::graph(uint32_t transforms, uint32_t order) const {
  GraphOptions options;
  options.transforms = transforms;
  options.order = order;
  options.numTypes = uint32_t(numEdgeTypes);
  if (edgeType)
    options.edgeTypes = edgeType.values<int64_t>();
  return Graph::fromEdges(row(edgeIndex, 0), row(edgeIndex, 1), numVertices, options);
}

namespace {

template <class Map>
const typename Map::mapped_type &find(const Map &map, const std::string &name, const Dataset &data, const char *kind) {
  auto found = map.find(name);
  require(found != map.end(), GNN_ERROR_MISMATCH, data.source, ": the data set has no ", kind, " '", name,
          "' (it has: ", namesOf(map), ")");
  return found->second;
}

} // namespace

Tensor Dataset::denseVertexFeature(const std::string &feature) const {
  const Feature &found = find(vertexFeatures, feature, *this, "vertex feature");
  return found.sparse ? found.sparse->toDense() : found.dense;
}

SparseMatrix Dataset::sparseVertexFeature(const std::string &feature) const {
  const Feature &found = find(vertexFeatures, feature, *this, "vertex feature");
  return found.sparse ? *found.sparse : SparseMatrix::fromDense(found.dense, describe(feature));
}

const Tensor &Dataset::edgeFeature(const std::string &feature) const {
  return find(edgeFeatures, feature, *this, "edge feature");
}

const Tensor &Dataset::split(const std::string &which) const { return find(splits, which, *this, "split"); }
