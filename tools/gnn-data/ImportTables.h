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
#include "tools/gnn-data/ColumnTypes.h"
#include "tools/gnn-data/GraphmlTable.h"
#include "tools/gnn-data/ImportRecord.h"
#include "tools/gnn-data/TextTable.h"
#include "tools/gnn-data/VertexIds.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// Integers and texts are classes, other numbers numbers; or what the user says.
enum class LabelKind { Auto, Class, Number };

struct ImportOptions {
  std::string edges, to, vertices;      // files and the folder
  std::string source, target, edgeType; // columns of the edges; empty: the first two, none
  std::string id, label, split;         // columns of the vertices; empty: the first, none; `split` may be counts
  LabelKind labelKind = LabelKind::Auto;
  std::vector<std::string> dropped; // columns not to read
  TextForm form;
  bool isUndirected = false, isScaled = true;
  bool existOk = false; // a data set in `to` is replaced
  uint64_t seed = 0;
  std::string likeFolder;           // of an earlier import, or empty
  std::optional<ImportRecord> like; // what that decided
};

/// What is told of columns that were read or left out.
using Notes = std::vector<std::string>;

/// Ids, features `x`, labels and splits by a column. Rows of `data` are those of the table.
VertexIds importVertices(const ImportOptions &options, rt::Dataset &data, Notes &notes, ImportRecord &record,
                         std::set<std::string> &found);

/// Edges between known vertices, or between those that the edges name, with their features and types. A Matrix Market
/// file is read as such. `found` are columns of the vertices: one that is dropped is there or here. Returns the ids.
VertexIds importEdges(const ImportOptions &options, std::optional<VertexIds> known, rt::Dataset &data, Notes &notes,
                      ImportRecord &record, std::set<std::string> found);

// Files that hold arrays. Their vertices are numbered already, and options of tables are an argument error:

/// A folder of the Open Graph Benchmark, for a task on the vertices of one graph.
void importOgb(const ImportOptions &options, rt::Dataset &data, Notes &notes);
/// A folder of DGL's GraphBolt, by its metadata.yaml. Errors of `data` name it from here on.
void importGraphBolt(const ImportOptions &options, rt::Dataset &data, Notes &notes);
/// A .npz archive. Errors of `data` name it from here on.
void importNpz(const ImportOptions &options, rt::Dataset &data, Notes &notes);
/// Throws a data error if there are so many more vertices than edges that a number must be wrong: each takes memory.
void requirePlausible(int64_t vertices, int64_t edges, const std::string &path);
/// `what` is "a folder", …
void refuseTableOptions(const ImportOptions &options, const std::string &what);

/// Imports a file or folder of any kind, with its splits. What was decided of columns, if it has any.
std::optional<ImportRecord> importData(ImportOptions options, rt::Dataset &data, Notes &notes);

/// A table of text, or a part of a file of GraphML.
std::unique_ptr<Table> openTable(const std::string &path, const TextForm &form, GraphmlPart part);

/// A name for a model's input: letters, digits and _, no digit first.
std::string identifierFrom(const std::string &column);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_IMPORTTABLES_H
