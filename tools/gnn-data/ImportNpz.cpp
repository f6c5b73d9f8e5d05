//===- ImportNpz.cpp - Archives of NumPy arrays ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three kinds, known by the names of their arrays: a matrix that SciPy wrote, whose entries are edges; gnn-benchmark's
// (runtime/src/data/Import.h); and arrays by the names that people give them, as in PyTorch Geometric.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "runtime/src/data/Import.h"
#include "runtime/src/io/Npz.h"
#include "tools/gnn-data/EdgeList.h"
#include "tools/gnn-data/ImportTables.h"
#include "tools/gnn-data/NumberColumn.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace gnn::data_tool;
using gnn::rt::NpzArchive;
using gnn::rt::require;
using gnn::rt::Tensor;

namespace {

/// What one would say of labels that are numbers and look like classes.
std::string adviceOn(const Tensor &labels) {
  const int64_t rows = labels.rank() ? labels.dim(0) : 0, columns = rows ? labels.count() / rows : 0;
  bool areWhole = true, areOneHot = columns > 1;
  for (int64_t row = 0; row < rows; ++row) {
    double ones = 0;
    for (int64_t column = 0; column < columns; ++column) {
      const double value = gnn::rt::numberAt(labels, row * columns + column);
      areWhole = areWhole && value == std::floor(value);
      areOneHot = areOneHot && (value == 0 || value == 1);
      ones += value;
    }
    areOneHot = areOneHot && ones == 1;
  }
  return areOneHot                  ? ", of which each row has one 1: as classes they are y.argmax(1)"
         : areWhole && columns == 1 ? ", all of them whole: as classes they are y.astype(int)"
                                    : "";
}

/// Row i, column j: an edge from i to j. The values are its feature `weight`, unless all are 1.
void readMatrix(const NpzArchive &archive, const std::string &path, gnn::rt::Dataset &data, Notes &notes) {
  const std::string format = archive.readText("format");
  require(format == "csr" || format == "csc" || format == "coo", GNN_ERROR_DATA, path, ": a matrix in the format ",
          format, ", expected csr, csc or coo, which its method tocsr() makes");
  const Tensor shape = archive.read("shape").as(GNN_I64, path + "(shape)");
  const int64_t *extents = shape.data<int64_t>();
  require(shape.count() == 2 && extents[0] == extents[1] && extents[0] >= 0, GNN_ERROR_DATA, path,
          ": a matrix of the shape ", gnn::rt::shapeText({extents, extents + shape.count()}),
          ", expected as many columns as rows, one for each vertex");
  data.numVertices = extents[0];
  Tensor values = archive.read("data"), rows, columns;
  if (format == "coo") {
    rows = archive.read("row").as(GNN_I64, path + "(row)");
    columns = archive.read("col").as(GNN_I64, path + "(col)");
    require(rows.rank() == 1 && rows.shape() == columns.shape() && rows.shape() == values.shape(), GNN_ERROR_DATA, path,
            ": row, col and data differ in shape");
  } else {
    const Tensor places = Tensor::zeros(GNN_F32, values.shape()); // values may be integers that f32 would round
    const auto matrix =
        gnn::rt::SparseMatrix::fromArrays(archive.read("indptr"), archive.read("indices"), places, shape, path);
    rows = Tensor::empty(GNN_I64, {matrix.nonzeros()});
    int64_t *row = rows.mutableData<int64_t>();
    for (int64_t i = 0; i < matrix.rows(); ++i)
      row = std::fill_n(row, matrix.indptr()[size_t(i) + 1] - matrix.indptr()[size_t(i)], i);
    columns = matrix.indicesTensor().as(GNN_I64, path);
    if (format == "csc")
      std::swap(rows, columns);
  }
  data.edgeIndex = Tensor::empty(GNN_I64, {2, rows.count()});
  int64_t *ends = std::copy_n(rows.data<int64_t>(), rows.count(), data.edgeIndex.mutableData<int64_t>());
  std::copy_n(columns.data<int64_t>(), columns.count(), ends);
  bool areOnes = true;
  for (int64_t i = 0; i < values.count(); ++i) {
    const double value = gnn::rt::numberAt(values, i);
    areOnes = areOnes && value == 1;
  }
  if (areOnes)
    return;
  const Tensor weights = narrowed(values);
  data.edgeFeatures["weight"].dense = weights;
  notes.push_back("edge input weight: number" +
                  (weights.element() == GNN_F32 ? "" : std::string(", ") + gnn::rt::elementName(weights.element())));
}

/// Arrays by their names, and which of them have been read.
class NamedArrays {
public:
  NamedArrays(const NpzArchive &archive, const std::string &path) : archive(archive), path(path) {}

