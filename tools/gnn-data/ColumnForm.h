//===- ColumnForm.h - How a column becomes features -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a survey of a table decided (ColumnTypes.h), or what an earlier import did: import.json keeps it, so that other
// rows become the same features.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_COLUMNFORM_H
#define GNN_TOOLS_DATA_COLUMNFORM_H

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnn::data_tool {

enum class ColumnKind { Empty, Number, Date, Category, Text };

struct ColumnForm {
  std::string name;
  ColumnKind kind = ColumnKind::Empty;
  double mean = 0;                 // of numbers and dates; what stands for a missing one
  std::optional<double> scale;     // features are (value - mean) * scale; none: values
  bool saysMissing = false;        // another feature is 1 where a number or date is missing
  std::vector<std::string> values; // of categories, sorted

  size_t numFeatures() const;
  /// Writes the features of a cell. False where it is not of the kind: no number, no date, or a category that is not
  /// among the values; then they are those of a missing one.
  bool write(std::string_view cell, float *out) const;
  const char *kindName() const;

  nlohmann::ordered_json json() const;
  /// What json() gave. Throws a data error that begins with `where` for anything else.
  static ColumnForm parse(const nlohmann::json &json, const std::string &where);

  static constexpr size_t maxCategories = 64, textFeatures = 32;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_COLUMNFORM_H
