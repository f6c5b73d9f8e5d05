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

constexpr const char *kindNames[] = {"empty", "number", "date", "category", "text"};

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
    return saysMissing ? 2 : 1;
  case ColumnKind::Category:
    return values.size();
  case ColumnKind::Text:
    return textFeatures;
  }
  return 0;
}

CellState ColumnForm::write(std::string_view cell, float *out) const {
  const bool isAbsent = isMissing(cell);
  std::fill_n(out, numFeatures(), 0.0f);
  if (kind == ColumnKind::Number || kind == ColumnKind::Date) {
    std::optional<double> value;
    if (!isAbsent)
      value = kind == ColumnKind::Date ? dateIn(cell) : numberIn(cell);
    if (value && !scale && !fitsFloat(*value)) // 32 bits would round it
      value.reset();
    out[0] = float(scale ? (value.value_or(mean) - mean) * *scale : value.value_or(mean));
    if (saysMissing)
      out[1] = !value;
    return isAbsent ? CellState::Missing : value ? CellState::Known : CellState::Bad;
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
  if (kind == ColumnKind::Number || kind == ColumnKind::Date) {
    result["mean"] = mean;
    if (scale)
      result["scale"] = *scale;
    result["says_where_missing"] = saysMissing;
  } else if (kind == ColumnKind::Category) {
    result["values"] = values;
  }
  return result;
}

ColumnForm ColumnForm::parse(const nlohmann::json &json, const std::string &where) try {
  ColumnForm form;
  form.name = json.at("name").get<std::string>();
  const auto kind = std::find(std::begin(kindNames), std::end(kindNames), json.at("kind").get<std::string>());
  require(kind != std::end(kindNames), GNN_ERROR_DATA, where, ": column '", form.name, "' has an unknown kind");
  form.kind = ColumnKind(kind - std::begin(kindNames));
  if (form.kind == ColumnKind::Number || form.kind == ColumnKind::Date) {
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
  return form;
} catch (const nlohmann::json::exception &error) {
  fail(GNN_ERROR_DATA, where, ": no column as gnn-data import writes it: ", error.what());
}
