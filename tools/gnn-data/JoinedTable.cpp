//===- JoinedTable.cpp - Keys of two columns ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/JoinedTable.h"
#include <algorithm>

using namespace gnn::data_tool;

std::pair<std::string, std::string> JoinedTable::partsOf(const std::string &name) {
  const size_t plus = name.find('+');
  if (plus == name.npos)
    return {};
  return {name.substr(0, plus), name.substr(plus + 1)};
}

std::unique_ptr<Table> JoinedTable::of(std::unique_ptr<Table> table, const std::vector<std::string> &wanted) {
  std::deque<Pair> pairs;
  const std::vector<std::string> &names = table->columns();
  for (const std::string &name : wanted) {
    const auto [first, second] = partsOf(name);
    const auto a = std::find(names.begin(), names.end(), first), b = std::find(names.begin(), names.end(), second);
    if (std::count(names.begin(), names.end(), name) == 0 && a != names.end() && b != names.end())
      pairs.push_back({size_t(a - names.begin()), size_t(b - names.begin()), ""});
  }
  if (pairs.empty())
    return table;
  return std::unique_ptr<Table>(new JoinedTable(std::move(table), std::move(pairs)));
}

JoinedTable::JoinedTable(std::unique_ptr<Table> of, std::deque<Pair> columns)
    : Table(of->path), table(std::move(of)), pairs(std::move(columns)) {
  names = table->names;
  isNamed = table->isNamed;
  first = table->first;
  for (const Pair &pair : pairs) {
    names.push_back(nameOf(names[pair.first], names[pair.second]));
    for (auto &row : first)
      row.push_back(row[pair.first] + "/" + row[pair.second]);
  }
}

bool JoinedTable::read() {
  ++table->numRead; // rows that both leave out have one number
  if (!table->read())
    return false;
  cells = table->cells;
  rowLine = table->rowLine;
  rowByte = table->rowByte;
  rowIsUndirected = table->rowIsUndirected;
  if (cells.size() < table->names.size()) // the row is rejected
    return true;
  for (Pair &pair : pairs) {
    const std::string_view first = cells[pair.first], second = cells[pair.second];
    if (first.find('/') != first.npos)
      fail("the graph '", first, "' has a slash, which separates graph and id in the names of vertices: rename it");
    pair.cell.clear();
    if (!first.empty() && !second.empty())
      ((pair.cell += first) += "/") += second;
    cells.push_back(pair.cell);
  }
  return true;
}
