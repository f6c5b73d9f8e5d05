//===- Cells.cpp - What a cell of a table says ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Cells.h"
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace {

/// Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date algorithms").
int64_t daysFromCivil(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400, yearOfEra = year - era * 400;
  const int64_t dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468;
}

} // namespace

std::optional<bool> gnn::rt::booleanIn(std::string_view text) {
  const auto is = [&](std::string_view word) {
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
  };
  if (is("true"))
    return true;
  if (is("false"))
    return false;
  return std::nullopt;
}

std::optional<double> gnn::rt::realIn(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    text.remove_prefix(1);
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isWhole = error == std::errc() && rest == text.data() + text.size();
  return isWhole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> gnn::rt::numberIn(std::string_view text) {
  const std::optional<double> value = realIn(text);
  return value && std::abs(*value) <= std::numeric_limits<float>::max() ? value : std::nullopt;
}

bool gnn::rt::fitsFloat(double value) {
  constexpr double maxExact = 1 << 24; // up to which f32 holds all integers
  return !std::isfinite(value) || std::abs(value) <= maxExact ||
         (std::abs(value) <= std::numeric_limits<float>::max() && double(float(value)) == value);
}

bool gnn::rt::isTooLarge(std::string_view text) {
  if (numberIn(text))
    return false;
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isDigit =
      !text.empty() && std::isdigit(static_cast<unsigned char>(text[text[0] == '-' && text.size() > 1]));
  return isDigit && error != std::errc::invalid_argument && rest == text.data() + text.size();
}

bool gnn::rt::hasDecimalComma(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+'))
    text.remove_prefix(1);
  const size_t comma = text.find(',');
  const auto isDigits = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == part.npos;
  };
  return comma != text.npos && isDigits(text.substr(0, comma)) && isDigits(text.substr(comma + 1));
}

std::optional<int64_t> gnn::rt::integerIn(std::string_view text) {
  int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isWhole = error == std::errc() && rest == text.data() + text.size();
  const bool isUsual = text.size() < 2 || (text[0] != '0' && !(text[0] == '-' && text[1] == '0'));
  return isWhole && isUsual ? std::optional(value) : std::nullopt;
}

bool gnn::rt::isMissing(std::string_view text) {
  for (const char *word : {"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"})
    if (text == word)
      return true;
  return false;
}

std::optional<double> gnn::rt::dateIn(std::string_view text) {
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
