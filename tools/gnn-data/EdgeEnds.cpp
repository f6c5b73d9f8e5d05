//===- EdgeEnds.cpp - Which columns are the ends of edges -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/EdgeEnds.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/ColumnNames.h"
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

using Rows = std::vector<std::vector<std::string>>;

bool areIntegers(const Rows &rows, size_t column) {
  return std::all_of(rows.begin(), rows.end(), [&](const auto &row) { return integerIn(row[column]).has_value(); });
}

/// How many different cells two columns share.
size_t numShared(const Rows &rows, size_t a, size_t b) {
  std::set<std::string_view> first, both;
  for (const auto &row : rows)
    first.insert(row[a]);
  for (const auto &row : rows)
    if (first.count(row[b]))
      both.insert(row[b]);
  return both.size();
}

/// 0, 1, 2, … or 1, 2, 3, …, as rows are counted.
bool countsRows(const Rows &rows, size_t column) {
  const std::optional<int64_t> begin = rows.empty() ? std::nullopt : integerIn(rows[0][column]);
  for (size_t i = 0; i < rows.size(); ++i)
    if (integerIn(rows[i][column]) != int64_t(i) + begin.value_or(0))
      return false;
  return begin == 0 || begin == 1;
}

/// Rows of numbers, one for each column and like a graph's adjacency: all 0 or 1, symmetric, or with a constant
/// diagonal. `first` is the column that the matrix begins with.
bool isMatrix(const Rows &rows, size_t first) {
  constexpr size_t minSize = 3;
  const size_t size = rows.empty() ? 0 : rows[0].size() - first;
  if (size < minSize || rows.size() < minSize)
    return false;
  std::vector<std::vector<double>> values;
  bool areBits = true, isSymmetric = true, isDiagonalConstant = true;
  for (const auto &row : rows) {
    std::vector<double> &numbers = values.emplace_back();
    for (size_t i = first; i < row.size(); ++i) {
      const std::optional<double> number = numberIn(row[i]);
      if (!number)
        return false;
      numbers.push_back(*number);
      areBits = areBits && (*number == 0 || *number == 1 || *number == -1);
    }
  }
  if (areBits)
    return true;
  const size_t block = std::min(rows.size(), size); // of a large matrix the sample has the first rows
  for (size_t i = 0; i < block; ++i) {
    isDiagonalConstant = isDiagonalConstant && values[i][i] == values[0][0];
    for (size_t j = 0; j < i; ++j)
      isSymmetric = isSymmetric && values[i][j] == values[j][i];
  }
  return rows.size() <= size && (isSymmetric || isDiagonalConstant);
}

void refuseMatrices(const Table &table, const EdgeOptions &options) {
  const Rows &rows = table.sampleRows();
  if (rows.empty())
    return;
  bool areNamed = table.hasNames() && rows.size() >= 3 && rows.size() + 1 == rows[0].size(); // rows and columns
  for (size_t i = 0; i < rows.size() && areNamed; ++i)
    areNamed = rows[i][0] == table.columns()[i + 1];
  require(!areNamed && !isMatrix(rows, 0) && !(table.hasNames() && isMatrix(rows, 1)), GNN_ERROR_DATA, options.file,
          ": an adjacency matrix, which is not read: scipy.sparse.save_npz(\"edges.npz\", scipy.sparse.coo_matrix(…)) "
          "makes a file of it that is. If it is a table of edges, ",
          options.sayEnds());
}

/// The numbers of a sample that has nothing but integers and no names of columns; else none.
std::vector<std::vector<int64_t>> integersOf(const Table &table) {
  std::vector<std::vector<int64_t>> numbers;
  for (const auto &row : table.sampleRows()) {
    numbers.emplace_back();
    for (const std::string &cell : row) {
      const std::optional<int64_t> number = integerIn(cell);
      if (!number || table.hasNames())
        return {};
      numbers.back().push_back(*number);
    }
  }
  return numbers;
}

/// METIS' first row says how many vertices and edges there are; those below have the neighbours of a vertex each.
void refuseNeighbours(const Table &table, const EdgeOptions &options) {
  const std::vector<std::vector<int64_t>> numbers = integersOf(table);
  constexpr size_t minRows = 3;
  if (numbers.size() < minRows)
    return;
  std::set<std::pair<int64_t, int64_t>> neighbours;
  for (size_t i = 1; i < numbers.size(); ++i)
    for (int64_t other : numbers[i])
      neighbours.emplace(int64_t(i), other);
  const bool areMutual = std::all_of(neighbours.begin(), neighbours.end(), [&](const auto &pair) {
    return neighbours.count({pair.second, pair.first}) > 0;
  });
  const size_t follow = numbers.size() - 1;
  require(
      numbers[0][0] != int64_t(follow) || numbers[0][1] * 2 != int64_t(follow * numbers[0].size()) || !areMutual,
      GNN_ERROR_DATA, options.file,
      ": METIS' format (a row for each vertex, of its neighbours), which is not read: expected a row for each edge. "
      "If it is a table of edges, ",
      options.sayEnds());
}

