//===- JoinedTable.h - Keys of two columns ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_JOINEDTABLE_H
#define GNN_TOOLS_DATA_JOINEDTABLE_H

#include "tools/gnn-data/Table.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// A table with a further column for each pair of columns, called FIRST+SECOND: its cells are those of the pair with a
/// slash between, as `m1/3`, and empty where one of them is.
class JoinedTable : public Table {
public:
  /// `table` with the columns that `wanted` names as FIRST+SECOND; or `table` itself where there are none.
  static std::unique_ptr<Table> of(std::unique_ptr<Table> table, const std::vector<std::string> &wanted);
  /// FIRST and SECOND; empty texts if the name has no +.
  static std::pair<std::string, std::string> partsOf(const std::string &name);
  static std::string nameOf(const std::string &first, const std::string &second) { return first + "+" + second; }

  std::string note() const override { return table->note(); }
  bool isText(size_t column) const override { return column >= table->columns().size() || table->isText(column); }

private:
  struct Pair {
    size_t first, second;
    std::string cell;
  };

  JoinedTable(std::unique_ptr<Table> table, std::deque<Pair> pairs);
  bool read() override;
  std::string rowText() const override { return table->rowText(); }

  const std::unique_ptr<Table> table;
  std::deque<Pair> pairs; // `cells` refer to them
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_JOINEDTABLE_H
