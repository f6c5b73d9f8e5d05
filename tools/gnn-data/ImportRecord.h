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

#include "tools/gnn-data/ColumnForm.h"

namespace gnn::data_tool {

struct ImportRecord {
  std::vector<ColumnForm> columns;             // of vertices, in the order of their features
  std::vector<std::string> classes, edgeTypes; // what the tables call them, by number
  std::vector<std::string> edgeColumns;        // that became inputs of edges
  std::string label;                           // the column of what is to be predicted
  bool isUndirected = false;

  /// The text of import.json.
  std::string text() const;
  /// Of a folder that an import wrote; throws an error that names the file.
  static ImportRecord read(const std::string &folder);
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_IMPORTRECORD_H
