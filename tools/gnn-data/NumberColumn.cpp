//===- NumberColumn.cpp - Numbers that lose no digits ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/NumberColumn.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace gnn::data_tool;
using gnn::rt::Tensor;

namespace {

constexpr int64_t maxExact = int64_t(1) << 24; // up to which f32 holds all integers

bool fits(int64_t value) {
  constexpr int64_t maxWide = int64_t(1) << 62; // whose conversion to f32 and back cannot overflow
  return std::abs(value / 2) <= maxExact / 2 || (std::abs(value / 2) < maxWide / 2 && int64_t(float(value)) == value);
}

template <class T, class Fits> bool allFit(const Tensor &table, Fits &&fits) {
  const auto values = table.values<T>();
  return std::all_of(values.begin(), values.end(), fits);
}

} // namespace

Tensor gnn::data_tool::narrowed(const Tensor &table) {
  const bool doFit = table.element() == GNN_I64   ? allFit<int64_t>(table, fits)
                     : table.element() == GNN_I32 ? allFit<int32_t>(table, fits)
                     : table.element() == GNN_F64 ? allFit<double>(table, fitsFloat)
                                                  : true;
  return doFit ? table.as(GNN_F32, "a column of numbers") : table;
}

bool NumberColumn::add(std::string_view cell) {
  const std::optional<int64_t> integer = areIntegers ? wholeIn(cell) : std::nullopt;
  if (integer) {
    integers.push_back(*integer);
    return true;
  }
  const std::optional<double> real = realIn(cell);
  if (!real || (isOfDigits(cell) && !wholeIn(cell)))
    return false;
  if (areIntegers) {
    areIntegers = false;
    reals.assign(integers.begin(), integers.end());
    integers = {};
  }
  reals.push_back(*real);
  return true;
}

void NumberColumn::addMissing() {
  missingRows.push_back(size());
  if (areIntegers)
    integers.push_back(0);
  else
    reals.push_back(0);
}

bool NumberColumn::areKeys() const {
  if (!areIntegers || !missingRows.empty())
    return false;
  std::vector<int64_t> sorted = integers;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

Tensor NumberColumn::tensor(const std::vector<Phase> &phases) const {
  Tensor table = narrowed(areIntegers ? Tensor::of(integers) : Tensor::of(reals));
  const auto isLater = [&](uint64_t row) { return !phases.empty() && phases[row] != Phase::Train; };
  const int64_t later = std::count_if(phases.begin(), phases.end(), [](Phase phase) { return phase != Phase::Train; }),
                laterMissing = std::count_if(missingRows.begin(), missingRows.end(), isLater);
  const double count = double(int64_t(size()) - later - (int64_t(missingRows.size()) - laterMissing));
  if (missingRows.empty() || count == 0)
    return table;
  double mean = 0; // missing rows are 0
  for (size_t row = 0; row < size(); ++row)
    mean += isLater(row) ? 0 : (areIntegers ? double(integers[row]) : reals[row]) / count;
  for (uint64_t row : missingRows) {
    if (table.element() == GNN_F32)
      table.mutableData<float>()[row] = float(mean);
    else if (table.element() == GNN_F64)
      table.mutableData<double>()[row] = mean;
    else
      table.mutableData<int64_t>()[row] = std::llround(mean);
  }
  return table;
}
