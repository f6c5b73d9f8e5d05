//===- ImportEdges.cpp - A table of edges ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/EdgeEnds.h"
#include "tools/gnn-data/EdgeInputs.h"
#include "tools/gnn-data/ImportTables.h"
#include <algorithm>
#include <map>
#include <sstream>

using namespace gnn::data_tool;
using gnn::rt::ColumnForm;
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

/// Opens the table behind the first row, which is the size. Vertices are the integers from 1, unless they are known.
std::unique_ptr<Table> openMatrix(const std::string &path, const MatrixMarket &market, VertexSet &source,
                                  VertexSet &destination, int64_t &entries) {
  auto table = std::make_unique<TextTable>(path, plainForm(' '));
  if (!table->next() || table->columns().size() != 3)
    table->fail("expected three numbers: rows, columns and entries");
  const std::optional<int64_t> rows = integerIn(table->cell(0)), columns = integerIn(table->cell(1));
  entries = integerIn(table->cell(2)).value_or(-1);
  if (!rows || rows != columns || *rows < 0 || *rows > UINT32_MAX)
    table->fail("expected the size of a square matrix");
  for (VertexSet *vertices : {&source, &destination})
    if (!vertices->table && vertices->named.size() == 0) {
      requirePlausible(*rows, entries, path);
      vertices->table = VertexIds::fromOne(*rows);
    }
  table->expectColumns(market.hasValues ? 3 : 2);
  return table;
}

/// Takes the ends of a row: numbers of vertices that are in a table, else ids.
class EndTaker {
public:
  EndTaker(const EdgeEnds &ends, Table &table, ReadEdges &edges, bool addsUnknown)
      : table(table), edges(edges),
        addsUnknown(addsUnknown), columns{ends.source, ends.target}, sets{edges.source, edges.destination} {
    edges.firstEnd[0] = edges.source->named.size();
    edges.firstEnd[1] = edges.destination->named.size();
  }

  /// False: the row is rejected.
  bool take() {
    std::optional<int64_t> numbers[2];
    for (int end = 0; end < 2; ++end) {
      const std::string_view id = table.cell(columns[end]);
      const std::string &column = table.columns()[columns[end]];
      if (id.empty()) {
        table.reject(RowFault::MissingId, column, id, "the column '", column, "' is empty, expected a vertex");
        return false;
      }
    }
    for (int end = 0; end < 2; ++end) {
      const std::string_view id = table.cell(columns[end]);
      const std::string &column = table.columns()[columns[end]];
      if (!sets[end]->table)
        continue;
      numbers[end] = sets[end]->table->find(id);
      if (!numbers[end] && addsUnknown)
        numbers[end] = sets[end]->table->add(id);
      if (!numbers[end]) {
        table.reject(RowFault::UnknownVertex, column, id, "there is no vertex '", id, "' in the table of ",
                     sets[end]->type.empty() ? "vertices" : sets[end]->type + " vertices");
        return false;
      }
    }
    ++edges.numEdges;
    for (int end = 0; end < 2; ++end)
      if (numbers[end])
        edges.ends[end].push_back(*numbers[end]);
      else
        sets[end]->named.add(table.cell(columns[end]));
    return true;
  }

private:
  Table &table;
  ReadEdges &edges;
  const bool addsUnknown;
  const size_t columns[2];
  VertexSet *const sets[2];
};

