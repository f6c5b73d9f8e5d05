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
using gnn::rt::ColumnKind;
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

bool OtherCells::decide(const std::string &file) {
  if (guess.numSeen() == 0 || guess.hasTooLarge())
    return false;
  // Texts that hardly repeat say nothing about other edges.
  const bool areRepeated =
      guess.texts().size() <= gnn::rt::ColumnForm::maxCategories && guess.texts().size() * 2 <= guess.numSeen();
  decided = guess.form(file);
  isDecided = decided.hasValues() || (decided.kind == ColumnKind::Category && (areRepeated || isChosen));
  return isDecided;
}

/// False: the cell is not of the column's kind; nothing is added.
bool OtherCells::add(std::string_view cell) {
  if (decided.kind == ColumnKind::Number) {
    const std::optional<std::string> plain = plainNumber(cell, decided.numbers);
    return plain && numbers.add(*plain);
  }
  if (decided.kind == ColumnKind::Category) {
    const auto found = std::lower_bound(decided.values.begin(), decided.values.end(), cell);
    const bool isKnown = found != decided.values.end() && *found == cell;
    if (isKnown)
      codes.push_back(uint8_t(found - decided.values.begin()));
    return isKnown;
  }
  const std::optional<double> value = decided.value(cell);
  if (value && decided.kind == ColumnKind::Date)
    seconds.push_back(std::llround(*value * 86400));
  else if (value)
    codes.push_back(*value != 0);
  return value.has_value();
}

void OtherCells::addMissing() {
  missingRows.push_back(numRows);
  if (decided.kind == ColumnKind::Number)
    numbers.addMissing();
  else if (decided.kind == ColumnKind::Date)
    seconds.push_back(0);
  else
    codes.push_back(noCode);
}

void OtherCells::take(std::string_view cell, const Table &table) {
  const bool isAbsent = options.isMissing(cell);
  if (isAbsent || !add(cell)) {
    if (!isAbsent && !options.badAreMissing)
      table.fail("the column '", guess.name, "' is '", cell, "', expected a ", decided.kindName());
    bad += !isAbsent;
    addMissing();
  }
  ++numRows;
}

/// Keeps the categories of the rows that train. A cell of another category is as if it were missing.
void OtherCells::keepCategories(const std::vector<Phase> &phases) {
  std::vector<uint8_t> codeOf(decided.values.size(), noCode);
  for (size_t row = 0; row < codes.size(); ++row)
    if (phases[row] == Phase::Train && codes[row] != noCode)
      codeOf[codes[row]] = 0;
  std::vector<std::string> kept;
  for (size_t i = 0; i < codeOf.size(); ++i)
    if (codeOf[i] == 0) {
      codeOf[i] = uint8_t(kept.size());
      kept.push_back(decided.values[i]);
    }
  decided.values = std::move(kept);
  for (uint8_t &code : codes) {
    unseen += code != noCode && codeOf[code] == noCode;
    code = code == noCode ? noCode : codeOf[code];
  }
}

Tensor OtherCells::tensor(const std::vector<Phase> &phases) {
  if (decided.kind == ColumnKind::Number)
    return numbers.tensor(phases);
  std::vector<bool> isMeasured(size_t(numRows), true); // rows that means are of
  for (size_t row = 0; row < phases.size(); ++row)
    isMeasured[row] = phases[row] == Phase::Train;
  for (uint64_t row : missingRows)
    isMeasured[row] = false;
  const int64_t numMeasured = std::count(isMeasured.begin(), isMeasured.end(), true);
  if (decided.kind == ColumnKind::Date) {
    int64_t mean = 0;
    for (size_t row = 0; row < seconds.size(); ++row)
      mean += isMeasured[row] ? seconds[row] / numMeasured : 0; // which cannot overflow
    std::vector<int64_t> values = seconds;
    for (uint64_t row : missingRows)
      values[row] = mean;
    return Tensor::of(values);
  }
  const bool isBoolean = decided.kind == ColumnKind::Boolean;
  if (!isBoolean && !phases.empty())
    keepCategories(phases);
  const size_t width = isBoolean ? 1 : decided.values.size();
  std::vector<float> values(codes.size() * width);
  for (size_t row = 0; row < codes.size(); ++row)
    if (codes[row] != noCode)
      values[row * width + (isBoolean ? 0 : codes[row])] = isBoolean ? codes[row] : 1;
  if (!isBoolean)
    return Tensor::of(values, {int64_t(codes.size()), int64_t(width)});
  double sum = 0;
  for (size_t row = 0; row < values.size(); ++row)
    sum += isMeasured[row] ? values[row] : 0;
  for (uint64_t row : missingRows)
    values[row] = numMeasured ? float(sum / double(numMeasured)) : 0;
  return Tensor::of(values);
}

