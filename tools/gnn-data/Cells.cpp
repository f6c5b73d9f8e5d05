//===- Cells.cpp - What a cell of a table says ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/Cells.h"
#include <cctype>
#include <charconv>

bool gnn::data_tool::isTooLarge(std::string_view text) {
  if (numberIn(text))
    return false;
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isDigit =
      !text.empty() && std::isdigit(static_cast<unsigned char>(text[text[0] == '-' && text.size() > 1]));
  return isDigit && error != std::errc::invalid_argument && rest == text.data() + text.size();
}

bool gnn::data_tool::hasDecimalComma(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+'))
    text.remove_prefix(1);
  const size_t comma = text.find(',');
  const auto isDigits = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == part.npos;
  };
  return comma != text.npos && isDigits(text.substr(0, comma)) && isDigits(text.substr(comma + 1));
}

std::optional<int64_t> gnn::data_tool::integerIn(std::string_view text) {
  int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isWhole = error == std::errc() && rest == text.data() + text.size();
  const bool isUsual = text.size() < 2 || (text[0] != '0' && !(text[0] == '-' && text[1] == '0'));
  return isWhole && isUsual ? std::optional(value) : std::nullopt;
}

std::optional<int64_t> gnn::data_tool::wholeIn(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    text.remove_prefix(1);
  int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool gnn::data_tool::isOfDigits(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+'))
    text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}
