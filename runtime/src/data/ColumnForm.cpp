//===- ColumnForm.cpp - How a column becomes features ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/ColumnForm.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/data/Cells.h"
#include <algorithm>

using namespace gnn::rt;

namespace {

constexpr const char *kindNames[] = {"empty", "number", "date", "boolean", "category", "text"};
constexpr const char *orderNames[] = {"ymd", "dmy", "mdy"};

// ASCII alone, whatever the program's locale is: features are the same bits everywhere.
char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }
bool isLetter(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

} // namespace

const char *ColumnForm::kindName() const { return kindNames[size_t(kind)]; }

size_t ColumnForm::numFeatures() const {
  switch (kind) {
  case ColumnKind::Empty:
    return 0;
  case ColumnKind::Number:
  case ColumnKind::Date:
  case ColumnKind::Boolean:
    return saysMissing ? 2 : 1;
  case ColumnKind::Category:
    return values.size();
  case ColumnKind::Text:
    return textFeatures;
  }
  return 0;
}

std::optional<double> ColumnForm::value(std::string_view cell) const {
  if (kind == ColumnKind::Date)
    return dateIn(cell, dates);
  if (kind == ColumnKind::Boolean) {
    const std::optional<bool> truth = booleanIn(cell);
    return truth ? std::optional(double(*truth)) : std::nullopt;
  }
  if (numbers.isPlain())
    return numberIn(cell);
  const std::optional<std::string> plain = plainNumber(cell, numbers);
  return plain ? numberIn(*plain) : std::nullopt;
}

CellState ColumnForm::write(std::string_view cell, float *out) const {
  const bool isAbsent = isMissing(cell, missing);
  std::fill_n(out, numFeatures(), 0.0f);
  if (hasValues()) {
    std::optional<double> known = isAbsent ? std::nullopt : value(cell);
    if (known && !scale && !fitsFloat(*known)) // 32 bits would round it
      known.reset();
    out[0] = float(scale ? (known.value_or(mean) - mean) * *scale : known.value_or(mean));
    if (saysMissing)
      out[1] = !known;
    return isAbsent ? CellState::Missing : known ? CellState::Known : CellState::Bad;
  }
  if (isAbsent)
    return CellState::Missing;
  if (kind == ColumnKind::Category) {
    const auto found = std::lower_bound(values.begin(), values.end(), cell);
    const bool isKnown = found != values.end() && *found == cell;
    if (isKnown)
      out[found - values.begin()] = 1;
    return isKnown ? CellState::Known : CellState::Unseen;
  }
  if (kind == ColumnKind::Text) {
    // Words in lower case, each counted in the class of its hash.
    for (size_t at = 0; at < cell.size();) {
      uint64_t hash = 0;
      size_t stop = at;
      for (; stop < cell.size() && isLetter(cell[stop]); ++stop)
        hash = mix64(hash ^ static_cast<unsigned char>(lower(cell[stop])));
      if (stop > at)
        out[hash % textFeatures] += 1;
      at = stop + 1;
    }
  }
  return CellState::Known;
}

nlohmann::ordered_json ColumnForm::json() const {
  nlohmann::ordered_json result{{"name", name}, {"kind", kindName()}, {"features", numFeatures()}};
  if (hasValues()) {
    if (numbers.decimal != '.')
      result["decimal"] = std::string(1, numbers.decimal);
    if (numbers.thousands != '\0')
      result["thousands"] = std::string(1, numbers.thousands);
    if (!numbers.unit.empty())
      result["unit"] = numbers.unit;
    if (kind == ColumnKind::Date && dates != DateOrder::YearMonthDay)
      result["order"] = orderNames[size_t(dates)];
    result["mean"] = mean;
    if (scale)
      result["scale"] = *scale;
    result["says_where_missing"] = saysMissing;
  } else if (kind == ColumnKind::Category) {
    result["values"] = values;
  }
  if (!missing.empty())
    result["missing"] = missing;
  return result;
}

ColumnForm ColumnForm::parse(const nlohmann::json &json, const std::string &where) try {
  ColumnForm form;
  form.name = json.at("name").get<std::string>();
  const auto kind = std::find(std::begin(kindNames), std::end(kindNames), json.at("kind").get<std::string>());
  require(kind != std::end(kindNames), GNN_ERROR_DATA, where, ": column '", form.name, "' has an unknown kind");
  form.kind = ColumnKind(kind - std::begin(kindNames));
  if (form.hasValues()) {
    const auto character = [&](const char *key, char otherwise) {
      const std::string text = json.value(key, std::string(1, otherwise));
      require(text.size() == 1, GNN_ERROR_DATA, where, ": column '", form.name, "': '", key, "' is '", text,
              "', expected one character");
      return text[0];
    };
    form.numbers = {character("decimal", '.'), character("thousands", '\0'), json.value("unit", "")};
    const auto order = std::find(std::begin(orderNames), std::end(orderNames), json.value("order", "ymd"));
    require(order != std::end(orderNames), GNN_ERROR_DATA, where, ": column '", form.name,
            "' has an unknown order of dates");
    form.dates = DateOrder(order - std::begin(orderNames));
    form.mean = json.at("mean").get<double>();
    if (json.contains("scale"))
      form.scale = json.at("scale").get<double>();
    form.saysMissing = json.at("says_where_missing").get<bool>();
  } else if (form.kind == ColumnKind::Category) {
    form.values = json.at("values").get<std::vector<std::string>>();
    require(form.values.size() <= maxCategories && std::is_sorted(form.values.begin(), form.values.end()),
            GNN_ERROR_DATA, where, ": column '", form.name, "': expected at most ", maxCategories,
            " sorted categories");
  }
  form.missing = json.value("missing", form.missing);
  return form;
} catch (const nlohmann::json::exception &error) {
  fail(GNN_ERROR_DATA, where, ": no column as gnn-data import writes it: ", error.what());
}