  /// The first of these that is there, or none.
  Tensor take(std::initializer_list<const char *> names) {
    for (const char *name : names)
      if (archive.has(name)) {
        taken.insert(name);
        found = name;
        return archive.read(name);
      }
    return Tensor();
  }
  /// What `take` found last, for errors.
  std::string where() const { return path + "(" + found + ")"; }
  std::vector<std::string> others() const {
    std::vector<std::string> names;
    for (const auto &[name, place] : archive.names())
      if (!taken.count(name))
        names.push_back(name);
    return names;
  }

private:
  const NpzArchive &archive;
  const std::string &path;
  std::set<std::string> taken;
  std::string found;
};

/// [2, edges]. What is called `edges` mostly is [edges, 2].
Tensor readEdges(NamedArrays &arrays, const std::string &path) {
  if (const Tensor index = arrays.take({"edge_index"})) {
    gnn::rt::requireEdgeIndex(index.element(), index.shape(), arrays.where());
    return index.as(GNN_I64, arrays.where());
  }
  const Tensor list = arrays.take({"edges", "edge_list"});
  require(bool(list), GNN_ERROR_DATA, path,
          ": there is neither edge_index nor edges, a matrix of SciPy nor adj_indptr in the archive");
  require(list.rank() == 2 && list.dim(1) == 2 && list.element() >= GNN_I32, GNN_ERROR_DATA, arrays.where(),
          ": expected integers [edges, 2], got ", gnn::rt::elementName(list.element()), " ",
          gnn::rt::shapeText(list.shape()));
  const Tensor integers = list.as(GNN_I64, arrays.where());
  return edgeIndexOf({integers.data<int64_t>(), integers.data<int64_t>() + integers.count()});
}

/// A mask of bools or of 0 and 1, or the first of several.
Tensor readMask(Tensor mask, int64_t vertices, const std::string &split, const std::string &where, Notes &notes) {
  if (mask.rank() == 2 && (mask.dim(0) == vertices || mask.dim(1) == vertices)) {
    const int64_t count = mask.dim(mask.dim(1) == vertices ? 0 : 1), step = mask.dim(1) == vertices ? 1 : count;
    require(count > 0, GNN_ERROR_DATA, where, ": no mask");
    notes.push_back("split " + split + ": the first of " + std::to_string(count));
    std::vector<double> first;
    for (int64_t v = 0; v < vertices; ++v)
      first.push_back(gnn::rt::numberAt(mask, v * step));
    mask = Tensor::of(first);
  }
  require(mask.rank() == 1 && mask.dim(0) == vertices, GNN_ERROR_DATA, where, ": expected a mask [", vertices,
          "], got the shape ", gnn::rt::shapeText(mask.shape()));
  std::vector<int64_t> chosen;
  for (int64_t v = 0; v < vertices; ++v) {
    const double value = gnn::rt::numberAt(mask, v);
    require(value == 0 || value == 1, GNN_ERROR_DATA, where, ": vertex ", v, " is ", value,
            ", expected a mask of 0 and 1");
    if (value != 0)
      chosen.push_back(v);
  }
  return Tensor::of(chosen);
}

void readArrays(const NpzArchive &archive, const std::string &path, gnn::rt::Dataset &data, Notes &notes) {
  NamedArrays arrays(archive, path);
  data.edgeIndex = readEdges(arrays, path);
  data.edgeType = arrays.take({"edge_type", "edge_types"});
  if (const Tensor count = arrays.take({"num_nodes"})) {
    require(count.count() == 1, GNN_ERROR_DATA, arrays.where(), ": expected one number");
    data.numVertices = *count.as(GNN_I64, arrays.where()).data<int64_t>();
    require(data.numVertices >= 0, GNN_ERROR_DATA, arrays.where(), ": ", data.numVertices, " vertices");
  }
  if (const Tensor features = arrays.take({"x", "features", "node_features", "feat"})) {
    data.vertexFeatures["x"] = {features, std::nullopt};
    if (features.rank() > 0)
      notes.push_back("x: " + std::to_string(features.count() / std::max<int64_t>(features.dim(0), 1)) + " features");
  }
  data.labels = arrays.take({"y", "labels", "label", "target", "node_labels"});
  if (data.labels) {
    for (int64_t i = 0; i < data.labels.count(); ++i)
      require(std::isfinite(gnn::rt::numberAt(data.labels, i)), GNN_ERROR_DATA, arrays.where(), ": entry ", i,
              " is no number: only classes, integers, may be missing, as -1");
    notes.push_back(data.labels.element() >= GNN_I32 ? "labels: classes" : "labels: numbers" + adviceOn(data.labels));
  }
  for (const char *name : {"edge_attr", "edge_weight", "edge_features", "edge_feat"})
    if (const Tensor rows = arrays.take({name})) {
      data.edgeFeatures[name].dense = rows;
      notes.push_back(std::string("edge input ") + name);
    }
  const int64_t stated = data.statedVertices();
  for (const std::string split : {"train", "val", "test"}) {
    const std::string mask = split + "_mask", masks = split + "_masks", ids = split + "_idx";
    if (const Tensor found = arrays.take({mask.c_str(), masks.c_str()}))
      data.splits[split] = readMask(found,
                                    stated >= 0        ? stated
                                    : found.rank() > 0 ? found.dim(0)
                                                       : 0,
                                    split, arrays.where(), notes);
    else if (const Tensor given = arrays.take({ids.c_str(), split.c_str()}))
      data.splits[split] = given;
  }
  for (const std::string &name : arrays.others())
    notes.push_back(name + " is not read");
}

} // namespace

void gnn::data_tool::importNpz(const ImportOptions &options, rt::Dataset &data, Notes &notes) {
  refuseTableOptions(options, "an archive");
  const std::string &path = options.path;
  const rt::FileBytes bytes = rt::readFile(path);
  const NpzArchive archive(bytes, path);
  data.source = path;
  if (archive.has("format")) {
    readMatrix(archive, path, data, notes);
  } else if (archive.has("adj_indptr")) {
    const std::string name = data.name;
    data = rt::importNpz(bytes, path, GNN_CLEAN_NONE);
    data.name = name;
  } else {
    readArrays(archive, path, data, notes);
  }
  if (options.isUndirected)
    addReverseEdges(data, notes);
}
