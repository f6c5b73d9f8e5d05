//===- ColumnTypes.cpp - What the columns of a table hold -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/ColumnTypes.h"
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

void ColumnType::see(std::string_view cell) {
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
    onlyIntegers = onlyIntegers && number && *number == std::floor(*number);
    if (number)
      add(0, *number);
  }
  if (onlyDates) {
    const std::optional<double> date = dateIn(cell);
    onlyDates = date.has_value();
    if (date)
      add(1, *date);
  }
  if (different.size() <= maxCategories && different.find(cell) == different.end())
    different.emplace(cell);
}

ColumnType::Kind ColumnType::kind() const {
  return seen == 0                           ? Empty
         : onlyNumbers                       ? Number
         : onlyDates                         ? Date
         : different.size() <= maxCategories ? Category
                                             : Text;
}

double ColumnType::scale() const {
  const double deviation = std::sqrt(squares[kind() == Date] / double(std::max<uint64_t>(seen, 1)));
  return deviation > 0 ? 1 / deviation : 0;
}

size_t ColumnType::numFeatures() const {
  switch (kind()) {
  case Empty:
    return 0;
  case Number:
  case Date:
    return missing ? 2 : 1;
  case Category:
    return different.size();
  case Text:
    return textFeatures;
  }
  return 0;
}

void ColumnType::write(std::string_view cell, bool isScaled, float *out) const {
  const bool isAbsent = isMissing(cell);
  std::fill_n(out, numFeatures(), 0.0f);
  if (kind() == Number || kind() == Date) {
    const double center = mean[kind() == Date];
    const double value = isAbsent ? center : kind() == Date ? *dateIn(cell) : *numberIn(cell);
    out[0] = float(isScaled ? (value - center) * scale() : value);
    if (missing)
      out[1] = isAbsent;
  } else if (kind() == Category && !isAbsent) {
    out[std::distance(different.begin(), different.find(cell))] = 1;
  } else if (kind() == Text && !isAbsent) {
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
}

std::string ColumnType::summary() const {
  std::string text = name + ": " + kindNames[kind()];
  if (kind() == Category)
    text += " of " + std::to_string(different.size());
  if (missing)
    text += ", " + std::to_string(missing) + " missing";
  const size_t features = numFeatures();
  return text + (features > 1 ? ", " + std::to_string(features) + " features" : "");
}

nlohmann::ordered_json ColumnType::json(bool isScaled) const {
  nlohmann::ordered_json result{{"name", name}, {"kind", kindNames[kind()]}, {"features", numFeatures()}};
  if (kind() == Number || kind() == Date) {
    result["mean"] = mean[kind() == Date];
    if (isScaled)
      result["scale"] = scale();
    result["says_where_missing"] = missing > 0;
  } else if (kind() == Category) {
    result["values"] = different;
  }
  return result;
}
