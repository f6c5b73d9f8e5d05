//===- UnclearColumn.cpp - Columns that would change their kind -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/UnclearColumn.h"
#include "runtime/src/core/Guard.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>
#include <vector>

using namespace gnn::data_tool;

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

size_t digitsAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && isDigit(text[end]))
    ++end;
  return end - at;
}

/// Removes a currency or a percent sign from the begin or the end of `text`, and blanks beside it.
void removeUnit(std::string_view &text) {
  for (std::string_view word : {"€", "$", "£", "%", "EUR", "USD", "CHF"})
    if (text.size() > word.size() && text.substr(0, word.size()) == word)
      text.remove_prefix(word.size());
    else if (text.size() > word.size() && text.substr(text.size() - word.size()) == word)
      text.remove_suffix(word.size());
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
}

/// Digits with a decimal comma, or in groups of three with one separator between them and perhaps decimals after.
bool isGrouped(std::string_view text) {
  size_t at = digitsAt(text, 0);
  if (at == 0)
    return false;
  const bool canGroup = at <= 3;
  const char separator = at < text.size() ? text[at] : '\0';
  size_t groups = 0;
  if (canGroup && separator != '\0' && std::string_view(".,' ").find(separator) != std::string_view::npos)
    for (; at < text.size() && text[at] == separator && digitsAt(text, at + 1) == 3; at += 4)
      ++groups;
  if (at == text.size())
    return groups > 0;
  const bool hasDecimals = (text[at] == ',' || (groups && text[at] == '.')) && (!groups || text[at] != separator);
  const size_t decimals = digitsAt(text, at + 1);
  return hasDecimals && decimals > 0 && at + 1 + decimals == text.size();
}

/// Whether `text` is a number with a decimal comma, groups of thousands, a currency or a percent sign.
bool isForeignNumber(std::string_view text) {
  const size_t whole = text.size();
  removeUnit(text);
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    text.remove_prefix(1);
    removeUnit(text);
  }
  return isGrouped(text) || (text.size() < whole && !text.empty() && isDigit(text[0]) && realIn(text));
}

/// Whether `text` is day, month and year in another order or with other separators than `2024-12-31`. Years of two
/// digits are told from versions, as 1.2.10, by slashes or by two digits of days and months.
bool isForeignDate(std::string_view text) {
  const size_t first = digitsAt(text, 0);
  if (first == 0 || first == 3 || first > 4 || first >= text.size())
    return false;
  const char separator = text[first];
  if (separator != '.' && separator != '/' && separator != '-')
    return false;
  const size_t second = digitsAt(text, first + 1), behind = first + 1 + second;
  if (second == 0 || second > 2 || behind >= text.size() || text[behind] != separator)
    return false;
  const size_t third = digitsAt(text, behind + 1), end = behind + 1 + third;
  const bool isYearFirst = first == 4;
  const bool isClear = isYearFirst        ? third == 1 || third == 2
                       : third == 4       ? true
                       : third != 2       ? false
                       : separator == '/' ? true
                                          : first == 2 && second == 2;
  if (!isClear || (end < text.size() && text[end] != ' ' && text[end] != 'T'))
    return false;
  const auto value = [&](size_t at, size_t digits) {
    int number = 0;
    for (size_t i = at; i < at + digits; ++i)
      number = number * 10 + (text[i] - '0');
    return number;
  };
  const int a = isYearFirst ? value(behind + 1, third) : value(0, first), b = value(first + 1, second);
  return std::min(a, b) >= 1 && std::min(a, b) <= 12 && std::max(a, b) <= 31;
}

} // namespace

void UnclearColumn::Kind::see(bool isRead, bool isForeign, std::string_view cell, uint64_t line) {
  constexpr uint64_t maxShown = 3;
  numAlike += isRead || isForeign;
  if (!isRead && numRefused++ < maxShown)
    refused += (refused.empty() ? "'" : ", '") + std::string(cell) + "' in line " + std::to_string(line);
}

void UnclearColumn::see(std::string_view cell, uint64_t line) {
  if (isMissing(cell))
    return;
  ++seen;
  const bool isNumber = !isText && numberIn(cell), isDate = dateIn(cell).has_value();
  if (!isText)
    numbers.see(isNumber, !isNumber && isForeignNumber(cell), cell, line);
  dates.see(isDate, !isDate && isForeignDate(cell), cell, line);
}

void UnclearColumn::require(const std::string &path, const std::string &column) const {
  if ((numbers.numRefused == 0 && !isText) || dates.numRefused == 0)
    return;
  for (auto [kind, name] : {std::pair(&dates, "dates"), std::pair(&numbers, "numbers")})
    rt::require(kind->numAlike == 0 || kind->numAlike * 10 < seen * 9, GNN_ERROR_DATA, path, ": the column '", column,
                "' seems to be ", name, ", but ", kind->numRefused, " of its ", seen, " cells cannot be read as ", name,
                ": ", kind->refused, kind->numRefused > 3 ? ", …" : "", "; write ",
                kind == &dates ? "dates as 2024-12-31" : "numbers as 1234.5", " or leave cells empty, or --drop '",
                column, "' leaves the column out");
}

void gnn::data_tool::requireOneCase(const CellCounts &counts, const std::string &path, const std::string &column,
                                    const std::string &advice) {
  std::map<std::string, std::vector<const CellCounts::value_type *>> byCase;
  for (const auto &entry : counts) {
    std::string folded = entry.first;
    for (char &c : folded)
      c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    byCase[folded].push_back(&entry);
  }
  std::string list;
  for (const auto &[folded, entries] : byCase)
    for (const auto *entry : entries)
      if (entries.size() > 1)
        list += (list.empty() ? "'" : ", '") + entry->first + "' (" + std::to_string(entry->second) +
                (entry->second == 1 ? " row)" : " rows)");
  rt::require(list.empty(), GNN_ERROR_DATA, path, ": the column '", column,
              "' has texts that differ only in case: ", list, "; ", advice);
}