/// What no ids of vertices are.
void refuseNoIds(const Table &table, const EdgeEnds &ends, const EdgeOptions &options) {
  for (const auto &row : table.sampleRows())
    for (size_t column : {ends.source, ends.target}) {
      const std::string &cell = row[column];
      for (const char *pair : {"()", "[]", "{}"})
        require(
            std::count(cell.begin(), cell.end(), pair[0]) == std::count(cell.begin(), cell.end(), pair[1]),
            GNN_ERROR_DATA, options.file, ": '", cell, "' in the column '", table.columns()[column],
            "' has half of a pair of brackets, as JSON and Python's tuples have, which are not read: expected rows of ",
            "columns without brackets");
      const std::optional<double> number = numberIn(cell);
      require(!number || *number == std::floor(*number), GNN_ERROR_DATA, options.file, ": '", cell, "' in the column '",
              table.columns()[column], "' is no id of a vertex: ", options.sayEnds());
    }
}

std::string listOf(const std::vector<std::string> &names) {
  constexpr size_t maxNames = 12;
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), maxNames); ++i)
    list += (i ? ", '" : "'") + names[i] + "'";
  return list + (names.size() > maxNames ? ", …" : "");
}

/// The columns that are called after the two types that the edges relate, if both are there.
std::optional<std::pair<size_t, size_t>> endsByType(const Table &table, const EdgeOptions &options) {
  if (!table.hasNames() || options.source == options.destination)
    return std::nullopt;
  const std::vector<std::string> &names = table.columns();
  size_t found[2] = {};
  for (int end = 0; end < 2; ++end) {
    const std::string &type = end ? options.destination : options.source;
    const std::vector<size_t> columns = columnsOfType(names, type);
    if (columns.empty())
      return std::nullopt;
    require(columns.size() == 1, GNN_ERROR_DATA, options.file, ": vertices of type ", type, " may be in the column '",
            names[columns[0]], "' or '", names[columns.back()], "': ", options.sayEnds());
    found[end] = columns[0];
  }
  return std::pair(found[0], found[1]);
}

/// The first two columns but for an index.
EdgeEnds endsByPosition(const Table &table, const EdgeOptions &options) {
  const Rows &rows = table.sampleRows();
  const std::vector<std::string> &names = table.columns();
  EdgeEnds ends;
  ends.areByPosition = true;
  if (table.hasNames() && isUnnamed(names[0]))
    ends.index = 0;
  ends.source = ends.index ? 1 : 0;
  ends.target = ends.source + 1;
  const size_t count = names.size() - ends.source;
  require(count >= 2, GNN_ERROR_DATA, options.file,
          ": one column, expected two or more: source and target of each edge");
  if (count == 2)
    return ends;
  const bool isOneType = options.source == options.destination; // else ids may be anything
  bool isClear = isOneType && table.isText(ends.source) == table.isText(ends.target);
  if (isClear && !rows.empty()) {
    const size_t alike = numShared(rows, ends.source, ends.target);
    isClear = alike > 0 || (areIntegers(rows, ends.source) && areIntegers(rows, ends.target));
    const bool mayBeIndex = countsRows(rows, ends.source) && rows.size() >= 3 && areIntegers(rows, ends.target + 1);
    isClear = isClear && !(mayBeIndex && numShared(rows, ends.target, ends.target + 1) > alike);
  }
  require(isClear, GNN_ERROR_DATA, options.file, ": no two of the columns are known as ends of edges: there are ",
          listOf(names), "; ", options.sayEnds());
  return ends;
}

} // namespace

EdgeEnds gnn::data_tool::endsOf(const Table &table, const EdgeOptions &options) {
  const std::vector<std::string> &names = table.columns();
  const auto pairs = table.hasNames() ? pairsOfEnds(names) : std::vector<std::pair<size_t, size_t>>();
  EdgeEnds ends;
  if (const auto &source = options.sourceColumn, &target = options.targetColumn; !source.empty() || !target.empty()) {
    if (pairs.size() == 1)
      std::tie(ends.source, ends.target) = pairs[0];
    ends.source = source.empty() ? ends.source : table.column(source);
    ends.target = target.empty() ? ends.target : table.column(target);
    require(ends.source != ends.target, GNN_ERROR_ARGUMENT, "source and target are the same column");
  } else if (const auto typed = endsByType(table, options)) {
    std::tie(ends.source, ends.target) = *typed;
  } else if (pairs.empty()) {
    ends = endsByPosition(table, options);
    refuseMatrices(table, options);
    refuseNeighbours(table, options);
    refuseNoIds(table, ends, options);
  } else {
    require(pairs.size() == 1, GNN_ERROR_DATA, options.file, ": the ends of edges may be '", names[pairs[0].first],
            "' and '", names[pairs[0].second], "', or '", names[pairs.back().first], "' and '",
            names[pairs.back().second], "': ", options.sayEnds());
    std::tie(ends.source, ends.target) = pairs[0];
  }
  if (table.hasNames() && isUnnamed(names[0]) && ends.source != 0 && ends.target != 0)
    ends.index = 0;
  return ends;
}

void gnn::data_tool::refuseCounts(const Table &table, const EdgeOptions &options, uint64_t numRows) {
  const std::vector<std::vector<int64_t>> numbers = integersOf(table);
  constexpr uint64_t minRows = 3;
  if (numRows < minRows || numbers.empty() || numbers[0].size() > 3 || numbers[0].back() != int64_t(numRows) - 1)
    return;
  const auto isBelow = [&](const std::vector<int64_t> &row) { return std::max(row[0], row[1]) <= numbers[0][0]; };
  require(!std::all_of(numbers.begin() + 1, numbers.end(), isBelow), GNN_ERROR_DATA, options.file,
          ": the first row seems to say how many vertices and edges there are: delete it. If it is an edge, ",
          options.sayEnds());
}
