//===- CellForms.cpp - How tables write numbers and dates -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/CellForms.h"
#include <algorithm>
#include <charconv>
#include <cstdint>

using namespace gnn::rt;

namespace {

constexpr std::string_view blanks[] = {" ", "\xC2\xA0", "\xE2\x80\xAF"}; // the last two do not break
constexpr std::string_view units[] = {"€", "$", "£", "¥", "%", "EUR", "USD", "GBP", "CHF", "JPY"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool startsWith(std::string_view text, std::string_view word) { return text.substr(0, word.size()) == word; }

bool endsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && text.substr(text.size() - word.size()) == word;
}

std::string_view withoutBlanks(std::string_view text) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (std::string_view blank : blanks) {
      for (; !text.empty() && startsWith(text, blank); isChanged = true)
        text.remove_prefix(blank.size());
      for (; !text.empty() && endsWith(text, blank); isChanged = true)
        text.remove_suffix(blank.size());
    }
  }
  return text;
}

/// Takes a sign off the begin of `text`.
std::string_view takeSign(std::string_view &text) {
  const bool hasSign = !text.empty() && (text[0] == '-' || text[0] == '+');
  const std::string_view sign = text.substr(0, hasSign);
  text.remove_prefix(hasSign);
  return sign;
}

/// Takes a unit off the begin or the end of `text`.
std::string_view takeUnit(std::string_view &text) {
  for (std::string_view unit : units) {
    if (text.size() <= unit.size() || (!startsWith(text, unit) && !endsWith(text, unit)))
      continue;
    if (startsWith(text, unit))
      text.remove_prefix(unit.size());
    else
      text.remove_suffix(unit.size());
    text = withoutBlanks(text);
    return unit;
  }
  return {};
}

/// The parts of `-1.234,50 €`: sign, digits and what is between them, unit.
struct WrittenNumber {
  explicit WrittenNumber(std::string_view cell) : digits(cell) {
    sign = takeSign(digits);
    unit = takeUnit(digits);
    if (sign.empty() && !unit.empty())
      sign = takeSign(digits); // €-5
  }
  std::string_view sign, digits, unit;
};

/// Reads digits of a date or time from the begin of a text.
class Digits {
public:
  explicit Digits(std::string_view text) : text(text) {}

  /// A number of at least `min` digits, of which at most `max` are taken; -1 if there are fewer.
  int64_t take(size_t min, size_t max) {
    size_t count = 0;
    int64_t value = 0;
    for (; count < std::min(max, text.size()) && isDigit(text[count]); ++count)
      value = value * 10 + (text[count] - '0');
    text.remove_prefix(count);
    return count >= min ? value : -1;
  }
  bool takeOneOf(std::string_view characters, char *which = nullptr) {
    if (text.empty() || characters.find(text[0]) == characters.npos)
      return false;
    if (which)
      *which = text[0];
    text.remove_prefix(1);
    return true;
  }
  bool isAtEnd() const { return text.empty(); }

private:
  std::string_view text;
};

/// Days since 1970-01-01 in the Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date algorithms").
int64_t daysFromCivil(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400, yearOfEra = year - era * 400;
  const int64_t dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468;
}

std::optional<int64_t> takeDate(Digits &digits, DateOrder order) {
  const bool isYearFirst = order == DateOrder::YearMonthDay;
  char divider = '\0', second = '\0';
  const std::string_view dividers = order == DateOrder::MonthDayYear ? "/-" : "-/.";
  int64_t parts[3];
  parts[0] = digits.take(isYearFirst ? 4 : 1, isYearFirst ? 4 : 2);
  if (parts[0] < 0 || !digits.takeOneOf(dividers, &divider))
    return std::nullopt;
  parts[1] = digits.take(1, 2);
  if (parts[1] < 0 || !digits.takeOneOf(dividers, &second) || second != divider)
    return std::nullopt;
  parts[2] = digits.take(isYearFirst ? 1 : 4, isYearFirst ? 2 : 4);
  const int64_t year = parts[isYearFirst ? 0 : 2], month = parts[order == DateOrder::MonthDayYear ? 0 : 1],
                day = parts[isYearFirst                        ? 2
                            : order == DateOrder::DayMonthYear ? 0
                                                               : 1];
  if (parts[2] < 0 || month < 1 || month > 12 || day < 1)
    return std::nullopt;
  const int64_t date = daysFromCivil(year, month, day);
  const int64_t nextMonth = month == 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1);
  return date < nextMonth ? std::optional(date) : std::nullopt; // else 30 February
}

