//===- ColumnForm.cpp - How a column becomes features ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/ColumnForm.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "tools/gnn-data/TextTable.h"
#include <algorithm>
#include <cmath>

using namespace gnn::data_tool;

namespace {

constexpr const char *kindNames[] = {"empty", "number", "date", "category", "text"};

/// Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date algorithms").
int64_t daysFromCivil(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400, yearOfEra = year - era * 400;
  const int64_t dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468;
}

bool isLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80; }

} // namespace

std::optional<double> gnn::data_tool::dateIn(std::string_view text) {
  int64_t parts[6] = {0, 1, 1, 0, 0, 0}; // year, month, day, hour, minute, second
  const char *separators = "-- ::";
  if (!text.empty() && text.back() == 'Z')
    text.remove_suffix(1);
  size_t at = 0;
  int count = 0;
  for (; count < 6; ++count) {
    const size_t digits = count == 0 ? 4 : 2;
    if (text.size() < at + digits)
      return std::nullopt;
    parts[count] = 0;
    for (size_t i = 0; i < digits; ++i) {
      if (!std::isdigit(static_cast<unsigned char>(text[at + i])))
        return std::nullopt;
      parts[count] = parts[count] * 10 + (text[at + i] - '0');
    }
    at += digits;
    if (at == text.size())
      break;
    if (count < 5 && text[at] != separators[count] && !(count == 2 && text[at] == 'T'))
      return std::nullopt;
    ++at;
  }
  constexpr int64_t limits[6][2] = {{0, 9999}, {1, 12}, {1, 31}, {0, 23}, {0, 59}, {0, 60}};
  for (int i = 0; i < 6; ++i)
    if (parts[i] < limits[i][0] || parts[i] > limits[i][1])
      return std::nullopt;
  if (count < 2 || count == 3 || count > 5)
    return std::nullopt;
  const int64_t nextMonth =
      parts[1] == 12 ? daysFromCivil(parts[0] + 1, 1, 1) : daysFromCivil(parts[0], parts[1] + 1, 1);
  if (daysFromCivil(parts[0], parts[1], parts[2]) >= nextMonth) // 30 February
    return std::nullopt;
  return double(daysFromCivil(parts[0], parts[1], parts[2])) +
         double(parts[3] * 3600 + parts[4] * 60 + parts[5]) / 86400;
}

const char *ColumnForm::kindName() const { return kindNames[size_t(kind)]; }

size_t ColumnForm::numFeatures() const {
  switch (kind) {
  case ColumnKind::Empty:
    return 0;
  case ColumnKind::Number:
  case ColumnKind::Date:
    return saysMissing ? 2 : 1;
  case ColumnKind::Category:
    return values.size();
  case ColumnKind::Text:
    return textFeatures;
  }
  return 0;
}

bool ColumnForm::write(std::string_view cell, float *out) const {
  const bool isAbsent = isMissing(cell);
  std::fill_n(out, numFeatures(), 0.0f);
  if (kind == ColumnKind::Number || kind == ColumnKind::Date) {
    std::optional<double> value;
    if (!isAbsent)
      value = kind == ColumnKind::Date ? dateIn(cell) : numberIn(cell);
    out[0] = float(scale ? (value.value_or(mean) - mean) * *scale : value.value_or(mean));
    if (saysMissing)
      out[1] = !value;
    return isAbsent || value;
  }
  if (isAbsent)
    return true;
  if (kind == ColumnKind::Category) {
    const auto found = std::lower_bound(values.begin(), values.end(), cell);
    const bool isKnown = found != values.end() && *found == cell;
    if (isKnown)
      out[found - values.begin()] = 1;
    return isKnown;
  }
  if (kind == ColumnKind::Text) {
    // Words in lower case, each counted in the class of its hash.
    for (size_t at = 0; at < cell.size();) {
      uint64_t hash = 0;
      size_t stop = at;
      for (; stop < cell.size() && isLetter(cell[stop]); ++stop)
        hash = rt::mix64(hash ^ uint64_t(std::tolower(static_cast<unsigned char>(cell[stop]))));
      if (stop > at)
        out[hash % textFeatures] += 1;
      at = stop + 1;
    }
  }
  return true;
}

nlohmann::ordered_json ColumnForm::json() const {
  nlohmann::ordered_json result{{"name", name}, {"kind", kindName()}, {"features", numFeatures()}};
  if (kind == ColumnKind::Number || kind == ColumnKind::Date) {
    result["mean"] = mean;
    if (scale)
      result["scale"] = *scale;
    result["says_where_missing"] = saysMissing;
  } else if (kind == ColumnKind::Category) {
    result["values"] = values;
  }
  return result;
}

ColumnForm ColumnForm::parse(const nlohmann::json &json, const std::string &where) try {
  ColumnForm form;
  form.name = json.at("name").get<std::string>();
  const auto kind = std::find(std::begin(kindNames), std::end(kindNames), json.at("kind").get<std::string>());
  rt::require(kind != std::end(kindNames), GNN_ERROR_DATA, where, ": column '", form.name, "' is of no known kind");
  form.kind = ColumnKind(kind - std::begin(kindNames));
  if (form.kind == ColumnKind::Number || form.kind == ColumnKind::Date) {
    form.mean = json.at("mean").get<double>();
    if (json.contains("scale"))
      form.scale = json.at("scale").get<double>();
    form.saysMissing = json.at("says_where_missing").get<bool>();
  } else if (form.kind == ColumnKind::Category) {
    form.values = json.at("values").get<std::vector<std::string>>();
    rt::require(form.values.size() <= maxCategories && std::is_sorted(form.values.begin(), form.values.end()),
                GNN_ERROR_DATA, where, ": column '", form.name, "': expected at most ", maxCategories,
                " sorted categories");
  }
  return form;
} catch (const nlohmann::json::exception &error) {
  rt::fail(GNN_ERROR_DATA, where, ": no column as gnn-data import writes it: ", error.what());
}
