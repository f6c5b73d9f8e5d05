//===- ImportTu.cpp - A folder of TUDataset -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of graphs (Morris et al. 2020): NAME_A.txt has the edges of all of them, NAME_graph_indicator.txt the graph of
// each vertex, other files labels and attributes of vertices, edges and graphs, a row for each. Ids begin with 1.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/ImportTables.h"
#include "tools/gnn-data/IntegerTable.h"
#include "tools/gnn-data/NumberColumn.h"
#include <algorithm>
#include <filesystem>

using namespace gnn::data_tool;
using gnn::rt::require;
using gnn::rt::Tensor;
namespace fs = std::filesystem;

namespace {

constexpr size_t maxLabels = 1000; // different ones of a column, each a feature
constexpr char edgesEnd[] = "_A.txt", graphsEnd[] = "_graph_indicator.txt";

/// Any integers in so many rows.
IntegerBounds ofRows(int64_t rows) {
  IntegerBounds bounds;
  bounds.rows = rows;
  return bounds;
}

/// [rows, columns].
std::vector<double> numbersIn(const std::string &path, int64_t rows) {
  TextTable table(path, plainForm(','));
  std::vector<double> numbers;
  while (table.next())
    for (size_t column = 0; column < table.columns().size(); ++column) {
      const std::optional<double> number = numberIn(trimmed(table.cell(column)));
      if (!number)
        table.fail("'", table.cell(column), "' is no number");
      numbers.push_back(*number);
    }
  require(numbers.size() == size_t(rows) * table.columns().size(), GNN_ERROR_DATA, path, ": ",
          numbers.size() / table.columns().size(), " rows, expected ", rows);
  return numbers;
}

/// The different integers in ascending order, and the place of each among them.
std::vector<int64_t> numbered(std::vector<int64_t> &integers) {
  std::vector<int64_t> different = integers;
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  for (int64_t &integer : integers)
    integer = std::lower_bound(different.begin(), different.end(), integer) - different.begin();
  return different;
}

class Folder {
public:
  Folder(std::string stem, gnn::rt::Dataset &data, Notes &notes) : stem(std::move(stem)), data(data), notes(notes) {}

  void read() {
    std::vector<int64_t> graphs = integerColumnIn(stem + graphsEnd);
    numVertices = int64_t(graphs.size());
    for (int64_t &graph : graphs) {
      require(graph >= 1 && graph <= numVertices, GNN_ERROR_DATA, stem, graphsEnd, ": the graph ", graph,
              " is out of range, expected 1 to ", numVertices);
      numGraphs = std::max(numGraphs, graph--);
    }
    data.vertexTypes = {{"Vertex", numVertices, {}}, {"Graph", numGraphs, {}}};
    readFeatures();
    readEdges(graphs);
    std::vector<int64_t> index(size_t(2 * numVertices));
    for (int64_t vertex = 0; vertex < numVertices; ++vertex) {
      index[size_t(vertex)] = vertex;
      index[size_t(numVertices + vertex)] = graphs[size_t(vertex)];
    }
    data.relations.emplace_back();
    gnn::rt::EdgeTable &of = data.relations.back();
    of.name = "of";
    of.source = "Vertex";
    of.destination = "Graph";
    of.index = Tensor::of(index).reshaped({2, numVertices});
    readLabels();
  }

private:
  bool has(const char *end) const {
    std::error_code error;
    return fs::exists(stem + end, error);
  }

  /// Attributes, then 1 for the label of each column.
  void readFeatures() {
    std::vector<double> attributes;
    std::vector<std::vector<int64_t>> labels;
    if (has("_node_attributes.txt"))
      attributes = numbersIn(stem + "_node_attributes.txt", numVertices);
    if (has("_node_labels.txt"))
      labels = integersIn(stem + "_node_labels.txt", ofRows(numVertices));
    const size_t numAttributes = attributes.size() / size_t(std::max<int64_t>(numVertices, 1));
    size_t width = numAttributes;
    std::vector<size_t> firsts;
    for (std::vector<int64_t> &column : labels) {
      const size_t numDifferent = numbered(column).size();
      require(numDifferent <= maxLabels, GNN_ERROR_DATA, stem, "_node_labels.txt: ", numDifferent,
              " different labels, each of which would be a feature of every vertex, the most is ", maxLabels,
              ": as numbers they belong in _node_attributes.txt");
      firsts.push_back(width);
      width += numDifferent;
    }
    if (width == 0)
      return;
    std::vector<float> x(size_t(numVertices) * width);
    for (size_t vertex = 0; vertex < size_t(numVertices); ++vertex) {
      for (size_t i = 0; i < numAttributes; ++i)
        x[vertex * width + i] = float(attributes[vertex * numAttributes + i]);
      for (size_t column = 0; column < labels.size(); ++column)
        x[vertex * width + firsts[column] + size_t(labels[column][vertex])] = 1;
    }
    data.vertexTypes[0].features["x"] = {Tensor::of(x, {numVertices, int64_t(width)}), std::nullopt};
    notes.push_back("x: " + std::to_string(numAttributes) + " attributes and " + std::to_string(width - numAttributes) +
                    " labels of vertices");
  }

