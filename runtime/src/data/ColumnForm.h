//===- ColumnForm.h - How a column becomes features -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The encoding of one column of a table. An import chooses it from the cells of all rows and records it in import.json,
// so that other rows become the same features.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_COLUMNFORM_H
#define GNN_DATA_COLUMNFORM_H

#include "runtime/src/data/CellForms.h"
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnn::rt {

enum class ColumnKind { Empty, Number, Date, Boolean, Category, Text };

/// The result of encoding a cell. `Missing`: nothing, or a word for it. `Unseen`: a category that the import did not
/// meet. `Bad`: not of the column's kind, such as `abc` in a column of numbers.
enum class CellState { Known, Missing, Unseen, Bad };

struct ColumnForm {
  std::string name;
  ColumnKind kind = ColumnKind::Empty;
  NumberForm numbers;               // how numbers are written
  DateOrder dates = {};             // how dates are written
  double mean = 0;                  // of numbers, dates and booleans; stands for a missing one
  std::optional<double> scale;      // features are (value - mean) * scale; none: values
  bool saysMissing = false;         // another feature is 1 where a number, date or boolean is missing
  std::vector<std::string> values;  // of categories, sorted
  std::vector<std::string> missing; // words for missing cells; none: the usual ones

  /// Whether cells are one number each: numbers, days since 1970-01-01 of dates, 1 and 0 of booleans.
  bool hasValues() const {
    return kind == ColumnKind::Number || kind == ColumnKind::Date || kind == ColumnKind::Boolean;
  }
  /// The value of a cell that is not missing; nothing if it is not of the column's kind.
  std::optional<double> value(std::string_view cell) const;

  size_t numFeatures() const;
  /// Writes numFeatures() numbers. Cells that are unseen or bad are written as missing ones.
  CellState write(std::string_view cell, float *out) const;
  const char *kindName() const;

  nlohmann::ordered_json json() const;
  /// Parses the result of json(). Throws a data error that begins with `where` for anything else.
  static ColumnForm parse(const nlohmann::json &json, const std::string &where);

  static constexpr size_t maxCategories = 64, textFeatures = 32;
};

} // namespace gnn::rt

#endif // GNN_DATA_COLUMNFORM_H
