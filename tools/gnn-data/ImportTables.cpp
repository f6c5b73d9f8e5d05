//===- ImportTables.cpp - Tables become a data set ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vertices are read first, then edges, whose ends are ids of these. Vertices of a type without a table are the ids in
// its edges.
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/ImportTables.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/data/Encoder.h"
#include "tools/gnn-data/EdgeList.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

class TableImporter {
public:
  TableImporter(const ImportOptions &options, gnn::rt::Dataset &data, Notes &notes)
      : options(options), tables(tableOptions(options)), data(data), notes(notes) {}

  gnn::rt::ImportRecord run() {
    requireDropped();
    std::vector<std::shared_ptr<RejectedRows>> rejected;
    const auto say = [&](const std::shared_ptr<RejectedRows> &rows) {
      rejected.push_back(rows);
      if (rows->count())
        notes.push_back(rows->note());
    };
    for (const VertexOptions &own : tables.vertices) {
      readVertices(own);
      say(own.rejected);
    }
    for (const EdgeOptions &own : tables.edges) {
      readEdges(own);
      say(own.rejected);
    }
    for (VertexSet &vertices : sets)
      numberVertices(vertices);
    finishRejects(rejected, options.faults);
    for (size_t i = 0; i < edges.size(); ++i)
      finishEdges(edges[i], tables.edges[i]);
    return std::move(record);
  }

private:
  /// Every column that is to be dropped is in a table.
  void requireDropped() const {
    std::set<std::string> wanted, found;
    const auto look = [&](const auto &own, const Table &table) {
      for (const std::string &name : own.dropped) {
        wanted.insert(name);
        if (std::count(table.columns().begin(), table.columns().end(), name))
          found.insert(name);
      }
    };
    for (const VertexOptions &own : tables.vertices)
      if (!own.dropped.empty())
        look(own, *openTable(own.file, formOf(own, options), GraphmlPart::Nodes));
    for (const EdgeOptions &own : tables.edges)
      if (!own.dropped.empty())
        look(own, *openTable(own.file, formOf(own, options), GraphmlPart::Edges));
    for (const std::string &name : wanted)
      require(found.count(name) > 0, GNN_ERROR_ARGUMENT, "--drop: there is no column '", name, "'");
  }

  VertexSet &setOf(const std::string &type) {
    for (VertexSet &vertices : sets)
      if (vertices.type == type)
        return vertices;
    sets.push_back({type, std::nullopt, {}});
    if (tables.hasSchema)
      data.vertexTypes.push_back({type, -1, {}});
    return sets.back();
  }

  gnn::rt::VertexTable &typeOf(const VertexSet &vertices) {
    return *std::find_if(data.vertexTypes.begin(), data.vertexTypes.end(),
                         [&](const gnn::rt::VertexTable &type) { return type.name == vertices.type; });
  }

  void readVertices(const VertexOptions &own) {
    VertexSet &vertices = setOf(own.type);
    if (!tables.hasSchema) {
      vertices.table = importVertices(own, options, data, notes, record);
      vertices.numRows = vertices.table->size();
      return;
    }
    gnn::rt::Dataset part;
    vertices.table = importVertices(own, options, part, notes, record);
    vertices.numRows = vertices.table->size();
    typeOf(vertices).features = std::move(part.vertexFeatures);
    if (record.labelled != own.type)
      return;
    data.labelled = own.type;
    data.labels = part.labels;
    data.numClasses = part.numClasses;
    data.classNames = part.classNames;
    data.splits = part.splits;
  }

  void readEdges(const EdgeOptions &own) {
    VertexSet &source = setOf(own.source), &destination = setOf(own.destination);
    gnn::rt::EdgeRecord &edgeRecord = record.edges.emplace_back();
    edgeRecord.source = tables.hasSchema ? own.source : gnn::rt::plainType;
    edgeRecord.name = tables.hasSchema ? own.relation : gnn::rt::plainRelation;
    edgeRecord.destination = tables.hasSchema ? own.destination : gnn::rt::plainType;
    edges.push_back(importEdges(own, options, source, destination, notes, edgeRecord));
  }

  /// Ids in edges become vertices; `named` are their numbers then.
  void numberVertices(VertexSet &vertices) {
    if (!vertices.table) {
      vertices.table = VertexIds::of(std::move(vertices.named));
      numbers[&vertices] = vertices.table->takeNumbers();
      if (tables.hasSchema)
        notes.push_back(vertices.type + ": " + std::to_string(vertices.table->size()) +
                        " vertices, the ids in edges, as no --vertices has this type");
    }
    const VertexIds &ids = *vertices.table;
    if (vertices.numRows && ids.size() > *vertices.numRows)
      addRows(vertices);
    (tables.hasSchema ? typeOf(vertices).count : data.numVertices) = ids.size();
    if (ids.areNumbers())
      return;
    auto text = std::make_shared<std::string>(ids.lines());
    (tables.hasSchema ? typeOf(vertices).readIds : data.readIds) = [text] {
      return gnn::rt::copyBytes({text->data(), text->size()});
    };
  }

