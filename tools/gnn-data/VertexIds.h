//===- VertexIds.h - What users call their vertices -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ids of any kind, integers or text, and the numbers 0, 1, … that stand for them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_VERTEXIDS_H
#define GNN_TOOLS_DATA_VERTEXIDS_H

#include "tools/gnn-data/IntegerIndex.h"
#include "tools/gnn-data/TextIndex.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gnn::data_tool {

/// Ids as they come. Integers are kept as such while all are, 8 bytes each; with the first other id all become texts,
/// numbered by their first appearance.
class IdColumn {
public:
  void add(std::string_view id);
  size_t size() const { return entries.size(); }
  bool hasTexts() const { return areTexts; }

private:
  friend class VertexIds;
  bool areTexts = false;
  std::vector<int64_t> entries; // integers, or numbers of texts
  TextIndex texts;
};

/// One id for each vertex. Integers are found in a table of their range where that is dense, else by their hash.
class VertexIds {
public:
  /// All that appear in the column: integers ascending, texts as they came.
  static VertexIds of(IdColumn column);
  /// Throws an error that locates a row, whose number from 0 it gets.
  using FailAtRow = std::function<void(size_t row)>;
  /// The ids of rows, in their order. `failTwice` gets the first row whose id an earlier one has.
  static VertexIds ofRows(IdColumn column, const FailAtRow &failTwice);
  /// The integers 1 … count.
  static VertexIds fromOne(int64_t count);

  int64_t size() const { return count; }
  /// Adds an id that is not there; returns its number.
  int64_t add(std::string_view id);
  std::optional<int64_t> find(std::string_view id) const;
  /// The numbers of what `of` was made from, which has been given away.
  std::vector<int64_t> takeNumbers() { return std::move(columnNumbers); }
  std::string name(int64_t number) const {
    return texts.size() == 0 ? std::to_string(integers[size_t(number)]) : std::string(texts[number]);
  }
  /// Whether every id is the number of its vertex.
  bool areNumbers() const;
  /// A line for each vertex. Throws a data error if an id has more than one line.
  std::string lines() const;

private:
  void indexIntegers();
  std::optional<int64_t> findInteger(int64_t id) const;

  int64_t count = 0;
  std::vector<int64_t> integers; // by number; empty: texts
  int64_t lowest = 0;            // of `direct`
  std::vector<int64_t> direct;   // from an integer, less the lowest, to its number or -1
  IntegerIndex hashed;           // where `direct` would be too long
  TextIndex texts;
  std::vector<int64_t> columnNumbers;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_VERTEXIDS_H
