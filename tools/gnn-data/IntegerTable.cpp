//===- IntegerTable.cpp - Files of whole numbers --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/IntegerTable.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/TextTable.h"
#include <algorithm>

using namespace gnn::data_tool;
using gnn::rt::require;

std::string_view gnn::data_tool::trimmed(std::string_view cell) {
  const size_t begin = std::min(cell.find_first_not_of(' '), cell.size());
  cell.remove_prefix(begin);
  return cell.substr(0, cell.find_last_not_of(' ') + 1);
}

std::vector<std::vector<int64_t>> gnn::data_tool::integersIn(const std::string &path, const IntegerBounds &bounds) {
  TextTable table(path, plainForm(','));
  std::vector<std::vector<int64_t>> columns(table.columns().size());
  int64_t count = 0;
  for (; table.next(); ++count)
    for (size_t column = 0; column < columns.size(); ++column) {
      const std::optional<int64_t> integer = wholeIn(trimmed(table.cell(column)));
      if (!integer)
        table.fail("'", table.cell(column), "' is no whole number");
      if (*integer < bounds.least || *integer > bounds.most)
        table.fail(*integer, " is out of range, expected ", bounds.least, " to ", bounds.most);
      columns[column].push_back(*integer);
    }
  require(bounds.rows < 0 || count == bounds.rows, GNN_ERROR_DATA, path, ": ", count, " rows, expected ", bounds.rows);
  return columns;
}

std::vector<int64_t> gnn::data_tool::integerColumnIn(const std::string &path, const IntegerBounds &bounds) {
  std::vector<std::vector<int64_t>> columns = integersIn(path, bounds);
  require(columns.size() == 1, GNN_ERROR_DATA, path, ": ", columns.size(), " columns, expected one");
  return std::move(columns[0]);
}