/// The number that `known` has of a type; `where` has the known edges.
int64_t numberOfType(const gnn::rt::EdgeRecord &known, const Table &table, size_t column, const std::string &where) {
  const auto found = std::find(known.types.begin(), known.types.end(), table.cell(column));
  if (found == known.types.end())
    table.fail("there are no edges of type '", table.cell(column), "' in ", where);
  return found - known.types.begin();
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

/// Rejects rows with a cell that is not of its column's kind.
void rejectRows(const EdgeOptions &own, const ImportOptions &options, const EdgeEnds &ends) {
  const auto open = [&] { return openTable(own.file, formOf(own, options), own.part); };
  std::unique_ptr<Table> table = open();
  CellOptions cells = options.cells;
  cells.badAreMissing = true;
  std::vector<std::pair<size_t, OtherCells>> columns;
  for (size_t column = 0; column < table->columns().size(); ++column) {
    const std::string &name = table->columns()[column];
    if (column != ends.source && column != ends.target && column != ends.index && name != own.typeColumn &&
        name != own.labels.label && name != own.labels.split && !table->isText(column) &&
        !std::count(own.dropped.begin(), own.dropped.end(), name))
      columns.emplace_back(column, OtherCells(name, cells, choiceOf(own.choices, name)));
  }
  while (table->next())
    for (auto &[column, guess] : columns)
      guess.see(table->cell(column), table->line());
  std::vector<std::pair<size_t, ColumnForm>> forms;
  for (auto &[column, guess] : columns)
    if (guess.decide(own.file) && guess.form().hasValues())
      forms.emplace_back(column, guess.form());
  for (table = open(); table->next();)
    for (const auto &[column, form] : forms)
      if (const std::string_view cell = table->cell(column); !options.cells.isMissing(cell) && !form.value(cell)) {
        table->reject(RowFault::Cast, form.name, cell, "the column '", form.name, "' is '", cell, "', expected a ",
                      form.kindName());
        break;
      }
}

/// The table, for further passes.
RereadTable rereadTable(const EdgeOptions &own, const ImportOptions &options) {
  return {own.file, [&own, &options] { return openTable(own.file, formOf(own, options), own.part); }};
}

/// Reads the columns again that are not all numbers as programs write them.
void readOthers(const EdgeOptions &own, const ImportOptions &options, std::vector<EdgeInput> &columns, uint64_t rows) {
  std::vector<EdgeInput *> chosen;
  for (EdgeInput &column : columns)
    if (!column.areNumbers)
      chosen.push_back(&column);
  const auto readAll = [&](auto &&read) {
    if (chosen.empty())
      return;
    rereadTable(own, options).forRows(int64_t(rows), [&](const Table &table) {
      for (EdgeInput *column : chosen)
        read(*column->others, table.cell(column->column), table);
    });
  };
  for (EdgeInput *column : chosen)
    column->others.emplace(column->name, options.cells, choiceOf(own.choices, column->name));
  readAll([](OtherCells &cells, std::string_view cell, const Table &table) { cells.see(cell, table.line()); });
  chosen.erase(std::remove_if(chosen.begin(), chosen.end(),
                              [&](EdgeInput *column) { return !column->others->decide(own.file); }),
               chosen.end());
  readAll([&](OtherCells &cells, std::string_view cell, const Table &table) { cells.take(cell, table); });
}

/// When edges become known: by a column of their own, and by the times of their ends. The column is the one that the
/// user names, else the only one of dates; where the times are numbers, the one that is called like theirs.
class EdgeTimes {
public:
  EdgeTimes(const EdgeOptions &own, const ImportOptions &options, TimesOfImport &division)
      : own(own), options(options), division(division) {}

  /// After readOthers(). Sets phases if --split divides the import by time, and times if --split-edges does. Their form
  /// is added to the division where these edges become pairs.
  void set(const Table &table, const std::vector<EdgeInput> &columns, ReadEdges &edges,
           std::vector<std::string> &notes) {
    const bool becomePairs = !own.splitEdges.empty() && !own.labels.by.empty();
    if (!division.areGiven() && !becomePairs)
      return;
    const std::string column = own.labels.by.empty() ? columnFrom(columns) : own.labels.by;
    std::vector<double> times;
    if (!column.empty())
      times = timesIn(table, column, edges);
    if (becomePairs)
      division.pairs = edges.timeForm;
    if (division.pairs)
      edges.times = times;
    if (column.empty() && edges.source->phases.empty() && edges.destination->phases.empty())
      notes.push_back("warning: " + own.recordName() + " has no column of " +
                      (division.areDates() ? "dates" : "times, as '" + division.column() + "'") +
                      ": training sees all of its edges, also later ones (--by " + own.recordName() +
                      ".COLUMN says when they are known)");
    if (!division.rows)
      return;
    std::vector<Phase> &phases = edges.phases;
    phases.assign(edges.numEdges, Phase::Train);
    for (size_t edge = 0; edge < phases.size(); ++edge) {
      if (!times.empty())
        phases[edge] = division.rows->phase(times[edge]);
      for (int end = 0; end < 2; ++end)
        if (const VertexSet &vertices = *(end ? edges.destination : edges.source); !vertices.phases.empty())
          phases[edge] = std::max(phases[edge], vertices.phase(edges.ends[end][edge]));
    }
  }

  const std::string &column() const { return used; }

private:
  /// Empty: there is none.
  std::string columnFrom(const std::vector<EdgeInput> &columns) const {
    std::vector<std::string> found;
    for (const EdgeInput &column : columns)
      if (division.areDates()
              ? column.others && column.others->isRead() && column.others->form().kind == gnn::rt::ColumnKind::Date
              : column.name == division.column())
        found.push_back(column.name);
    gnn::rt::require(found.size() < 2, GNN_ERROR_DATA, own.file, ": the edges have dates in '",
                     found.empty() ? "" : found[0], "' and '", found.empty() ? "" : found.back(), "': --by ",
                     own.recordName(), ".COLUMN says when they are known, beside --by of the label");
    return found.empty() ? "" : found[0];
  }

  std::vector<double> timesIn(const Table &table, const std::string &name, ReadEdges &edges) {
    const int64_t rows = int64_t(edges.numEdges);
    TimeColumn time(table, name, own.choices, options.cells);
    const RereadTable again = rereadTable(own, options);
    again.forRows(rows, [&](const Table &row) { time.take(row); });
    edges.timeForm = time.form(own.file);
    const bool isGiven = division.areGiven();
    gnn::rt::require(!isGiven || (edges.timeForm->kind == gnn::rt::ColumnKind::Date) == division.areDates(),
                     GNN_ERROR_DATA, own.file, ": the column '", name, "' of --by has ",
                     isGiven && division.areDates() ? "numbers, expected dates" : "dates, expected numbers", ", as '",
                     isGiven ? division.column() : "", "' has");
    used = name;
    return time.times(again, rows);
  }

  const EdgeOptions &own;
  const ImportOptions &options;
  TimesOfImport &division;
  std::string used;
};

/// Adds inputs of edges, and says what became of each column.
void moveInputs(const EdgeOptions &own, const ImportOptions &options, std::vector<EdgeInput> &columns, ReadEdges &edges,
                gnn::rt::EdgeRecord &record, Notes &notes) {
  std::map<std::string, int> uses; // of names; columns may be many, and called alike
  for (EdgeInput &column : columns) {
    const std::string wanted = identifierFrom(column.name);
    std::string name = wanted;
    for (int &again = uses.emplace(wanted, 1).first->second; edges.part.edgeFeatures.count(name);) // "a b" and "a-b"
      name = wanted + "_" + std::to_string(++again);
    const std::string kind = column.areNumbers || !column.others ? "number" : choiceText(column.others->form());
    const auto input = column.moveInto(edges.part.edgeFeatures, name, edges.phases);
    notes.tables.back().columns.emplace_back(column.name, input ? kind : "drop");
    if (input)
      record.columns.push_back(column.name);
    notes.push_back(input ? *input
                          : "column " + column.name + " of the edges is left out: " + column.fault() +
                                (column.areNumbers ? "" : " (--edge-type makes types of it)"));
  }
  if (own.like)
    for (const std::string &name : own.like->columns)
      gnn::rt::require(std::count(record.columns.begin(), record.columns.end(), name) > 0, GNN_ERROR_DATA, own.file,
                       ": there is no column '", name, "' of numbers, which the edges of ", options.likeFolder,
                       " have");
}

} // namespace

