//===- ImportTables.h - Tables of edges and vertices ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text tables, as they come out of databases, become parts of a data set.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_IMPORTTABLES_H
#define GNN_TOOLS_DATA_IMPORTTABLES_H

#include "runtime/src/data/Dataset.h"
#include "runtime/src/data/ImportRecord.h"
#include "tools/gnn-data/GraphmlTable.h"
#include "tools/gnn-data/Labels.h"
#include "tools/gnn-data/Specification.h"
#include "tools/gnn-data/TableOptions.h"
#include "tools/gnn-data/TextTable.h"
#include "tools/gnn-data/VertexIds.h"
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// Lines for the user on columns that were read or left out, and the decisions on tables.
struct Notes : std::vector<std::string> {
  std::vector<TableDecisions> tables;
  std::vector<std::string> times; // TABLE.COLUMN, as --by has them
  bool isSplitByTime = false;     // the rows of the table with the label
};

/// The vertices of one type: rows of a table, or those that edges name.
struct VertexSet {
  std::string type;                              // empty: the only one
  std::optional<VertexIds> table;                // ids of the rows
  IdColumn named;                                // without a table: the ends of edges, as they come
  std::optional<int64_t> numRows = std::nullopt; // of the table; ids behind them are those that edges have added
  std::vector<Phase> phases = {};                // of the rows, if they have times

  /// When a vertex becomes known. A vertex that edges have added has no time, and is the latest.
  Phase phase(int64_t vertex) const {
    return phases.empty() ? Phase::Train : size_t(vertex) < phases.size() ? phases[size_t(vertex)] : Phase::Test;
  }
};

/// The column of ids of a table of vertices: the one that the user names, else one that is called as a key.
size_t columnOfKeys(const Table &table, const VertexOptions &own);

/// Ids and times of a table of vertices.
struct ReadVertices {
  VertexIds ids;
  std::vector<Phase> phases;            // empty: rows have no times
  std::optional<Boundaries> boundaries; // where the table has the label and times
};

/// Ids, features `x`, labels and splits by a column. `part` is a data set without a schema: rows are those of the
/// table. `record` gets the columns and, of the labelled table, the label and its classes.
ReadVertices importVertices(const VertexOptions &own, const ImportOptions &options, rt::Dataset &part, Notes &notes,
                            rt::ImportRecord &record);

/// The times that divide an import.
struct TimesOfImport {
  std::optional<Boundaries> rows;      // of the table with the label, which sets them
  std::optional<rt::ColumnForm> pairs; // the times of --split-edges, which the table of these edges sets

  bool areGiven() const { return rows || pairs; }
  bool areDates() const { return rows ? rows->areDates : pairs->kind == rt::ColumnKind::Date; }
  const std::string &column() const { return rows ? rows->column : pairs->name; }
};

/// Edges whose ends are numbered when all tables have been read.
struct ReadEdges {
  VertexSet *source, *destination;
  rt::Dataset part;             // types, features, labels and splits, without a schema
  std::vector<int64_t> ends[2]; // numbers of sources and destinations that are in a table of vertices
  size_t firstEnd[2] = {};      // else: where those of this table begin in `named`
  uint64_t numEdges = 0;
  bool isUndirected = false;       // each edge is there in both directions
  std::vector<bool> areUndirected; // or those that the rows say
  std::vector<Phase> phases;       // where the import is divided by time
  std::vector<double> times;       // where --split-edges divides by time, if they have some
  std::optional<rt::ColumnForm> timeForm;
};

/// Reads a table of edges between `source` and `destination`. A Matrix Market file is read as such. `record` gets the
/// record of the edges as its last one, and their label.
ReadEdges importEdges(const EdgeOptions &own, const ImportOptions &options, VertexSet &source, VertexSet &destination,
                      Notes &notes, rt::ImportRecord &record, TimesOfImport &division);

/// Reads a file of pairs as edges without inputs, of the types that `record` has.
ReadEdges importPairs(const EdgeOptions &own, const PairOptions &pairs, const ImportOptions &options, VertexSet &source,
                      VertexSet &destination, Notes &notes, const rt::EdgeRecord &record);

/// All tables of the command line: a data set without a schema, or with one where they have names.
rt::ImportRecord importTables(const ImportOptions &options, rt::Dataset &data, Notes &notes);

// Files that hold arrays. Their vertices are numbered already, and options of tables are an argument error:

/// A folder of the Open Graph Benchmark, for a task on the vertices of one graph.
void importOgb(const ImportOptions &options, rt::Dataset &data, Notes &notes);
/// "folder/NAME" if the folder is one of TUDataset, else nothing. Throws a data error if it has two sets of graphs.
std::string tuStem(const std::string &folder);
/// A folder of TUDataset: many small graphs, with types `Vertex` and `Graph` and relations `link` and `of`.
void importTu(const ImportOptions &options, rt::Dataset &data, Notes &notes);
/// A folder of DGL's GraphBolt, by its metadata.yaml. Errors of `data` name it from here on.
void importGraphBolt(const ImportOptions &options, rt::Dataset &data, Notes &notes);
/// A .npz archive. Errors of `data` name it from here on.
void importNpz(const ImportOptions &options, rt::Dataset &data, Notes &notes);
/// Throws a data error if there are so many more vertices than edges that a number must be wrong: each takes memory.
void requirePlausible(int64_t vertices, int64_t edges, const std::string &path);
/// Throws an argument error for options other than those `allowed`. `what` is "a folder", …
void refuseTableOptions(const ImportOptions &options, const std::string &what,
                        const std::string &allowed = "--undirected, --split and --seed");

/// Imports a file or folder of any kind, with its splits. What was decided of columns, if it has any.
std::optional<rt::ImportRecord> importData(ImportOptions options, rt::Dataset &data, Notes &notes);

/// A table of text, or a part of a file of GraphML.
std::unique_ptr<Table> openTable(const std::string &path, const TextForm &form, GraphmlPart part);
/// The form of the files, with the columns that `own` and `options` name: a row that has one of them is a header.
TextForm formOf(const VertexOptions &own, const ImportOptions &options);
TextForm formOf(const EdgeOptions &own, const ImportOptions &options);

/// A name for a model's input: letters, digits and _, no digit first.
std::string identifierFrom(const std::string &column);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_IMPORTTABLES_H
