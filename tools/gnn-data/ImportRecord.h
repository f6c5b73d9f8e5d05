//===- ImportRecord.h - What an import decided ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file import.json of a data set, by which other tables become the same features, classes and types.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_IMPORTRECORD_H
#define GNN_TOOLS_DATA_IMPORTRECORD_H

#include "runtime/src/core/Span.h"
#include "tools/gnn-data/ColumnForm.h"

namespace gnn::data_tool {

struct ImportRecord {
  std::vector<ColumnForm> columns;             // of vertices, in the order of their features
  std::vector<std::string> classes, edgeTypes; // what the tables call them, by number
  std::vector<std::string> edgeColumns;        // that became inputs of edges
  std::string label;                           // the column of what is to be predicted
  bool isUndirected = false;

  /// The text of import.json. Throws a data error if a text of the tables is no UTF-8, as which alone it could be told
  /// from others again.
  std::string text() const;
  /// What text() gave. Throws a data error that begins with `file` for anything else.
  static ImportRecord parse(rt::Span<const char> text, const std::string &file);
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_IMPORTRECORD_H