TextForm gnn::data_tool::formOf(const EdgeOptions &own, const ImportOptions &options) {
  TextForm form = options.form;
  form.named = own.dropped;
  form.named.insert(form.named.end(), {own.sourceColumn, own.targetColumn, own.typeColumn, own.labels.label,
                                       own.labels.split, own.labels.by});
  form.rejected = own.rejected;
  return form;
}

std::string gnn::data_tool::identifierFrom(const std::string &column) {
  std::string name;
  for (char c : column)
    name += std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 0x80 ? c : '_';
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? "column_" + name : name;
}

ReadEdges gnn::data_tool::importEdges(const EdgeOptions &own, const ImportOptions &options, VertexSet &source,
                                      VertexSet &destination, Notes &notes, rt::ImportRecord &importRecord,
                                      TimesOfImport &division) {
  rt::EdgeRecord &record = importRecord.edges.back();
  const std::optional<MatrixMarket> market = matrixMarketOf(own.file);
  rt::require(!market || (own.labels.label.empty() && own.labels.by.empty()), GNN_ERROR_ARGUMENT, own.file,
              ": a matrix, which has no columns for --label and --by");
  int64_t entries = 0;
  const std::unique_ptr<Table> opened = market ? openMatrix(own.file, *market, source, destination, entries)
                                               : openTable(own.file, formOf(own, options), own.part);
  Table &table = *opened;
  std::vector<std::string> names = table.columns();
  if (market) {
    names = {"1", "2", "weight"};
    names.resize(market->hasValues ? 3 : 2);
  }
  rt::require(names.size() >= 2, GNN_ERROR_DATA, own.file,
              ": one column, expected two or more: source and target of each edge");

  ReadEdges edges;
  edges.source = &source;
  edges.destination = &destination;
  const EdgeEnds columnsOfEnds = market ? EdgeEnds() : endsOf(table, own);
  if (!market && own.rejected->collects() && !options.cells.badAreMissing)
    rejectRows(own, options, columnsOfEnds);
  EndTaker ends(columnsOfEnds, table, edges, options.faults.addsUnknown);
  std::optional<size_t> typeColumn;
  if (!own.typeColumn.empty())
    typeColumn = table.column(own.typeColumn);
  const std::optional<size_t> directions =
      market || !own.typeColumn.empty() ? std::nullopt : columnOfDirections(table, columnsOfEnds);
  Labelling labelling(table, rereadTable(own, options), own.labels, own.choices, options, own.recordName());
  const bool hasLabelOfLike = options.like && options.like->labelled == own.recordName() && own.labels.label.empty();
  std::vector<EdgeInput> columns;
  for (size_t column = 0; column < names.size(); ++column) {
    const bool isDropped = std::count(own.dropped.begin(), own.dropped.end(), names[column]) > 0;
    if (hasLabelOfLike && names[column] == options.like->label)
      notes.push_back(options.like->label + " is what " + options.likeFolder + " predicts: --label " +
                      own.recordName() + "." + options.like->label + " reads it");
    else if (column != columnsOfEnds.source && column != directions && column != columnsOfEnds.target &&
             column != columnsOfEnds.index && column != typeColumn && !isDropped && !labelling.reads(column))
      columns.push_back(
          {column, names[column], !table.isText(column) && !choiceOf(own.choices, names[column]), &options.cells});
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
  const bool areTypesKnown = own.like && !own.like->types.empty();
  while (table.next()) {
    if (!ends.take())
      continue;
    if (directions && table.cell(*directions) != "Directed" && table.cell(*directions) != "Undirected")
      table.fail("the column 'Type' is '", table.cell(*directions),
                 "', expected Directed or Undirected as Gephi writes");
    edges.areUndirected.push_back(table.isUndirected() || (directions && table.cell(*directions) == "Undirected"));
    if (typeColumn && options.cells.isMissing(table.cell(*typeColumn)))
      table.fail("the column '", names[*typeColumn], "' says nothing, expected the type of the edge");
    if (typeColumn && areTypesKnown)
      knownTypes.push_back(numberOfType(*own.like, table, *typeColumn, options.likeFolder));
    else if (typeColumn)
      types.add(table.cell(*typeColumn));
    labelling.take(table);
    for (EdgeInput &column : columns)
      column.take(table.cell(column.column), table.line());
  }

  if (market && int64_t(edges.numEdges) != entries)
    rt::fail(GNN_ERROR_DATA, own.file, ": ", edges.numEdges, " entries, expected ", entries);
  if (!market && columnsOfEnds.areByPosition)
    refuseCounts(table, own, edges.numEdges);
  if (typeColumn && areTypesKnown) {
    edges.part.edgeType = Tensor::of(knownTypes);
    record.types = own.like->types;
    edges.part.numEdgeTypes = int64_t(record.types.size());
  } else if (typeColumn) {
    VertexIds typeIds = VertexIds::of(std::move(types));
    edges.part.edgeType = Tensor::of(typeIds.takeNumbers());
    for (int64_t type = 0; type < typeIds.size(); ++type) {
      record.types.push_back(typeIds.name(type));
      if (!typeIds.areNumbers())
        notes.push_back("type " + std::to_string(type) + " of edges: " + typeIds.name(type));
    }
  }
  record.isUndirected = own.isUndirected;
  TableDecisions &decisions = notes.tables.emplace_back();
  decisions.isOfEdges = true;
  decisions.name = own.relation.empty() ? "" : own.triple();
  decisions.file = own.file;
  decisions.keys = {names[columnsOfEnds.source], names[columnsOfEnds.target]};
  decisions.typeColumn = own.typeColumn;
  for (const std::string &name : own.dropped)
    if (std::count(names.begin(), names.end(), name))
      decisions.columns.emplace_back(name, "drop");
  if (!market)
    readOthers(own, options, columns, edges.numEdges);
  labelling.finish(edges.part, importRecord, notes);
  if (labelling.boundaries())
    division.rows = labelling.boundaries();
  EdgeTimes times(own, options, division);
  times.set(table, market ? std::vector<EdgeInput>() : columns, edges, notes);
  if (!times.column().empty())
    notes.times.push_back(own.recordName() + "." + times.column());
  moveInputs(own, options, columns, edges, record, notes);
  if (market)
    notes.tables.back().columns.clear(); // --column has no name for the values of a matrix
  edges.isUndirected = own.isUndirected || (market && market->isSymmetric);
  return edges;
}

ReadEdges gnn::data_tool::importPairs(const EdgeOptions &own, const PairOptions &pairs, const ImportOptions &options,
                                      VertexSet &source, VertexSet &destination, Notes &notes,
                                      const rt::EdgeRecord &record) {
  EdgeOptions like = own;
  like.file = pairs.file;
  like.rejected = pairs.rejected;
  like.labels = {};
  const std::unique_ptr<Table> opened = openTable(like.file, formOf(like, options), like.part);
  Table &table = *opened;
  const EdgeEnds columns = endsOf(table, like);
  ReadEdges read;
  read.source = &source;
  read.destination = &destination;
  EndTaker ends(columns, table, read, options.faults.addsUnknown);
  std::optional<size_t> typeColumn;
  if (!own.typeColumn.empty())
    typeColumn = table.column(own.typeColumn);
  std::vector<int64_t> types;
  while (table.next())
    if (ends.take() && typeColumn)
      types.push_back(numberOfType(record, table, *typeColumn, own.file));
  if (typeColumn)
    read.part.edgeType = Tensor::of(types);
  std::string left;
  for (size_t column = 0; column < table.columns().size(); ++column)
    if (column != columns.source && column != columns.target && column != typeColumn)
      left += (left.empty() ? "" : ", ") + table.columns()[column];
  notes.push_back("pairs of " + pairs.split + ": " + std::to_string(read.numEdges) + " from '" +
                  table.columns()[columns.source] + "' to '" + table.columns()[columns.target] + "' of " + pairs.file +
                  (left.empty() ? "" : "; left out: " + left));
  return read;
}
