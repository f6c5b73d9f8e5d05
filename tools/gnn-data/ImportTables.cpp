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
#include "tools/gnn-data/GraphTables.h"
#include "tools/gnn-data/HeldOutEdges.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
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
      const size_t numNotes = notes.size();
      readEdges(own);
      if (!own.isOfGraphs) {
        say(own.rejected);
        continue;
      }
      notes.resize(numNotes); // the table of vertices has the others
      notes.push_back("graphs of " + own.source + " are in the column '" + own.targetColumn + "'");
      notes.tables.pop_back(); // --graph-id says it
    }
    for (size_t i = 0; i < edges.size(); ++i)
      for (const PairOptions &own : tables.edges[i].pairs) {
        pairs.push_back({own.split, importPairs(tables.edges[i], own, options, *edges[i].source, *edges[i].destination,
                                                notes, record.edges[i])});
        say(own.rejected);
      }
    for (VertexSet &vertices : sets)
      numberVertices(vertices);
    finishRejects(rejected, options.faults);
    requireWholeGraphs();
    for (size_t i = 0; i < edges.size(); ++i)
      finishEdges(edges[i], tables.edges[i]);
    warnOfOtherRelations();
    notes.isSplitByTime = division.rows.has_value();
    for (const auto &[split, read] : pairs) {
      std::vector<int64_t> all(read.numEdges);
      std::iota(all.begin(), all.end(), int64_t(0));
      data.pairs[split] = pairsOf(indexOf(read), read.part.edgeType, all);
    }
    return std::move(record);
  }

