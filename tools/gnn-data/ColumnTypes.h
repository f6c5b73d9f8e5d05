//===- ColumnTypes.h - What the columns of a table hold ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers, dates, categories or texts, found out by a first pass over a table.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_COLUMNTYPES_H
#define GNN_TOOLS_DATA_COLUMNTYPES_H

#include "runtime/src/data/ColumnForm.h"
#include "tools/gnn-data/UnclearColumn.h"
#include <cstdint>
#include <string>
#include <string_view>

namespace gnn::data_tool {

/// What a column's cells have in common, as far as they have been seen.
class ColumnType {
public:
  /// `isText`: no number, whatever cells look like.
  ColumnType(std::string name, bool isText) : name(std::move(name)), onlyNumbers(!isText) {}
  void see(std::string_view cell, uint64_t line);

  const std::string name;
  rt::ColumnKind kind() const;
  uint64_t numMissing() const { return missing; }
  /// The first cell that is no number where cells before it were, and its line; or an empty text.
  const std::string &otherThanNumbers() const { return firstOther; }
  /// Throws a data error if categories differ only in case.
  void requireOneCase(const std::string &path) const;
  /// With `isScaled` numbers and dates get mean 0 and standard deviation 1.
  rt::ColumnForm form(bool isScaled) const;

private:
  bool onlyNumbers, onlyDates = true;
  uint64_t seen = 0, missing = 0;
  std::string firstOther;
  double mean[2] = {}, squares[2] = {}; // of numbers and dates: Welford's sums
  CellCounts different;                 // texts of cells, up to one more than categories may be
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_COLUMNTYPES_H