/// Seconds since midnight in UTC.
std::optional<double> takeTime(Digits &digits) {
  const int64_t hour = digits.take(2, 2);
  if (hour < 0 || hour > 23 || !digits.takeOneOf(":"))
    return std::nullopt;
  const int64_t minute = digits.take(2, 2);
  double second = 0;
  if (digits.takeOneOf(":")) {
    second = double(digits.take(2, 2));
    if (second < 0 || second > 60)
      return std::nullopt;
    if (digits.takeOneOf(".")) {
      double place = 1;
      for (int64_t digit; (digit = digits.take(1, 1)) >= 0;)
        second += double(digit) * (place /= 10);
      if (place == 1)
        return std::nullopt;
    }
  }
  if (minute < 0 || minute > 59)
    return std::nullopt;
  return double(hour * 3600 + minute * 60) + second;
}

/// Seconds that the local time is ahead of UTC, of `Z`, `+02:00` or `-0330`; 0 of nothing.
std::optional<double> takeOffset(Digits &digits) {
  char sign = '\0';
  if (digits.takeOneOf("Z") || !digits.takeOneOf("+-", &sign))
    return 0;
  const int64_t hours = digits.take(2, 2);
  digits.takeOneOf(":");
  const int64_t minutes = digits.isAtEnd() ? 0 : digits.take(2, 2);
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59)
    return std::nullopt;
  const double seconds = double(hours * 3600 + minutes * 60);
  return sign == '-' ? -seconds : seconds;
}

} // namespace

std::string_view gnn::rt::unitIn(std::string_view cell) { return WrittenNumber(cell).unit; }

std::optional<std::string> gnn::rt::plainNumber(std::string_view cell, const NumberForm &form) {
  const WrittenNumber written(cell);
  if (written.unit != form.unit || written.digits.empty() || !isDigit(written.digits[0]))
    return std::nullopt;
  std::string plain(written.sign);
  size_t inGroup = 0, groups = 0;
  std::string_view rest = written.digits;
  while (!rest.empty()) {
    if (isDigit(rest[0])) {
      plain += rest[0];
      rest.remove_prefix(1);
      ++inGroup;
      continue;
    }
    size_t divider = form.thousands != '\0' && rest[0] == form.thousands;
    for (std::string_view blank : blanks)
      if (form.thousands == ' ' && startsWith(rest, blank))
        divider = blank.size();
    if (divider == 0)
      break;
    if (inGroup > 3 || (groups > 0 && inGroup != 3))
      return std::nullopt;
    rest.remove_prefix(divider);
    ++groups;
    inGroup = 0;
  }
  if (groups > 0 && inGroup != 3)
    return std::nullopt;
  if (!rest.empty() && rest[0] == form.decimal) {
    plain += '.';
    rest.remove_prefix(1);
  } else if (!rest.empty() && rest[0] == '.')
    return std::nullopt;
  plain += rest; // decimals and an exponent, or what makes it no number
  std::string_view number = plain;
  if (startsWith(number, "+"))
    number.remove_prefix(1);
  double value = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  return error != std::errc::invalid_argument && stop == number.data() + number.size() ? std::optional(plain)
                                                                                       : std::nullopt;
}

std::optional<double> gnn::rt::dateIn(std::string_view cell, DateOrder order) {
  Digits digits(cell);
  const std::optional<int64_t> date = takeDate(digits, order);
  if (!date)
    return std::nullopt;
  std::optional<double> time = 0;
  if (digits.takeOneOf("T "))
    time = takeTime(digits);
  const std::optional<double> offset = time ? takeOffset(digits) : std::nullopt;
  if (!offset || !digits.isAtEnd())
    return std::nullopt;
  return double(*date) + (*time - *offset) / 86400;
}