private:
  /// No edge is between two graphs, if --graph-id says which there are. Warns of vertices without a graph.
  void requireWholeGraphs() {
    for (size_t i = 0; i < edges.size(); ++i) {
      if (!tables.edges[i].isOfGraphs)
        continue;
      const VertexIds &ids = *edges[i].source->table;
      const std::vector<int64_t> graphs = graphsOf(indexOf(edges[i]), ids.size());
      for (size_t other = 0; other < edges.size(); ++other)
        if (edges[other].source == edges[i].source && edges[other].destination == edges[i].source)
          requireOneGraph(indexOf(edges[other]), graphs, ids, tables.edges[other].file);
      if (const auto lost = std::count(graphs.begin(), graphs.end(), -1); lost > 0)
        notes.push_back("warning: " + std::to_string(lost) + " vertices of type " + tables.edges[i].source +
                        " belong to no graph");
    }
  }

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
        look(own, *openTable(own.file, formOf(own, options), own.part));
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
    gnn::rt::Dataset part;
    ReadVertices read = importVertices(own, options, part, notes, record);
    vertices.table = std::move(read.ids);
    vertices.numRows = vertices.table->size();
    vertices.phases = std::move(read.phases);
    if (read.boundaries)
      division.rows = read.boundaries;
    if (tables.hasSchema)
      typeOf(vertices).features = std::move(part.vertexFeatures);
    else
      data.vertexFeatures = std::move(part.vertexFeatures);
    if (!tables.hasSchema || record.labelled == own.type)
      takeLabels(part, own.type);
  }

  /// `labelled`: as data sets call what has the labels.
  void takeLabels(const gnn::rt::Dataset &part, const std::string &labelled) {
    data.labelled = labelled;
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
    edges.push_back(importEdges(own, options, source, destination, notes, record, division));
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
    if (!data.labels || (tables.hasSchema ? data.labelled != name : !data.labelled.empty()))
      return;
    require(data.numClasses > 0 || !options.split.empty(), GNN_ERROR_DATA, name,
            ": vertices that --unknown add makes have no ", record.label,
            ": --split, as 60%,20%, leaves them out of all splits");
    data.labels = extended(data.labels, count);
    for (int64_t row = *vertices.numRows; row < count; ++row)
      clearLabel(data.labels, row);
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
    if (read.isUndirected || std::count(read.areUndirected.begin(), read.areUndirected.end(), true)) {
      const std::vector<int64_t> given =
          addReverseEdges(part, notes, read.isUndirected ? std::vector<bool>() : read.areUndirected);
      for (int64_t edge : given) {
        if (!read.phases.empty())
          read.phases.push_back(read.phases[size_t(edge)]);
        if (!read.times.empty())
          read.times.push_back(read.times[size_t(edge)]);
      }
      if (part.labels)
        part.labels = withoutLabels(part.labels, part.edgeIndex.dim(1), own.file);
    }
    if (!own.splitEdges.empty())
      holdOutEdges(read, own);
    else if (laterPairs && !read.times.empty())
      addPhases(read, *laterPairs);
    if (!read.phases.empty())
      orderByPhase(part, read.phases, own, notes);
    if (record.labelled == own.recordName())
      takeLabels(part, own.recordName());
    if (!tables.hasSchema) {
      data.edgeIndex = part.edgeIndex;
      data.edgeType = part.edgeType;
      data.numEdgeTypes = part.numEdgeTypes;
      data.edgeFeatures = std::move(part.edgeFeatures);
      data.known = part.known;
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
    table.known = part.known;
    data.relations.push_back(std::move(table));
  }

  /// Edges are known when both `boundaries` and the phases that they have say so.
  static void addPhases(ReadEdges &read, const Boundaries &boundaries) {
    read.phases.resize(read.times.size(), Phase::Train);
    for (size_t edge = 0; edge < read.times.size(); ++edge)
      read.phases[edge] = std::max(read.phases[edge], boundaries.phase(read.times[edge]));
  }

  /// Pairs of --split-edges are drawn from one relation. Another one, such as its reverse, may have them, too.
  void warnOfOtherRelations() {
    const auto pairsOf = std::find_if(tables.edges.begin(), tables.edges.end(),
                                      [](const EdgeOptions &own) { return !own.splitEdges.empty(); });
    if (pairsOf == tables.edges.end() || !tables.hasSchema)
      return;
    std::set<std::pair<int64_t, int64_t>> heldOut;
    for (const char *split : {"val", "test"}) {
      const gnn::rt::Tensor &pairs = data.pairs.at(split);
      const int64_t width = pairs.dim(1);
      for (int64_t i = 0; i < pairs.dim(0); ++i)
        heldOut.emplace(pairs.data<int64_t>()[i * width], pairs.data<int64_t>()[(i + 1) * width - 1]);
    }
    for (const gnn::rt::EdgeTable &other : data.relations) {
      const bool isAlike = other.source == pairsOf->source && other.destination == pairsOf->destination,
                 isReversed = other.source == pairsOf->destination && other.destination == pairsOf->source;
      if (other.triple() == pairsOf->triple() || !(isAlike || isReversed) ||
          !other.known.empty()) // earlier ones may be
        continue;
      const int64_t all = other.index.dim(1), *sources = other.index.data<int64_t>(), *destinations = sources + all;
      int64_t found = 0;
      for (int64_t edge = 0; edge < all; ++edge)
        found += (isAlike && heldOut.count({sources[edge], destinations[edge]})) ||
                 (isReversed && heldOut.count({destinations[edge], sources[edge]}));
      if (found > 0)
        notes.push_back("warning: " + other.triple() + " has " + std::to_string(found) +
                        (found == 1 ? " edge" : " edges") + " between the ends of pairs of " + pairsOf->recordName() +
                        " that are held out, and training sees " + (found == 1 ? "it" : "them"));
    }
  }

  /// Edges become pairs; those that are not for training leave the graph.
  void holdOutEdges(ReadEdges &read, const EdgeOptions &own) {
    gnn::rt::Dataset &part = read.part;
    require(!part.labels, GNN_ERROR_ARGUMENT, "--split-edges ", options.splitEdges, ": the edges of ", own.recordName(),
            " have labels, and pairs have none: --split divides labelled edges");
    HeldOut held = holdOut(part, int64_t(read.numEdges),
                           {own.splitEdges, read.times, read.timeForm, options.seed, read.source == read.destination});
    const int64_t all = part.edgeIndex.dim(1);
    choose(part, held.kept);
    std::vector<Phase> phases;
    if (!read.phases.empty())
      for (int64_t edge : held.kept)
        phases.push_back(read.phases[size_t(edge)]);
    read.phases = std::move(phases);
    std::string text = "pairs of " + own.recordName() + ":";
    for (const char *split : {"train", "val", "test"})
      text += (split == std::string("train") ? " " : ", ") + std::string(split) + " " +
              std::to_string(held.pairs.at(split).dim(0));
    text += "; " + std::to_string(held.kept.size()) + " of " + std::to_string(all) + " edges are left in the graph";
    if (held.numRepeated > 0)
      text += "; " + std::to_string(held.numRepeated) + " later edges are pairs of training, and are left out";
    notes.push_back(text);
    laterPairs = held.boundaries;
    data.pairs = std::move(held.pairs);
  }

  /// The edges `rows`, in this order.
  static void choose(gnn::rt::Dataset &part, const std::vector<int64_t> &rows) {
    const int64_t count = int64_t(rows.size()), all = part.edgeIndex.dim(1);
    gnn::rt::Tensor index = gnn::rt::Tensor::empty(GNN_I64, {2, count});
    for (int64_t i = 0; i < count; ++i)
      for (int64_t end = 0; end < 2; ++end)
        index.mutableData<int64_t>()[end * count + i] = part.edgeIndex.data<int64_t>()[end * all + rows[size_t(i)]];
    part.edgeIndex = index;
    if (part.edgeType)
      part.edgeType = part.edgeType.rowsAt(rows);
    for (auto &[name, feature] : part.edgeFeatures)
      feature.dense = feature.dense.rowsAt(rows);
    if (part.labels)
      part.labels = part.labels.rowsAt(rows);
  }

  /// Edges of one phase are before those of the next, each in their order; `part.known` counts them.
  void orderByPhase(gnn::rt::Dataset &part, const std::vector<Phase> &phases, const EdgeOptions &own, Notes &notes) {
    std::vector<int64_t> order(phases.size()), places(phases.size());
    std::iota(order.begin(), order.end(), int64_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](int64_t a, int64_t b) { return phases[size_t(a)] < phases[size_t(b)]; });
    for (size_t place = 0; place < order.size(); ++place)
      places[size_t(order[place])] = int64_t(place);
    const int64_t all = int64_t(phases.size()), train = std::count(phases.begin(), phases.end(), Phase::Train),
                  val = train + std::count(phases.begin(), phases.end(), Phase::Val);
    if (train == all)
      return;
    choose(part, order);
    for (auto &[name, ids] : part.splits) {
      std::vector<int64_t> moved;
      for (int64_t id : ids.values<int64_t>())
        moved.push_back(places[size_t(id)]);
      std::sort(moved.begin(), moved.end());
      ids = gnn::rt::Tensor::of(moved);
    }
    part.known = {{"train", train}, {"val", val}};
    notes.push_back((train == 0 ? "warning: " : "") + (own.relation.empty() ? "edges" : own.relation) +
                    ": training sees " + std::to_string(train) + " of " + std::to_string(all) + " edges, validation " +
                    std::to_string(val) + "; the others are later");
  }

  /// So many rows; those behind the given ones have no label.
  gnn::rt::Tensor withoutLabels(const gnn::rt::Tensor &labels, int64_t rows, const std::string &table) const {
    require(labels.element() == GNN_I64 || !options.split.empty(), GNN_ERROR_DATA, table,
            ": edges that are added in the other direction have no label: --split, as 60%,20%, leaves them out of all "
            "splits");
    gnn::rt::Tensor result = extended(labels, rows);
    for (int64_t row = labels.dim(0); row < rows; ++row)
      clearLabel(result, row);
    return result;
  }

  static void clearLabel(gnn::rt::Tensor &labels, int64_t row) {
    if (labels.element() == GNN_I64)
      labels.mutableData<int64_t>()[row] = -1;
    else if (labels.element() == GNN_F32)
      labels.mutableData<float>()[row] = NAN;
    else
      labels.mutableData<double>()[row] = NAN;
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
  TimesOfImport division;
  std::optional<Boundaries> laterPairs;                 // of --split-edges
  std::vector<std::pair<std::string, ReadEdges>> pairs; // by split
};

} // namespace

gnn::rt::ImportRecord gnn::data_tool::importTables(const ImportOptions &options, gnn::rt::Dataset &data, Notes &notes) {
  return TableImporter(options, data, notes).run();
}
