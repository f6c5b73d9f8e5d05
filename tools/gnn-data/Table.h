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
#include "tools/gnn-data/RejectedRows.h"
#include <cstdint>
#include <memory>
#include <sstream>
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

  /// Leaves out the rows that `rows` has, and adds to it what reject() rejects. Null: faults are errors.
  void leaveOut(std::shared_ptr<RejectedRows> rows) { rejected = std::move(rows); }
  /// Goes to the next row that is not left out; false: there is none. Cells are valid until the next call.
  bool next();
  std::string_view cell(size_t column) const { return cells[column]; }
  uint64_t line() const { return rowLine; }
  /// Whether the row is an edge in both directions.
  bool isUndirected() const { return rowIsUndirected; }
  /// Throws a data error that begins with the file and the line of the row.
  template <class... Parts> [[noreturn]] void fail(const Parts &...parts) const {
    rt::fail(GNN_ERROR_DATA, path, ":", rowLine, ": ", parts...);
  }

  /// Rejects the row for a fault in a column, if the user wants to go on then; else fails with `parts`. The caller
  /// takes nothing of the row.
  template <class... Parts>
  void reject(RowFault fault, const std::string &column, std::string_view value, const Parts &...parts) const {
    if (!rejected || !rejected->accepts(fault))
      fail(parts...);
    std::ostringstream message;
    (message << ... << parts);
    addRejected(fault, column, value, message.str());
  }

protected:
  explicit Table(std::string path) : path(std::move(path)) {}

  /// Goes to the next row of the file; false: there is none. A row may be rejected.
  virtual bool read() = 0;
  /// The row as the file has it.
  virtual std::string rowText() const;

  const std::string path;
  std::vector<std::string> names;
  bool isNamed = true;                         // not by numbers
  std::vector<std::vector<std::string>> first; // rows
  std::vector<std::string_view> cells;
  uint64_t rowLine = 0, rowByte = 0;
  bool rowIsUndirected = false;

private:
  friend class JoinedTable; // reads the rows of another table

  void addRejected(RowFault fault, const std::string &column, std::string_view value, std::string message) const;

  std::shared_ptr<RejectedRows> rejected;
  uint64_t numRead = 0; // rows, with the present one
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_TABLE_H
