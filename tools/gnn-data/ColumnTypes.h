//===- ColumnTypes.h - What the columns of a table hold ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers, dates, categories or texts, found out by a first pass over a table, and the features that a second one
// makes of them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_COLUMNTYPES_H
#define GNN_TOOLS_DATA_COLUMNTYPES_H

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gnn::data_tool {

/// Days since 1970-01-01 of `2024-02-29`, with `T12:30` or ` 12:30:05` behind it or not.
std::optional<double> dateIn(std::string_view text);

/// What a column's cells have in common, as far as they have been seen.
class ColumnType {
public:
  enum Kind { Empty, Number, Date, Category, Text };

  explicit ColumnType(std::string name) : name(std::move(name)) {}
  void see(std::string_view cell);

  const std::string name;
  Kind kind() const;
  uint64_t numMissing() const { return missing; }
  bool areIntegers() const { return kind() == Number && onlyIntegers; }
  /// The different texts of cells, sorted, up to the most that categories may have; one more: there are too many.
  const std::set<std::string, std::less<>> &values() const { return different; }

  /// How many features it becomes: a number or date one, and one more that says where it is missing; a category one
  /// for each value; a text one for each of `textFeatures` classes of its words.
  size_t numFeatures() const;
  /// Writes the features of a cell. With `isScaled` numbers and dates have mean 0 and standard deviation 1; a missing
  /// one is the mean.
  void write(std::string_view cell, bool isScaled, float *out) const;
  /// "age: number, 3 missing".
  std::string summary() const;
  /// What a program needs to make the same features of other rows.
  nlohmann::ordered_json json(bool isScaled) const;

  static constexpr size_t maxCategories = 64, textFeatures = 32;

private:
  double scale() const; // 1 / standard deviation

  bool onlyNumbers = true, onlyIntegers = true, onlyDates = true;
  uint64_t seen = 0, missing = 0;
  double mean[2] = {}, squares[2] = {}; // of numbers and dates: Welford's sums
  std::set<std::string, std::less<>> different;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_COLUMNTYPES_H
