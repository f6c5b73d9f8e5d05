//===- NumberChecks.cpp - Options that are numbers ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/NumberChecks.h"
#include <cmath>
#include <string>

namespace gnn::tools {

namespace {

/// `Number` is what CLI11 reads the option as, in the same way. Without a name, which help would show.
template <class Number, class IsGood> CLI::Validator check(const std::string &expected, IsGood isGood) {
  auto mistakeIn = [expected, isGood](const std::string &text) {
    Number value{};
    const bool isNumber = CLI::detail::lexical_cast(text, value);
    return isNumber && isGood(value) ? std::string() : "expected " + expected + ", not " + text;
  };
  return CLI::Validator(mistakeIn, "");
}

} // namespace

CLI::Validator aboveZero() {
  return check<double>("a number above 0", [](double value) { return std::isfinite(value) && value > 0; });
}

CLI::Validator zeroOrMore() {
  return check<double>("a number, at least 0", [](double value) { return std::isfinite(value) && value >= 0; });
}

CLI::Validator wholeNumber(int64_t least, int64_t most) {
  const bool isOpen = most == std::numeric_limits<int64_t>::max();
  const std::string range =
      isOpen ? ", at least " + std::to_string(least) : " from " + std::to_string(least) + " to " + std::to_string(most);
  return check<int64_t>("a whole number" + range, [=](int64_t value) { return value >= least && value <= most; });
}

} // namespace gnn::tools
