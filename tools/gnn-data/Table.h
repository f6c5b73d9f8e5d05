//===- Table.h - Rows of cells ----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What importers read a row at a time, whatever the file is like: a text of columns, nodes or edges of GraphML.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_TABLE_H
#define GNN_TOOLS_DATA_TABLE_H

#include "runtime/src/core/Guard.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gnn::data_tool {

class Table {
public:
  virtual ~Table() = default;

  /// Names of the columns; "1", "2", … where the file has none.
  const std::vector<std::string> &columns() const { return names; }
  /// The column of this name, or number from 1. Throws an argument error that says which there are.
  size_t column(const std::string &nameOrNumber) const;
  /// How the names of columns were found out, for the user; empty: the file says it.
  virtual std::string note() const { return ""; }
  /// The cells of the first rows, from which the kinds of columns are guessed; none where the file says the kinds.
  const std::vector<std::vector<std::string>> &sampleRows() const { return first; }
  /// Whether the file has names of columns.
  bool hasNames() const { return isNamed; }
  /// Whether the file says that a column is no number, whatever its cells look like.
  virtual bool isText(size_t column) const { return false; }

  /// Goes to the next row; false: there is none. Cells are valid until the next call.
  virtual bool next() = 0;
  std::string_view cell(size_t column) const { return cells[column]; }
  uint64_t line() const { return rowLine; }
  /// Whether the row is an edge in both directions.
  bool isUndirected() const { return rowIsUndirected; }
  /// Throws a data error that begins with the file and the line of the row.
  template <class... Parts> [[noreturn]] void fail(const Parts &...parts) const {
    rt::fail(GNN_ERROR_DATA, path, ":", rowLine, ": ", parts...);
  }

protected:
  explicit Table(std::string path) : path(std::move(path)) {}

  const std::string path;
  std::vector<std::string> names;
  bool isNamed = true;                         // not by numbers
  std::vector<std::vector<std::string>> first; // rows
  std::vector<std::string_view> cells;
  uint64_t rowLine = 0;
  bool rowIsUndirected = false;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_TABLE_H
