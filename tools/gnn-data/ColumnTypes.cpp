//===- ColumnTypes.cpp - What the columns of a table hold -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/ColumnTypes.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>
#include <cmath>

using namespace gnn::data_tool;
using gnn::rt::ColumnForm;
using gnn::rt::ColumnKind;

void ColumnType::see(std::string_view cell, uint64_t line) {
  if (isMissing(cell)) {
    ++missing;
    return;
  }
  ++seen;
  auto add = [&](int which, double value) {
    const double difference = value - mean[which];
    mean[which] += difference / double(seen);
    squares[which] += difference * (value - mean[which]);
  };
  if (onlyNumbers) {
    const std::optional<double> number = numberIn(cell);
    onlyNumbers = number.has_value();
    if (number)
      add(0, *number);
    else if (seen > 1)
      firstOther = "'" + std::string(cell) + "' in line " + std::to_string(line);
  }
  if (onlyDates) {
    const std::optional<double> date = dateIn(cell);
    onlyDates = date.has_value();
    if (date)
      add(1, *date);
  }
  if (different.size() > ColumnForm::maxCategories)
    return;
  const auto found = different.find(cell);
  if (found == different.end())
    different.emplace(cell, 1);
  else
    ++found->second;
}

ColumnKind ColumnType::kind() const {
  return seen == 0                                       ? ColumnKind::Empty
         : onlyNumbers                                   ? ColumnKind::Number
         : onlyDates                                     ? ColumnKind::Date
         : different.size() <= ColumnForm::maxCategories ? ColumnKind::Category
                                                         : ColumnKind::Text;
}

void ColumnType::requireOneCase(const std::string &path) const {
  if (kind() == ColumnKind::Category)
    gnn::data_tool::requireOneCase(different, path, name,
                                   "write them alike, or --drop '" + name + "' leaves the column out");
}

ColumnForm ColumnType::form(bool isScaled) const {
  ColumnForm form;
  form.name = name;
  form.kind = kind();
  if (form.kind == ColumnKind::Number || form.kind == ColumnKind::Date) {
    const bool isDate = form.kind == ColumnKind::Date;
    const double deviation = std::sqrt(squares[isDate] / double(std::max<uint64_t>(seen, 1)));
    form.mean = mean[isDate];
    if (isScaled)
      form.scale = deviation > 0 ? 1 / deviation : 0;
    form.saysMissing = missing > 0;
  } else if (form.kind == ColumnKind::Category) {
    for (const auto &[text, count] : different)
      form.values.push_back(text);
  }
  return form;
}