void EdgeInput::take(std::string_view cell, uint64_t line) {
  const bool isAbsent = !options->missing.empty() && options->isMissing(cell); // which may be a number
  if (!areNumbers || (!isAbsent && numbers.add(cell)))
    return;
  if (isAbsent || options->isMissing(cell)) {
    numbers.addMissing();
    return;
  }
  areNumbers = false;
  firstBad = line;
  badCell = cell;
  numbers = NumberColumn();
}

std::optional<std::string> EdgeInput::moveInto(std::map<std::string, gnn::rt::Feature> &inputs,
                                               const std::string &input, const std::vector<Phase> &phases) {
  std::string text = "edge input " + input + ": ";
  Tensor values;
  std::vector<uint64_t> missing;
  uint64_t numBad = 0;
  if (!areNumbers) {
    if (!others || !others->isRead())
      return std::nullopt;
    values = others->tensor(phases);
    missing = others->missing();
    numBad = others->numBad();
    const gnn::rt::ColumnForm &form = others->form();
    if (form.kind == ColumnKind::Category && form.values.empty()) {
      hasNoCategory = true;
      return std::nullopt;
    }
    if (form.kind == ColumnKind::Category) {
      text += "category of " + std::to_string(values.dim(1)) + ", a row of 1 and 0:";
      for (const std::string &category : form.values)
        text += " " + category;
      if (others->numUnseen())
        text += "; " + std::to_string(others->numUnseen()) + " of no category in the training rows";
    } else {
      text += (form.kind == ColumnKind::Boolean ? "1 where true, else 0"
               : form.kind == ColumnKind::Date  ? "date, seconds since 1970"
                                                : "number") +
              wordsFor(form);
    }
  } else {
    missing = numbers.missing();
    isKeyOfRows = isCalledKey(name) && numbers.size() > 1 && numbers.areKeys();
    if (isKeyOfRows || (numbers.size() > 0 && missing.size() == numbers.size()))
      return std::nullopt;
    values = numbers.tensor(phases);
    text += "number";
  }
  const uint64_t rows = uint64_t(values.dim(0));
  if (values.element() != GNN_F32) {
    const std::string element = gnn::rt::elementName(values.element());
    text += ", " + element + " as f32 would round it (a model declares `input " + input + ": " + element + "`)";
  }
  inputs[input].dense = values;
  if (!missing.empty()) {
    const bool isCategory = values.rank() > 1; // a missing one has no 1
    if (!isCategory)
      inputs[input + "_missing"].dense = flagsOf(missing, rows);
    text += ", " + std::to_string(missing.size() - numBad) + " missing" +
            (numBad ? " and " + std::to_string(numBad) + " bad" : "") +
            (isCategory ? "" : ", which are the mean, and 1 in the input " + input + "_missing");
  }
  numbers = NumberColumn();
  others.reset();
  return text;
}

std::string EdgeInput::fault() const {
  if (areNumbers)
    return isKeyOfRows ? "it is a key of the rows" : "all cells are missing";
  if (hasNoCategory)
    return "the training rows have no category";
  if (firstBad == 0)
    return "it has texts";
  return "line " + std::to_string(firstBad) +
         (realIn(badCell) || isTooLarge(badCell) ? " has '" + badCell + "', which 64 bits do not hold"
                                                 : " has no number");
}
