//===- ColumnGuess.cpp - The kind of a column, from all of its cells ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/ColumnGuess.h"
#include "runtime/src/core/Guard.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace gnn::data_tool;
using gnn::rt::ColumnForm;
using gnn::rt::ColumnKind;
using gnn::rt::DateOrder;
using gnn::rt::NumberForm;

namespace {

/// In the order of preference: of two that give the same values the first is taken.
const NumberForm numberForms[] = {{'.', '\0', {}}, {'.', ',', {}}, {',', '\0', {}}, {',', '.', {}},
                                  {'.', ' ', {}},  {',', ' ', {}}, {'.', '\'', {}}, {',', '\'', {}}};
constexpr size_t formOfPrograms = 0, groupsByComma = 1, decimalComma = 2;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

size_t digitsAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && isDigit(text[end]))
    ++end;
  return end - at;
}

/// Whether `text` looks like a date, be it one or not: 2021-02-30 is none, and of 31.12.24 the century is unknown.
/// Years of two digits are told from versions, as 1.2.10, by slashes or by two digits of days and months.
bool looksLikeDate(std::string_view text) {
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

void Moments::add(double value) {
  const double difference = value - average;
  average += difference / double(++count);
  squares += difference * (value - average);
}

double Moments::deviation() const { return std::sqrt(squares / double(std::max<uint64_t>(count, 1))); }

ColumnGuess::ColumnGuess(std::string name, bool isText, Use use, const CellOptions &options,
                         std::optional<ColumnChoice> choice)
    : name(std::move(name)), isText(isText), use(use), options(options), choice(choice) {}

void ColumnGuess::Reading::see(bool isRead, std::string_view cell, uint64_t line) {
  constexpr uint64_t maxShown = 3;
  numRead += isRead;
  if (!isRead && numRefused++ < maxShown)
    refused += (refused.empty() ? "'" : ", '") + std::string(cell) + "' in line " + std::to_string(line);
}

std::optional<double> ColumnGuess::number(std::string_view plain) const {
  if (use != Use::EdgeInput)
    return numberIn(plain);
  return isOfDigits(plain) && !wholeIn(plain) ? std::nullopt : realIn(plain);
}

/// Returns whether the cell is a number as programs write it.
bool ColumnGuess::seeNumber(std::string_view cell, uint64_t line) {
  const std::optional<double> plain = number(cell);
  if (plain)
    ofPlainNumbers.add(*plain);
  else if (other.empty() && seen > 1 && numbers[formOfPrograms].numRefused == 0)
    other = "'" + std::string(cell) + "' in line " + std::to_string(line);
  const bool isWhole = plain && isOfDigits(cell); // the same number in all forms
  const std::string unit(plain ? "" : unitIn(cell));
  bool isNumber = false;
  std::array<std::optional<double>, numNumberForms> values;
  for (size_t i = 0; i < numNumberForms; ++i) {
    const bool canBePlain = numberForms[i].decimal == '.';
    if (isWhole || (plain && canBePlain)) {
      values[i] = plain;
    } else if (!plain || (numberForms[i].thousands == '.' && cell.size() - cell.find('.') == 4)) { // 1.234
      NumberForm form = numberForms[i];
      form.unit = unit;
      if (const auto text = plainNumber(cell, form))
        values[i] = number(*text);
    }
    isNumber = isNumber || values[i];
    numbers[i].see(values[i].has_value(), cell, line);
  }
  if (plain)
    ++numPlain;
  else if (isNumber)
    ++units[unit];
  if (ambiguousNumber.empty() && values[groupsByComma] && values[decimalComma] &&
      *values[groupsByComma] != *values[decimalComma])
    ambiguousNumber = cell;
  const bool isLarge = !isNumber && (isTooLarge(cell) || isOfDigits(cell));
  if (isLarge && numTooLarge++ == 0) {
    tooLarge = cell;
    tooLargeLine = line;
  }
  numNumberLike += isNumber || isLarge;
  return plain.has_value();
}

void ColumnGuess::seeDate(std::string_view cell, uint64_t line) {
  std::array<std::optional<double>, numOrders> values;
  bool isDate = looksLikeDate(cell);
  for (size_t i = 0; i < numOrders; ++i) {
    values[i] = dateIn(cell, DateOrder(i));
    isDate = isDate || values[i];
    dates[i].see(values[i].has_value(), cell, line);
  }
  numDateLike += isDate;
  if (const auto &year = values[size_t(DateOrder::YearMonthDay)])
    ofDates.add(*year);
  const auto &day = values[size_t(DateOrder::DayMonthYear)], &month = values[size_t(DateOrder::MonthDayYear)];
  if (ambiguousDate.empty() && day && month && *day != *month)
    ambiguousDate = cell;
}

void ColumnGuess::see(std::string_view cell, uint64_t line) {
  if (options.isMissing(cell)) {
    ++missing;
    return;
  }
  ++seen;
  if (!isText && seeNumber(cell, line)) { // then it is nothing else
    for (Reading &order : dates)
      order.see(/*isRead=*/false, cell, line);
    booleans.see(/*isRead=*/false, cell, line);
  } else {
    seeDate(cell, line);
    booleans.see(booleanIn(cell).has_value(), cell, line);
  }
  if (different.size() > ColumnForm::maxCategories)
    return;
  const auto found = different.find(cell);
  if (found == different.end())
    different.emplace(cell, 1);
  else
    ++found->second;
}

bool ColumnGuess::isAllowed(const NumberForm &form) const {
  return (!options.decimal || form.decimal == *options.decimal) &&
         (!options.thousands ||
          (form.decimal != *options.thousands && (form.thousands == *options.thousands || form.thousands == '\0')));
}

/// Whether a reading is the column's: it reads all cells, or enough for the rest to be bad ones.
bool ColumnGuess::isAccepted(const Reading &reading) const {
  return seen > 0 && (reading.numRead == seen || (options.badAreMissing && reading.numRead * 10 >= seen * 9));
}

void ColumnGuess::failAlmost(const std::string &path, const Reading &reading, const char *kind,
                             const char *example) const {
  rt::fail(GNN_ERROR_DATA, path, ": the column '", name, choice ? "' should be " : "' seems to be ", kind, ", but ",
           reading.numRefused, " of its ", seen, " cells cannot be read as ", kind,
           reading.numRead ? " like the others: " : ": ", reading.refused, reading.numRefused > 3 ? ", …" : "",
           "; write them as ", example, " or leave them empty",
           use == Use::Label ? ""
                             : ", or --bad-cells missing reads them as missing, --column '" + name +
                                   "=category' all as categories, --drop '" + name + "' leaves the column out");
}

/// The form that reads most cells. Nothing if the column is not numbers. With `mustFit` that is an error.
std::optional<size_t> ColumnGuess::bestNumberForm(const std::string &path, bool mustFit) const {
  if (isText && !mustFit)
    return std::nullopt;
  std::optional<size_t> best;
  for (size_t i = 0; i < numNumberForms; ++i)
    if (isAllowed(numberForms[i]) && (!best || numbers[i].numRead > numbers[*best].numRead))
      best = i;
  if (!best) // --decimal and --thousands are the same: refused with the options
    return std::nullopt;
  const Reading &reading = numbers[*best];
  if (use != Use::EdgeInput && numTooLarge > 0 && numTooLarge + reading.numRead == seen)
    rt::fail(GNN_ERROR_DATA, path, ":", tooLargeLine, ": '", tooLarge, "' in the column '", name,
             "' is too large for a number of 32 bits; --drop '", name, "' leaves the column out");
  if (!isAccepted(reading)) {
    if (mustFit || (use != Use::Label && numNumberLike > 0 && numNumberLike * 10 >= seen * 9))
      failAlmost(path, reading, "numbers", "1234.5");
    return std::nullopt;
  }
  const auto readsAsMany = [&](size_t form) {
    return isAllowed(numberForms[form]) && numbers[form].numRead == reading.numRead;
  };
  if (*best != formOfPrograms && readsAsMany(groupsByComma) && readsAsMany(decimalComma))
    rt::require(ambiguousNumber.empty(), GNN_ERROR_DATA, path, ": '", ambiguousNumber, "' in the column '", name,
                "' can be two numbers: --decimal comma or --thousands comma decides");
  return best;
}

/// The order that reads most dates, as bestNumberForm().
std::optional<size_t> ColumnGuess::bestOrder(const std::string &path, bool mustFit) const {
  const std::optional<DateOrder> given = choice && choice->dates ? choice->dates : options.dates;
  size_t best = given ? size_t(*given) : 0;
  for (size_t i = 0; i < numOrders && !given; ++i)
    if (dates[i].numRead > dates[best].numRead)
      best = i;
  const Reading &reading = dates[best];
  if (!isAccepted(reading)) {
    if (mustFit || (numDateLike > 0 && numDateLike * 10 >= seen * 9))
      failAlmost(path, reading, "dates", "2024-12-31");
    return std::nullopt;
  }
  const Reading &day = dates[size_t(DateOrder::DayMonthYear)], &month = dates[size_t(DateOrder::MonthDayYear)];
  if (!given && best != size_t(DateOrder::YearMonthDay) && day.numRead == month.numRead)
    rt::require(ambiguousDate.empty(), GNN_ERROR_DATA, path, ": '", ambiguousDate, "' in the column '", name,
                "' can be two dates: --dates dmy (day first) or --dates mdy (month first) decides");
  return best;
}

std::string ColumnGuess::unit(const std::string &path) const {
  std::string list;
  CellCounts units = this->units;
  if (numPlain)
    units[""] += numPlain;
  for (const auto &[unit, count] : units)
    list += (list.empty() ? "" : ", ") + (unit.empty() ? "none" : "'" + unit + "'") + " (" + std::to_string(count) +
            (count == 1 ? " cell)" : " cells)");
  rt::require(units.size() == 1, GNN_ERROR_DATA, path, ": the column '", name, "' has numbers in several units: ", list,
              "; write one unit, or --drop '", name, "' leaves the column out");
  return units.begin()->first;
}

void ColumnGuess::setCategories(ColumnForm &form, const std::string &path) const {
  form.kind = ColumnKind::Category;
  rt::require(different.size() <= ColumnForm::maxCategories, GNN_ERROR_DATA, path, ": the column '", name,
              "' has more than ", ColumnForm::maxCategories, " different texts, which is what categories may be");
  requireOneCase(different, path, name, "write them alike, or --drop '" + name + "' leaves the column out");
  for (const auto &[text, count] : different)
    form.values.push_back(text);
}

ColumnForm ColumnGuess::form(const std::string &path) const {
  ColumnForm form;
  form.name = name;
  form.missing = options.missing;
  if (seen == 0)
    return form;
  const auto isChosen = [&](ColumnKind kind) { return choice && choice->kind == kind; };
  if (!choice || isChosen(ColumnKind::Number))
    if (const auto best = bestNumberForm(path, bool(choice))) {
      form.kind = ColumnKind::Number;
      form.numbers = numberForms[*best];
      form.numbers.unit = unit(path);
      form.saysMissing = missing > 0 || numbers[*best].numRefused > 0;
      return form;
    }
  if (use == Use::Label) // classes
    return form;
  if (!choice || isChosen(ColumnKind::Boolean)) {
    if (isAccepted(booleans) && (choice || !isText)) {
      form.kind = ColumnKind::Boolean;
      form.saysMissing = missing > 0 || booleans.numRefused > 0;
      return form;
    }
    if (choice)
      failAlmost(path, booleans, "booleans", "yes or no");
  }
  if (!choice || isChosen(ColumnKind::Date))
    if (const auto best = bestOrder(path, bool(choice))) {
      form.kind = ColumnKind::Date;
      form.dates = DateOrder(*best);
      form.saysMissing = missing > 0 || dates[*best].numRefused > 0;
      return form;
    }
  if (isChosen(ColumnKind::Text) || (!choice && different.size() > ColumnForm::maxCategories))
    form.kind = ColumnKind::Text;
  else
    setCategories(form, path);
  return form;
}

std::string ColumnGuess::whyLeftOut(const ColumnForm &form) const {
  constexpr uint64_t minRows = 20; // of fewer, texts that differ may be categories
  const bool isText = form.kind == ColumnKind::Text ||
                      (form.kind == ColumnKind::Category && seen >= minRows && different.size() * 2 > seen);
  if (choice)
    return "";
  if (seen == 0)
    return "all cells are missing";
  if (different.size() == 1 && missing == 0 && seen > 1)
    return "all cells are '" + different.begin()->first + "'";
  return isText ? "it is text (--column '" + name + "=text' makes " + std::to_string(ColumnForm::textFeatures) +
                      " features of its words)"
                : "";
}

std::optional<Moments> ColumnGuess::moments(const ColumnForm &form) const {
  if (form.kind == ColumnKind::Number && form.numbers.isPlain())
    return ofPlainNumbers;
  if (form.kind == ColumnKind::Date && form.dates == DateOrder::YearMonthDay)
    return ofDates;
  return std::nullopt;
}

bool gnn::data_tool::isNumberOrDate(std::string_view cell) {
  const std::string unit(unitIn(cell));
  return numberIn(cell) ||
         std::any_of(std::begin(numberForms), std::end(numberForms),
                     [&](NumberForm form) {
                       form.unit = unit;
                       return plainNumber(cell, form).has_value();
                     }) ||
         dateIn(cell) || dateIn(cell, DateOrder::DayMonthYear) || dateIn(cell, DateOrder::MonthDayYear);
}

std::string gnn::data_tool::wordsFor(const ColumnForm &form) {
  std::string words;
  if (form.numbers.decimal == ',')
    words += ", decimal comma";
  if (form.numbers.thousands != '\0')
    words += std::string(", thousands separated by ") + (form.numbers.thousands == ' ' ? "blanks" : "'") +
             (form.numbers.thousands == ' ' ? "" : std::string(1, form.numbers.thousands) + "'");
  if (!form.numbers.unit.empty())
    words += ", in " + form.numbers.unit;
  if (form.kind == ColumnKind::Date && form.dates != DateOrder::YearMonthDay)
    words += form.dates == DateOrder::DayMonthYear ? ", day first" : ", month first";
  return words;
}

std::string gnn::data_tool::choiceText(const ColumnForm &form) {
  constexpr const char *orders[] = {":ymd", ":dmy", ":mdy"};
  return std::string(form.kindName()) + (form.kind == ColumnKind::Date ? orders[size_t(form.dates)] : "");
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