  /// Rows for the vertices that edges have added: all of their cells are missing, and so are labels.
  void addRows(const VertexSet &vertices) {
    const std::string name = tables.hasSchema ? vertices.type : gnn::rt::plainType;
    const int64_t count = vertices.table->size(), added = count - *vertices.numRows;
    notes.push_back(name + ": " + std::to_string(added) + (added == 1 ? " vertex is" : " vertices are") +
                    " added, which edges name and the table does not have; all of their cells are missing");
    auto &features = tables.hasSchema ? typeOf(vertices).features : data.vertexFeatures;
    if (const auto x = features.find("x"); x != features.end()) {
      const gnn::rt::VertexRecord &columns = record.table(name);
      x->second.dense = extended(x->second.dense, count);
      const std::vector<std::string_view> nothing(columns.columns.size());
      std::vector<gnn_cell_counts_t> counts(columns.columns.size());
      for (int64_t row = *vertices.numRows; row < count; ++row)
        gnn::rt::encodeRow(columns, nothing.data(), x->second.dense.mutableData<float>() + row * x->second.dense.dim(1),
                           counts.data());
    }
    if (!data.labels || (tables.hasSchema && data.labelled != name))
      return;
    require(data.numClasses > 0 || !options.split.empty(), GNN_ERROR_DATA, name,
            ": vertices that --unknown add makes have no ", record.label,
            ": --split, as 60%,20%, leaves them out of all splits");
    data.labels = extended(data.labels, count);
    for (int64_t row = *vertices.numRows; row < count; ++row)
      if (data.labels.element() == GNN_I64)
        data.labels.mutableData<int64_t>()[row] = -1;
      else if (data.labels.element() == GNN_F32)
        data.labels.mutableData<float>()[row] = NAN;
      else
        data.labels.mutableData<double>()[row] = NAN;
  }

  static gnn::rt::Tensor extended(const gnn::rt::Tensor &table, int64_t rows) {
    std::vector<int64_t> shape = table.shape();
    shape[0] = rows;
    gnn::rt::Tensor result = gnn::rt::Tensor::empty(table.element(), shape);
    std::memcpy(result.mutableData(), table.data(), table.bytes());
    return result;
  }

  void finishEdges(ReadEdges &read, const EdgeOptions &own) {
    gnn::rt::Dataset &part = read.part;
    part.edgeIndex = indexOf(read);
    if (read.isUndirected)
      addReverseEdges(part, notes);
    else if (std::count(read.areUndirected.begin(), read.areUndirected.end(), true))
      addReverseEdges(part, notes, read.areUndirected);
    if (!tables.hasSchema) {
      data.edgeIndex = part.edgeIndex;
      data.edgeType = part.edgeType;
      data.numEdgeTypes = part.numEdgeTypes;
      data.edgeFeatures = std::move(part.edgeFeatures);
      return;
    }
    gnn::rt::EdgeTable table;
    table.name = own.relation;
    table.source = own.source;
    table.destination = own.destination;
    table.index = part.edgeIndex;
    table.types = part.edgeType;
    table.numTypes = part.numEdgeTypes;
    table.features = std::move(part.edgeFeatures);
    data.relations.push_back(std::move(table));
  }

  /// Ends that edges name stand in their set in turns where both are of it.
  gnn::rt::Tensor indexOf(const ReadEdges &read) const {
    const int64_t count = int64_t(read.numEdges);
    gnn::rt::Tensor index = gnn::rt::Tensor::empty(GNN_I64, {2, count});
    const size_t step = read.source == read.destination ? 2 : 1;
    for (int end = 0; end < 2; ++end) {
      const auto named = numbers.find(end ? read.destination : read.source);
      int64_t *to = index.mutableData<int64_t>() + end * count;
      if (named == numbers.end())
        std::copy(read.ends[end].begin(), read.ends[end].end(), to);
      else
        for (size_t edge = 0, at = read.firstEnd[end] + (end && step == 2 ? 1 : 0); edge < read.numEdges;
             ++edge, at += step)
          to[edge] = named->second[at];
    }
    return index;
  }

  const ImportOptions &options;
  const TableOptions tables;
  gnn::rt::Dataset &data;
  Notes &notes;
  gnn::rt::ImportRecord record;
  std::deque<VertexSet> sets; // edges refer to them
  std::vector<ReadEdges> edges;
  std::map<const VertexSet *, std::vector<int64_t>> numbers; // of the ends in `named`
};

} // namespace

gnn::rt::ImportRecord gnn::data_tool::importTables(const ImportOptions &options, gnn::rt::Dataset &data, Notes &notes) {
  return TableImporter(options, data, notes).run();
}
