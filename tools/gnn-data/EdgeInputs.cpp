//===- EdgeInputs.cpp - Columns of edges that become inputs ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/EdgeInputs.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/data/ColumnForm.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/ColumnNames.h"
#include <algorithm>
#include <cmath>

using namespace gnn::data_tool;
using gnn::rt::Tensor;

namespace {

constexpr uint8_t noCode = 255;
static_assert(gnn::rt::ColumnForm::maxCategories < noCode);

/// f32 [rows], 1 where a cell is missing.
Tensor flagsOf(const std::vector<uint64_t> &missing, uint64_t rows) {
  Tensor flags = Tensor::of(std::vector<float>(size_t(rows)));
  for (uint64_t row : missing)
    flags.mutableData<float>()[row] = 1;
  return flags;
}

} // namespace

void OtherCells::take(std::string_view cell, uint64_t line) {
  const uint64_t row = numRows++;
  const bool isAbsent = isMissing(cell);
  if (isAbsent)
    missingRows.push_back(row);
  const std::optional<double> days = isAbsent ? std::nullopt : dateIn(cell);
  areDates = areDates && (isAbsent || days);
  if (areDates)
    seconds.push_back(days ? std::llround(*days * 86400) : 0);
  if (isAbsent) {
    codes.push_back(noCode);
    return;
  }
  unclear.see(cell, line);
  areOddNumbers = areOddNumbers && (realIn(cell) || hasDecimalComma(cell) || isTooLarge(cell));
  const bool isBoolean = booleanIn(cell).has_value();
  beginWithBoolean = beginWithBoolean || (isBoolean && row == missingRows.size());
  if (!isBoolean && firstNoBoolean == 0)
    firstNoBoolean = line;
  if (areMany)
    return;
  auto found = codeOf.find(cell);
  if (found == codeOf.end() && codeOf.size() < gnn::rt::ColumnForm::maxCategories)
    found = codeOf.emplace(std::string(cell), uint8_t(codeOf.size())).first;
  areMany = found == codeOf.end();
  codes.push_back(areMany ? noCode : found->second);
  if (!areMany)
    ++counts[found->first];
}

OtherCells::Kind OtherCells::kind(const std::string &file, const std::string &column) const {
  const uint64_t seen = numRows - missingRows.size();
  if (seen == 0)
    return Kind::LeftOut;
  if (firstNoBoolean == 0)
    return Kind::Boolean;
  if (areDates)
    return Kind::Date;
  unclear.require(file, column);
  const bool areRepeated = codeOf.size() * 2 <= seen;
  if (areMany || !areRepeated || areOddNumbers)
    return Kind::LeftOut;
  requireOneCase(counts, file, column, "write them alike, or --drop '" + column + "' leaves the column out");
  return Kind::Category;
}

Tensor OtherCells::booleans() const {
  std::vector<float> values;
  const auto isTrue = [&](uint8_t code) {
    return std::any_of(codeOf.begin(), codeOf.end(),
                       [&](const auto &of) { return of.second == code && *booleanIn(of.first); });
  };
  for (uint8_t code : codes)
    values.push_back(isTrue(code));
  return Tensor::of(values);
}

Tensor OtherCells::dates() const {
  int64_t sum = 0;
  const int64_t count = int64_t(numRows - missingRows.size());
  for (int64_t second : seconds)
    sum += second / count; // which cannot overflow
  std::vector<int64_t> values = seconds;
  for (uint64_t row : missingRows)
    values[row] = sum;
  return Tensor::of(values);
}

std::vector<std::string> OtherCells::categoryNames() const {
  std::vector<std::string> names;
  for (const auto &[text, code] : codeOf)
    names.push_back(text);
  return names;
}

Tensor OtherCells::categories() const {
  std::vector<size_t> placeOf(codeOf.size());
  size_t place = 0;
  for (const auto &[text, code] : codeOf)
    placeOf[code] = place++;
  std::vector<float> values(size_t(numRows) * codeOf.size());
  for (size_t row = 0; row < codes.size(); ++row)
    if (codes[row] != noCode)
      values[row * codeOf.size() + placeOf[codes[row]]] = 1;
  return Tensor::of(values, {int64_t(numRows), int64_t(codeOf.size())});
}

void EdgeInput::take(std::string_view cell, uint64_t line) {
  if (!areNumbers || numbers.add(cell))
    return;
  if (isMissing(cell)) {
    numbers.addMissing();
    return;
  }
  areNumbers = false;
  firstBad = line;
  badCell = cell;
  numbers = NumberColumn();
}

std::optional<std::string> EdgeInput::moveInto(std::map<std::string, gnn::rt::Feature> &inputs,
                                               const std::string &input, const std::string &file) {
  std::string text = "edge input " + input + ": ";
  Tensor values;
  std::vector<uint64_t> missing;
  uint64_t rows = 0;
  if (others) {
    missing = others->missing();
    const OtherCells::Kind kind = others->kind(file, name);
    if (kind == OtherCells::Kind::LeftOut)
      return std::nullopt;
    values = kind == OtherCells::Kind::Boolean ? others->booleans()
             : kind == OtherCells::Kind::Date  ? others->dates()
                                               : others->categories();
    if (kind == OtherCells::Kind::Category) {
      text += "category of " + std::to_string(values.dim(1)) + ", a row of 1 and 0:";
      for (const std::string &category : others->categoryNames())
        text += " " + category;
    } else {
      text += kind == OtherCells::Kind::Boolean ? "1 where true, else 0" : "date, seconds since 1970";
    }
  } else {
    missing = numbers.missing();
    isKeyOfRows = isCalledKey(name) && numbers.size() > 1 && numbers.areKeys();
    if (isKeyOfRows || (numbers.size() > 0 && missing.size() == numbers.size()))
      return std::nullopt;
    values = numbers.tensor();
    text += "number";
  }
  rows = uint64_t(values.dim(0));
  if (values.element() != GNN_F32) {
    const std::string element = gnn::rt::elementName(values.element());
    text += ", " + element + " as f32 would round it (a model declares `input " + input + ": " + element + "`)";
  }
  inputs[input].dense = values;
  if (!missing.empty()) {
    const bool isCategory = values.rank() > 1; // a missing one has no 1
    if (!isCategory)
      inputs[input + "_missing"].dense = flagsOf(missing, rows);
    text += ", " + std::to_string(missing.size()) + " missing" +
            (isCategory ? "" : ", which are the mean, and 1 in the input " + input + "_missing");
  }
  numbers = NumberColumn();
  others.reset();
  return text;
}

std::string EdgeInput::fault() const {
  if (areNumbers)
    return isKeyOfRows ? "it is a key of the rows" : "all cells are missing";
  if (firstBad == 0)
    return "it has texts";
  if (others && others->lineWithoutBoolean())
    return "line " + std::to_string(others->lineWithoutBoolean()) + " is neither true nor false";
  return "line " + std::to_string(firstBad) +
         (realIn(badCell) || isTooLarge(badCell) ? " has '" + badCell + "', which 64 bits do not hold"
                                                 : " has no number");
}
