//===- ImportEdges.cpp - A table of edges ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/EdgeEnds.h"
#include "tools/gnn-data/EdgeList.h"
#include "tools/gnn-data/ImportTables.h"
#include "tools/gnn-data/NumberColumn.h"
#include <algorithm>
#include <map>
#include <sstream>

using namespace gnn::data_tool;
using gnn::rt::Tensor;

namespace {

/// What the first line of a Matrix Market file says (Boisvert, Pozo and Remington 1996).
struct MatrixMarket {
  bool hasValues = false, isSymmetric = false;
};

std::optional<MatrixMarket> matrixMarketOf(const std::string &path) {
  std::string line(1024, '\0');
  line.resize(TextFile(path).read(line.data(), line.size()));
  line.resize(std::min(line.size(), line.find('\n')));
  if (line.compare(0, 14, "%%MatrixMarket") != 0)
    return std::nullopt;
  std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  std::istringstream words(line);
  std::string banner, object, layout, field, symmetry;
  words >> banner >> object >> layout >> field >> symmetry;
  gnn::rt::require(object == "matrix" && layout == "coordinate" && field != "complex" &&
                       (symmetry == "general" || symmetry == "symmetric"),
                   GNN_ERROR_DATA, path,
                   ":1: expected a matrix in coordinates, real, integer or pattern, general or symmetric");
  return MatrixMarket{field != "pattern", symmetry == "symmetric"};
}

/// The first row is the size; vertices are the integers from 1, unless they are known.
std::unique_ptr<Table> openMatrix(const std::string &path, const MatrixMarket &market, std::optional<VertexIds> &known,
                                  int64_t &entries) {
  auto table = std::make_unique<TextTable>(path, plainForm(' '));
  if (!table->next() || table->columns().size() != 3)
    table->fail("expected three numbers: rows, columns and entries");
  const std::optional<int64_t> rows = integerIn(table->cell(0)), columns = integerIn(table->cell(1));
  entries = integerIn(table->cell(2)).value_or(-1);
  if (!rows || rows != columns || *rows < 0 || *rows > UINT32_MAX)
    table->fail("expected the size of a square matrix");
  if (!known) {
    requirePlausible(*rows, entries, path);
    known = VertexIds::fromOne(*rows);
  }
  table->expectColumns(market.hasValues ? 3 : 2);
  return table;
}

/// Ends and features of edges as the rows come.
class EdgeRows {
public:
  EdgeRows(const EdgeEnds &ends, Table &table, std::optional<VertexIds> known)
      : table(table), known(std::move(known)), source(ends.source), target(ends.target) {}

  uint64_t size() const { return rows; }

  void take() {
    ++rows;
    for (size_t column : {source, target}) {
      const std::string_view id = table.cell(column);
      if (!known) {
        if (isMissing(id))
          table.fail("the column '", table.columns()[column], "' is '", id,
                     "', which stands for nothing, expected a vertex");
        ids.add(id);
        continue;
      }
      const std::optional<int64_t> number = known->find(id);
      if (!number)
        table.fail("there is no vertex '", id, "' in the table of vertices");
      ends.push_back(*number);
    }
  }

  /// The ids, and the edges between their numbers.
  VertexIds finish(Tensor &edgeIndex) {
    VertexIds result = known ? std::move(*known) : VertexIds::of(std::move(ids));
    edgeIndex = edgeIndexOf(known ? ends : result.takeNumbers());
    return result;
  }

private:
  Table &table;
  std::optional<VertexIds> known;
  const size_t source, target;
  IdColumn ids;
  std::vector<int64_t> ends;
  uint64_t rows = 0;
};

int64_t numberOfType(const ImportRecord &like, const Table &table, size_t column, const std::string &folder) {
  const auto found = std::find(like.edgeTypes.begin(), like.edgeTypes.end(), table.cell(column));
  if (found == like.edgeTypes.end())
    table.fail("there are no edges of type '", table.cell(column), "' in ", folder);
  return found - like.edgeTypes.begin();
}

/// Gephi's column `Type`: Directed or Undirected in every row of the sample.
std::optional<size_t> columnOfDirections(const Table &table, const EdgeEnds &ends) {
  const auto found = std::find(table.columns().begin(), table.columns().end(), "Type");
  const size_t column = size_t(found - table.columns().begin());
  const auto &rows = table.sampleRows();
  const bool isOfGephi = found != table.columns().end() && table.columns()[ends.source] == "Source" && !rows.empty() &&
                         std::all_of(rows.begin(), rows.end(), [&](const auto &row) {
                           return row[column] == "Directed" || row[column] == "Undirected";
                         });
  return isOfGephi ? std::optional(column) : std::nullopt;
}

/// A column of the edges that becomes a feature.
struct EdgeColumn {
  size_t column;
  bool isNumber = true;   // or 1 and 0, of booleans
  bool isBoolean = false; // as its first cell is
  uint64_t firstBad = 0;  // line of the first cell that is not of this kind, and the cell
  std::string badCell;
  NumberColumn numbers;