  void readEdges(const std::vector<int64_t> &graphs) {
    const std::string path = stem + edgesEnd;
    std::vector<std::vector<int64_t>> ends = integersIn(path);
    require(ends.size() == 2, GNN_ERROR_DATA, path, ": ", ends.size(), " columns, expected two");
    const int64_t numEdges = int64_t(ends[0].size());
    for (int64_t edge = 0; edge < numEdges; ++edge) {
      for (auto &end : ends) {
        int64_t &vertex = end[size_t(edge)];
        require(vertex >= 1 && vertex <= numVertices, GNN_ERROR_DATA, path, ":", edge + 1, ": the vertex ", vertex,
                " is out of range, expected 1 to ", numVertices);
        --vertex;
      }
      require(graphs[size_t(ends[0][size_t(edge)])] == graphs[size_t(ends[1][size_t(edge)])], GNN_ERROR_DATA, path, ":",
              edge + 1, ": the edge is between two graphs");
    }
    data.relations.emplace_back();
    gnn::rt::EdgeTable &edges = data.relations.back();
    edges.name = "link";
    edges.source = edges.destination = "Vertex";
    ends[0].insert(ends[0].end(), ends[1].begin(), ends[1].end());
    edges.index = Tensor::of(ends[0]).reshaped({2, numEdges});
    if (has("_edge_labels.txt")) {
      std::vector<int64_t> types = integerColumnIn(stem + "_edge_labels.txt", ofRows(numEdges));
      edges.numTypes = int64_t(numbered(types).size());
      edges.types = Tensor::of(types);
      notes.push_back(std::to_string(edges.numTypes) + " types of edges");
    }
    if (has("_edge_attributes.txt")) {
      const std::vector<double> attributes = numbersIn(stem + "_edge_attributes.txt", numEdges);
      const int64_t width = numEdges ? int64_t(attributes.size()) / numEdges : 0;
      const Tensor table = narrowed(Tensor::of(attributes));
      edges.features["feat"] = {width == 1 ? table : table.reshaped({numEdges, width}), std::nullopt};
      notes.push_back("edge input feat: " + std::to_string(width) + " numbers");
    }
  }

  void readLabels() {
    if (has("_graph_labels.txt")) {
      std::vector<int64_t> classes = integerColumnIn(stem + "_graph_labels.txt", ofRows(numGraphs));
      std::string names;
      for (int64_t name : numbered(classes)) {
        data.classNames.push_back(std::to_string(name));
        names += (names.empty() ? " " : ", ") + data.classNames.back();
      }
      data.numClasses = int64_t(data.classNames.size());
      data.labels = Tensor::of(classes);
      notes.push_back("target of graphs: " + std::to_string(data.numClasses) + " classes," + names);
      if (has("_graph_attributes.txt"))
        notes.push_back("attributes of graphs are left out, as graphs have labels");
    } else if (has("_graph_attributes.txt")) {
      const std::vector<double> numbers = numbersIn(stem + "_graph_attributes.txt", numGraphs);
      const int64_t width = numGraphs ? int64_t(numbers.size()) / numGraphs : 0;
      const Tensor table = narrowed(Tensor::of(numbers));
      data.labels = width == 1 ? table : table.reshaped({numGraphs, width});
      notes.push_back("target of graphs: " + std::to_string(width) + (width == 1 ? " number" : " numbers"));
    }
    if (data.labels)
      data.labelled = "Graph";
  }

  const std::string stem; // paths of the files without their ends
  gnn::rt::Dataset &data;
  Notes &notes;
  int64_t numVertices = 0, numGraphs = 0;
};

} // namespace

std::string gnn::data_tool::tuStem(const std::string &folder) {
  std::error_code error;
  std::string stem;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().string();
    const size_t at = path.size() - std::min(path.size(), std::string(edgesEnd).size());
    std::error_code unknown;
    if (path.substr(at) != edgesEnd || !fs::exists(path.substr(0, at) + graphsEnd, unknown))
      continue;
    const std::string other = path.substr(0, at);
    require(stem.empty(), GNN_ERROR_DATA, "two sets of graphs, ", std::min(stem, other), edgesEnd, " and ",
            std::max(stem, other), edgesEnd, ": expected a folder of one");
    stem = other;
  }
  return stem;
}

void gnn::data_tool::importTu(const ImportOptions &options, rt::Dataset &data, Notes &notes) {
  refuseTableOptions(options, "a folder of TUDataset", "--split and --seed");
  require(!options.isUndirected, GNN_ERROR_ARGUMENT, options.path,
          ": --undirected does not apply: TUDataset has each edge in both directions");
  Folder(tuStem(options.path), data, notes).read();
}
