//===- TableOptions.h - Which option is for which table ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An import has tables of vertices, each of a type, and of edges, each of a relation between two types. The short form
// of the command line, one of each without names, is a case of that.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_TABLEOPTIONS_H
#define GNN_TOOLS_DATA_TABLEOPTIONS_H

#include "runtime/src/data/Cells.h"
#include "runtime/src/data/ImportRecord.h"
#include "tools/gnn-data/GraphmlTable.h"
#include "tools/gnn-data/TextTable.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// Integers and texts are classes, other numbers numbers; or what the user says.
enum class LabelKind { Auto, Class, Number };

/// How cells of all tables are read. What is not given is found out, column by column.
struct CellOptions {
  std::optional<char> decimal;   // '.' or ','
  std::optional<char> thousands; // between groups of three digits, where there are groups
  std::optional<rt::DateOrder> dates;
  bool badAreMissing = false; // cells that are not of their column's kind

  std::vector<std::string> missing; // words for it in place of the usual ones; nothing is always missing

  bool areGiven() const { return decimal || thousands || dates || badAreMissing || !missing.empty(); }
  bool isMissing(std::string_view cell) const { return rt::isMissing(cell, missing); }
};

/// The kind that the user gives a column.
struct ColumnChoice {
  rt::ColumnKind kind;
  std::optional<rt::DateOrder> dates;
};
using ColumnChoices = std::map<std::string, ColumnChoice>; // by column

inline std::optional<ColumnChoice> choiceOf(const ColumnChoices &choices, const std::string &column) {
  const auto found = choices.find(column);
  return found == choices.end() ? std::nullopt : std::optional(found->second);
}

/// The command line, as it is. TABLE is a type of vertices, or a relation by its name or as
/// SOURCE:RELATION:DESTINATION.
struct ImportOptions {
  std::string path, to;               // the file of edges, or what has everything; empty: --edges. The folder
  std::vector<std::string> vertices;  // [TYPE=]FILE
  std::vector<std::string> edges;     // [SOURCE:RELATION:DESTINATION=]FILE
  std::vector<std::string> ids;       // [TABLE=]COLUMN
  std::vector<std::string> ends;      // TABLE=SOURCE_COLUMN,DESTINATION_COLUMN
  std::vector<std::string> edgeTypes; // [TABLE.]COLUMN
  std::vector<std::string> dropped;   // [TABLE.]COLUMN
  std::vector<std::string> kinds;     // [TABLE.]COLUMN=KIND
  std::string source, target;         // columns of the only table of edges
  std::string label, split;           // [TABLE.]COLUMN; `split` may be counts, shares or boundaries of `by`
  std::vector<std::string> by;        // [TABLE.]COLUMN: when rows of what is labelled, and edges, become known
  std::string splitEdges;             // [TABLE=]SHARES: edges that become pairs
  std::vector<std::string> pairs;     // SPLIT[:TABLE]=FILE
  std::string graphId;                // [TYPE.]COLUMN: the graph of each vertex
  LabelKind labelKind = LabelKind::Auto;
  TextForm form;
  CellOptions cells;
  FaultOptions faults;
  bool isUndirected = false, isScaled = true;
  bool existOk = false; // a data set in `to` is replaced
  bool isDryRun = false;
  uint64_t seed = 0;
  std::string likeFolder;               // of an earlier import, or empty
  std::optional<rt::ImportRecord> like; // what that decided

  /// Whether `split` is two counts or shares.
  bool splitsByNumbers() const { return split.find(',') != std::string::npos; }
};

/// Columns that label, divide and order the rows of a table; empty where none is named.
struct LabelColumns {
  std::string label, split, by;
};

/// A table of vertices. Columns are empty where none is named.
struct VertexOptions {
  std::string type, file; // the type is empty without a schema
  std::string id;
  LabelColumns labels;
  std::vector<std::string> dropped;
  ColumnChoices choices;
  const rt::VertexRecord *like = nullptr; // of the earlier import
  std::shared_ptr<RejectedRows> rejected;
};

/// A file of pairs, which has the columns of the ends and the type as the table of edges has.
struct PairOptions {
  std::string split, file;
  std::shared_ptr<RejectedRows> rejected;
};

/// A table of edges.
struct EdgeOptions {
  std::string source, relation, destination, file; // names are empty without a schema
  GraphmlPart part = GraphmlPart::Edges;
  std::string sourceColumn, targetColumn, typeColumn;
  LabelColumns labels; // `by`: when edges become known
  std::string splitEdges;
  std::vector<PairOptions> pairs;
  std::vector<std::string> dropped;
  ColumnChoices choices;
  const rt::EdgeRecord *like = nullptr; // of the earlier import
  bool isUndirected = false;
  bool isOfGraphs = false; // read from the table of vertices, as --graph-id says
  std::shared_ptr<RejectedRows> rejected;

  std::string triple() const { return source + ":" + relation + ":" + destination; }
  /// As records and options call it.
  std::string recordName() const { return relation.empty() ? rt::plainRelation : triple(); }
  /// "--ends … says which columns are the ends", for messages.
  std::string sayEnds() const;
};

struct TableOptions {
  std::vector<VertexOptions> vertices;
  std::vector<EdgeOptions> edges;
  bool hasSchema = false;
};

/// Assigns the options to tables. Throws an argument error where one fits no table or more than one, naming these; the
/// columns of tables are read for that where an option names no table.
TableOptions tableOptions(const ImportOptions &options);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_TABLEOPTIONS_H
