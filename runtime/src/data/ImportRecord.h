//===- ImportRecord.h - What an import decided ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file import.json of a data set, by which rows of other tables become the same features, classes and types.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_IMPORTRECORD_H
#define GNN_DATA_IMPORTRECORD_H

#include "runtime/src/core/Span.h"
#include "runtime/src/data/ColumnForm.h"

namespace gnn::rt {

/// A table of vertices, whose columns become the feature `x`, side by side.
struct VertexRecord {
  std::string type;
  std::vector<ColumnForm> columns; // in the order of their features

  /// Features of a row.
  size_t width() const;
};

/// A table of edges.
struct EdgeRecord {
  std::string source, name, destination; // types of its ends, the relation between them
  std::vector<std::string> types;        // the user's names of edge types, by number; empty: none
  std::vector<std::string> columns;      // that became inputs of edges
  bool isUndirected = false;

  /// "customer:bought:product".
  std::string triple() const { return source + ":" + name + ":" + destination; }
};

struct ImportRecord {
  std::vector<VertexRecord> vertices;
  std::vector<EdgeRecord> edges;
  std::string labelled;             // the type that has labels; empty: none has
  std::string label;                // its column
  std::vector<std::string> classes; // the user's names of classes, by number; empty: labels are no classes

  /// The table of this type; empty: the only one. Throws an argument error with the types that exist if there is none.
  const VertexRecord &table(const std::string &type) const;

  /// The text of import.json. Throws a data error if a text of the tables is no UTF-8: it could not be told from others
  /// again.
  std::string text() const;
  /// Parses the result of text(). Throws a data error that begins with `file` for anything else.
  static ImportRecord parse(Span<const char> text, const std::string &file);
};

/// The types of vertices and the relation of data sets that have one of each, without a schema.
inline constexpr char plainType[] = "vertex", plainRelation[] = "edge";

} // namespace gnn::rt

#endif // GNN_DATA_IMPORTRECORD_H
