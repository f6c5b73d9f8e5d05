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

std::optional<bool> gnn::rt::booleanIn(std::string_view text) {
  const auto isOneOf = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                        [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
    });
  };
  if (isOneOf({"true", "yes", "t", "y"}))
    return true;
  if (isOneOf({"false", "no", "f", "n"}))
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

bool gnn::rt::isMissing(std::string_view text, const std::vector<std::string> &words) {
  if (!words.empty())
    return text.empty() || std::count(words.begin(), words.end(), text) > 0;
  for (const char *word : {"", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "None", "none", "\\N"})
    if (text == word)
      return true;
  return false;
}