  void take(const Table &table) {
    if (!isNumber)
      return;
    const std::string_view cell = table.cell(column);
    const std::optional<bool> truth = booleanIn(cell);
    isBoolean = isBoolean || (truth && numbers.size() == 0);
    isNumber = isBoolean ? truth && numbers.add(*truth ? "1" : "0") : numbers.add(cell);
    if (!isNumber) {
      firstBad = table.line();
      badCell = cell;
    }
  }

  /// Why it is left out.
  std::string fault() const {
    if (firstBad == 0)
      return "it has texts";
    return "line " + std::to_string(firstBad) +
           (isBoolean                                ? " is neither true nor false"
            : hasDecimalComma(badCell)               ? " has '" + badCell + "' with a decimal comma, expected a point"
            : realIn(badCell) || isTooLarge(badCell) ? " has '" + badCell + "', which 64 bits do not hold"
                                                     : " has no number");
  }
};

} // namespace

std::string gnn::data_tool::identifierFrom(const std::string &column) {
  std::string name;
  for (char c : column)
    name += std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 0x80 ? c : '_';
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? "column_" + name : name;
}

VertexIds gnn::data_tool::importEdges(const ImportOptions &options, std::optional<VertexIds> known, rt::Dataset &data,
                                      Notes &notes, ImportRecord &record, std::set<std::string> found) {
  const std::optional<MatrixMarket> market = matrixMarketOf(options.edges);
  TextForm form = options.form;
  form.named = options.dropped;
  form.named.insert(form.named.end(), {options.source, options.target, options.edgeType});
  int64_t entries = 0;
  const std::unique_ptr<Table> opened =
      market ? openMatrix(options.edges, *market, known, entries) : openTable(options.edges, form, GraphmlPart::Edges);
  Table &table = *opened;
  std::vector<std::string> names = table.columns();
  if (market) {
    names = {"1", "2", "weight"};
    names.resize(market->hasValues ? 3 : 2);
  }
  rt::require(names.size() >= 2, GNN_ERROR_DATA, options.edges,
              ": one column, expected two or more: source and target of each edge");

  for (const std::string &dropped : options.dropped)
    if (std::count(names.begin(), names.end(), dropped))
      found.insert(dropped);
  for (const std::string &dropped : options.dropped)
    rt::require(found.count(dropped) > 0, GNN_ERROR_ARGUMENT, "--drop: there is no column '", dropped, "'");

  const EdgeEnds columnsOfEnds = market ? EdgeEnds() : endsOf(table, options.edges, options.source, options.target);
  EdgeRows ends(columnsOfEnds, table, std::move(known));
  std::optional<size_t> typeColumn;
  if (!options.edgeType.empty())
    typeColumn = table.column(options.edgeType);
  const std::optional<size_t> directions =
      market || !options.edgeType.empty() ? std::nullopt : columnOfDirections(table, columnsOfEnds);
  std::vector<EdgeColumn> columns;
  for (size_t column = 0; column < names.size(); ++column) {
    const bool isDropped = std::count(options.dropped.begin(), options.dropped.end(), names[column]) > 0;
    if (column != columnsOfEnds.source && column != directions && column != columnsOfEnds.target &&
        column != columnsOfEnds.index && column != typeColumn && !isDropped)
      columns.push_back({column, !table.isText(column), false, 0, "", {}});
  }
  if (const std::string note = table.note(); !market && !note.empty())
    notes.push_back(note);
  if (!market && !table.sampleRows().empty())
    notes.push_back("edges go from the column '" + names[columnsOfEnds.source] + "' to '" +
                    names[columnsOfEnds.target] + "'" +
                    (columnsOfEnds.index ? "; the unnamed first column is an index and is left out" : ""));
  if (directions)
    notes.push_back("column Type says which edges are there in both directions");
  IdColumn types;
  std::vector<int64_t> knownTypes;
  const bool areTypesKnown = options.like && !options.like->edgeTypes.empty();
  std::vector<bool> isUndirected;
  while (table.next()) {
    ends.take();
    if (directions && table.cell(*directions) != "Directed" && table.cell(*directions) != "Undirected")
      table.fail("the column 'Type' is '", table.cell(*directions),
                 "', expected Directed or Undirected as Gephi writes");
    isUndirected.push_back(table.isUndirected() || (directions && table.cell(*directions) == "Undirected"));
    if (typeColumn && isMissing(table.cell(*typeColumn)))
      table.fail("the column '", names[*typeColumn], "' says nothing, expected the type of the edge");
    if (typeColumn && areTypesKnown)
      knownTypes.push_back(numberOfType(*options.like, table, *typeColumn, options.likeFolder));
    else if (typeColumn)
      types.add(table.cell(*typeColumn));
    for (EdgeColumn &column : columns)
      column.take(table);
  }

  if (market && int64_t(ends.size()) != entries)
    rt::fail(GNN_ERROR_DATA, options.edges, ": ", ends.size(), " entries, expected ", entries);

  if (!market && columnsOfEnds.areByPosition)
    refuseCounts(table, options.edges, ends.size());
  VertexIds ids = ends.finish(data.edgeIndex);
  if (typeColumn && areTypesKnown) {
    data.edgeType = Tensor::of(knownTypes);
    record.edgeTypes = options.like->edgeTypes;
    data.numEdgeTypes = int64_t(record.edgeTypes.size());
  } else if (typeColumn) {
    VertexIds typeIds = VertexIds::of(std::move(types));
    data.edgeType = Tensor::of(typeIds.takeNumbers());
    for (int64_t type = 0; type < typeIds.size(); ++type) {
      record.edgeTypes.push_back(typeIds.name(type));
      if (!typeIds.areNumbers())
        notes.push_back("type " + std::to_string(type) + " of edges: " + typeIds.name(type));
    }
  }
  record.isUndirected = options.isUndirected;
  if (options.like)
    for (const std::string &name : options.like->edgeColumns)
      rt::require(
          std::any_of(columns.begin(), columns.end(),
                      [&](const EdgeColumn &column) { return column.isNumber && names[column.column] == name; }),
          GNN_ERROR_DATA, options.edges, ": there is no column '", name, "' of numbers, which the edges of ",
          options.likeFolder, " have");
  std::map<std::string, int> uses; // of names; columns may be many, and called alike
  for (EdgeColumn &column : columns) {
    if (column.isNumber)
      record.edgeColumns.push_back(names[column.column]);
    const std::string wanted = identifierFrom(names[column.column]);
    std::string name = wanted;
    for (int &again = uses.emplace(wanted, 1).first->second; data.edgeFeatures.count(name);) // "a b" and "a-b"
      name = wanted + "_" + std::to_string(++again);
    std::string note = "column " + names[column.column] + " of the edges is left out: " + column.fault() +
                       " (--edge-type makes types of it)";
    if (column.isNumber) {
      const Tensor values = column.numbers.tensor();
      data.edgeFeatures[name].dense = values;
      const std::string element = rt::elementName(values.element());
      note = "edge input " + name + (column.isBoolean ? ": 1 where true, else 0" : ": number");
      if (values.element() != GNN_F32)
        note += ", " + element + " as f32 would round it (a model declares `input " + name + ": " + element + "`)";
    }
    notes.push_back(note);
  }
  if (options.isUndirected || (market && market->isSymmetric))
    addReverseEdges(data);
  else if (std::count(isUndirected.begin(), isUndirected.end(), true))
    addReverseEdges(data, isUndirected);
  return ids;
}
