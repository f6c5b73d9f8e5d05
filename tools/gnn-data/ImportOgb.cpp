//===- ImportOgb.cpp - A folder of the Open Graph Benchmark ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ogb package downloads for a task on vertices (Hu et al. 2020): raw/edge.csv.gz, node-feat, node-label and
// edge-feat beside it, and split/KIND/train.csv.gz, valid, test. Tables have no names of columns.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "runtime/src/data/FolderFiles.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/EdgeList.h"
#include "tools/gnn-data/ImportTables.h"
#include "tools/gnn-data/IntegerTable.h"
#include "tools/gnn-data/NumberColumn.h"
#include <cmath>
#include <filesystem>
#include <limits>

using namespace gnn::data_tool;
using gnn::rt::require;
using gnn::rt::Tensor;
namespace fs = std::filesystem;

namespace {

/// `stem`.csv.gz or .csv in the folder; empty where neither is there. Throws a data error if links lead out of the
/// folder.
std::string tableAt(const fs::path &folder, const fs::path &stem) {
  const gnn::rt::FolderFiles files(folder.string());
  for (const char *ending : {".csv.gz", ".csv"})
    if (const std::string name = stem.string() + ending; files.has(name)) {
      files.resolve(name);
      return (folder / name).string();
    }
  return "";
}

/// A table of numbers. What is missing, as nan, is NaN.
template <class Real> struct Numbers {
  int64_t rows = 0, columns = 0;
  std::vector<Real> values;
  bool areIntegers = true; // those that are not missing
  bool fitFloats = true;   // f32 rounds none to another whole number
};

template <class Real> Numbers<Real> numbersOf(const std::string &path) {
  TextTable table(path, plainForm(','));
  Numbers<Real> numbers;
  numbers.columns = int64_t(table.columns().size());
  for (; table.next(); ++numbers.rows)
    for (size_t column = 0; column < size_t(numbers.columns); ++column) {
      const bool isAbsent = isMissing(table.cell(column));
      const std::optional<double> number = numberIn(table.cell(column));
      if (!number && !isAbsent)
        table.fail("'", table.cell(column), "' is no number");
      if (const auto integer = integerIn(table.cell(column)); integer && int64_t(double(*integer / 2)) != *integer / 2)
        table.fail("the integer ", *integer, " is beyond 2^53, and f64 would round it");
      numbers.fitFloats = numbers.fitFloats && (isAbsent || fitsFloat(*number));
      numbers.areIntegers = numbers.areIntegers && (isAbsent || *number == std::floor(*number));
      numbers.values.push_back(isAbsent ? std::numeric_limits<Real>::quiet_NaN() : Real(*number));
    }
  return numbers;
}

template <class Real> Tensor shaped(const Numbers<Real> &numbers) {
  Tensor result = Tensor::of(numbers.values);
  return numbers.columns == 1 ? result : result.reshaped({numbers.rows, numbers.columns});
}

/// The table in f32, or in f64 if that rounded one number to another whole one.
Tensor tensorOf(const std::string &path) {
  const auto numbers = numbersOf<float>(path);
  return numbers.fitFloats ? shaped(numbers) : shaped(numbersOf<double>(path));
}

int64_t columnsOf(const Tensor &table) { return table.rank() > 1 ? table.dim(1) : 1; }

/// Whole numbers in one column are classes, -1 where one is missing; others stay numbers.
Tensor labelsOf(const std::string &path) {
  const auto labels = numbersOf<double>(path);
  if (labels.columns > 1 || !labels.areIntegers)
    return tensorOf(path);
  std::vector<int64_t> classes;
  for (double label : labels.values) {
    require(!(std::abs(label) > INT32_MAX), GNN_ERROR_DATA, path, ":", classes.size() + 1, ": ", label,
            " is no class, the most is 2^31 - 1");
    classes.push_back(std::isnan(label) ? -1 : int64_t(label));
  }
  return Tensor::of(classes);
}

/// The one folder in `split`, such as split/time.
void readSplits(const fs::path &whole, gnn::rt::Dataset &data, Notes &notes) {
  const fs::path folder = whole / "split";
  std::vector<fs::path> kinds;
  if (fs::is_directory(folder))
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
      if (entry.is_directory())
        kinds.push_back(entry.path());
  if (kinds.empty())
    return;
  require(kinds.size() == 1, GNN_ERROR_DATA, folder.string(), ": ", kinds.size(), " splits, expected one");
  notes.push_back("split " + kinds[0].filename().string());
  for (auto [theirs, ours] : {std::pair("train", "train"), std::pair("valid", "val"), std::pair("test", "test")})
    if (const std::string path = tableAt(whole, fs::path("split") / kinds[0].filename() / theirs); !path.empty())
      data.splits[ours] =
          Tensor::of(integerColumnIn(path, {0, (data.numVertices >= 0 ? data.numVertices : UINT32_MAX) - 1}));
    else
      notes.push_back(std::string("no split ") + ours + ": there is no " + theirs + ".csv.gz");
}

} // namespace

void gnn::data_tool::importOgb(const ImportOptions &options, rt::Dataset &data, Notes &notes) {
  const fs::path folder = options.path, raw = folder / "raw";
  refuseTableOptions(options, "a folder");
  require(!fs::exists(raw / "triplet-type-list.csv.gz") && !fs::exists(raw / "relations"), GNN_ERROR_DATA,
          folder.string(), ": several types of vertices, of which none is imported");
  const std::string edges = tableAt(folder, "raw/edge"), count = tableAt(folder, "raw/num-node-list"),
                    features = tableAt(folder, "raw/node-feat"), labels = tableAt(folder, "raw/node-label"),
                    edgeFeatures = tableAt(folder, "raw/edge-feat");
  require(!edges.empty(), GNN_ERROR_DATA, folder.string(),
          ": a folder without raw/edge.csv.gz, expected one of the Open Graph Benchmark, or a table");
  if (!count.empty()) {
    const std::vector<int64_t> graphs = integerColumnIn(count, {0, UINT32_MAX - int64_t(1)});
    require(graphs.size() == 1, GNN_ERROR_DATA, folder.string(), ": ", graphs.size(), " graphs, expected one");
    data.numVertices = graphs[0];
  }
  data.edgeIndex = readEdgeTable(edges);
  if (!features.empty()) {
    data.vertexFeatures["x"] = {tensorOf(features), std::nullopt};
    notes.push_back("x: " + std::to_string(columnsOf(data.vertexFeatures["x"].dense)) + " features");
  }
  if (!labels.empty()) {
    data.labels = labelsOf(labels);
    notes.push_back(data.labels.element() == GNN_I64 ? "labels: classes" : "labels: numbers");
  }
  if (!edgeFeatures.empty()) {
    const Tensor table = data.edgeFeatures["feat"].dense = tensorOf(edgeFeatures);
    notes.push_back("edge input feat: " + std::to_string(columnsOf(table)) + " numbers" +
                    (table.element() == GNN_F64 ? ", f64" : ""));
  }
  if (options.isUndirected)
    addReverseEdges(data, notes);
  readSplits(folder, data, notes);
}
