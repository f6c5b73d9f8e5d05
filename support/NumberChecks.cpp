//===- NumberChecks.cpp - Options that are numbers ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/NumberChecks.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string>

namespace gnn::tools {

namespace {

/// Without a name, which help would show.
CLI::Validator check(const std::string &expected, const std::function<bool(const std::string &)> &isGood) {
  return CLI::Validator(
      [=](const std::string &text) { return isGood(text) ? "" : "expected " + expected + ", not " + text; }, "");
}

CLI::Validator finite(const std::string &expected, const std::function<bool(double)> &isGood) {
  return check(expected, [isGood](const std::string &text) {
    double value = 0; // in the way in which CLI11 reads it
    return CLI::detail::lexical_cast(text, value) && std::isfinite(value) && isGood(value);
  });
}

template <class Number> CLI::Validator whole(const std::string &expected, Number least, Number most) {
  return check(expected, [=](const std::string &text) {
    Number value{};
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && rest == text.data() + text.size() && value >= least && value <= most;
  });
}

template <class Number> CLI::Validator anyWhole() {
  const Number least = std::numeric_limits<Number>::min(), most = std::numeric_limits<Number>::max();
  return whole<Number>("a whole number from " + std::to_string(least) + " to " + std::to_string(most), least, most);
}

/// With them CLI11 would read an octal number.
std::string withoutLeadingZeros(std::string &text) {
  const size_t sign = text.rfind('-', 0) == 0 ? 1 : 0;
  const size_t digit = std::min(text.find_first_not_of('0', sign), text.size() - 1);
  if (text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos)
    text.erase(sign, digit - sign);
  return "";
}

} // namespace

void requireWholeNumbers(CLI::App &app) {
  for (CLI::Option *option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool isSigned = type.rfind("INT", 0) == 0;
    if (isSigned || type.rfind("UINT", 0) == 0)
      option->transform(CLI::Validator(withoutLeadingZeros, ""))
          ->check(isSigned ? anyWhole<int64_t>() : anyWhole<uint64_t>());
  }
  for (CLI::App *command : app.get_subcommands({}))
    requireWholeNumbers(*command);
}

CLI::Validator aboveZero() {
  return finite("a number above 0", [](double value) { return value > 0; });
}

CLI::Validator zeroOrMore() {
  return finite("a number, at least 0", [](double value) { return value >= 0; });
}

CLI::Validator wholeNumber(int64_t least, int64_t most) {
  const bool isOpen = most == std::numeric_limits<int64_t>::max();
  const std::string range =
      isOpen ? ", at least " + std::to_string(least) : " from " + std::to_string(least) + " to " + std::to_string(most);
  return whole<int64_t>("a whole number" + range, least, most);
}

} // namespace gnn::tools
