//===- VertexIds.cpp - What users call their vertices ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/VertexIds.h"
#include "runtime/src/core/Guard.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>
#include <numeric>

using namespace gnn::data_tool;
using gnn::rt::require;

void IdColumn::add(std::string_view id) {
  const std::optional<int64_t> integer = areTexts ? std::nullopt : integerIn(id);
  if (integer) {
    entries.push_back(*integer);
    return;
  }
  if (!areTexts) {
    areTexts = true;
    for (int64_t &entry : entries)
      entry = texts.numberOf(std::to_string(entry));
  }
  entries.push_back(texts.numberOf(id));
}

VertexIds VertexIds::of(IdColumn column) {
  VertexIds ids;
  ids.columnNumbers = std::move(column.entries);
  if (column.areTexts) {
    ids.count = column.texts.size();
    ids.texts = std::move(column.texts);
    return ids;
  }
  // Where the range is dense, one pass over a table of it says which integers there are.
  std::vector<int64_t> &entries = ids.columnNumbers;
  if (entries.empty())
    return ids;
  const auto [low, high] = std::minmax_element(entries.begin(), entries.end());
  const uint64_t range = uint64_t(*high) - uint64_t(*low);
  if (range / 4 < entries.size()) {
    std::vector<bool> isThere(range + 1);
    for (int64_t entry : entries)
      isThere[size_t(entry - *low)] = true;
    for (uint64_t i = 0; i <= range; ++i)
      if (isThere[i])
        ids.integers.push_back(*low + int64_t(i));
  } else {
    for (int64_t entry : entries)
      ids.hashed.numberOf(entry);
    ids.integers = ids.hashed.all();
    std::sort(ids.integers.begin(), ids.integers.end());
  }
  ids.indexIntegers();
  for (int64_t &entry : entries)
    entry = *ids.findInteger(entry);
  return ids;
}

VertexIds VertexIds::ofRows(IdColumn column, const FailAtRow &failTwice) {
  const size_t rows = column.size();
  VertexIds ids;
  if (column.areTexts) {
    std::vector<bool> isThere(size_t(column.texts.size()));
    for (size_t row = 0; row < rows; ++row) {
      const int64_t text = column.entries[row];
      if (isThere[size_t(text)])
        failTwice(row);
      isThere[size_t(text)] = true;
    }
    return of(std::move(column));
  }
  ids.integers = std::move(column.entries);
  ids.indexIntegers();
  for (size_t row = 0; row < rows; ++row)
    if (ids.findInteger(ids.integers[row]) != int64_t(row))
      failTwice(row);
  return ids;
}

VertexIds VertexIds::fromOne(int64_t count) {
  VertexIds ids;
  ids.integers.resize(size_t(count));
  std::iota(ids.integers.begin(), ids.integers.end(), int64_t(1));
  ids.indexIntegers();
  return ids;
}

/// Of an integer that is there twice, the first number is found.
void VertexIds::indexIntegers() {
  count = int64_t(integers.size());
  if (integers.empty())
    return;
  const auto [low, high] = std::minmax_element(integers.begin(), integers.end());
  const uint64_t range = uint64_t(*high) - uint64_t(*low);
  if (range / 4 < integers.size()) {
    lowest = *low;
    direct.assign(size_t(range) + 1, -1);
    for (int64_t number = count; number-- > 0;)
      direct[size_t(integers[size_t(number)] - lowest)] = number;
    return;
  }
  hashed = IntegerIndex();
  for (int64_t integer : integers)
    hashed.numberOf(integer);
}

int64_t VertexIds::add(std::string_view id) {
  const std::optional<int64_t> integer = texts.size() == 0 ? integerIn(id) : std::nullopt;
  if (integer) {
    if (!direct.empty()) // it may be far out of that range
      for (int64_t known : integers)
        hashed.numberOf(known);
    direct.clear();
    hashed.numberOf(*integer);
    integers.push_back(*integer);
    return count++;
  }
  for (int64_t known : integers) // all become texts
    texts.numberOf(std::to_string(known));
  integers.clear();
  direct.clear();
  texts.numberOf(id);
  return count++;
}

std::optional<int64_t> VertexIds::findInteger(int64_t id) const {
  if (!direct.empty()) {
    const uint64_t at = uint64_t(id) - uint64_t(lowest);
    return at < direct.size() && direct[at] >= 0 ? std::optional(direct[at]) : std::nullopt;
  }
  return hashed.find(id);
}

std::optional<int64_t> VertexIds::find(std::string_view id) const {
  if (texts.size() == 0) {
    const std::optional<int64_t> integer = integerIn(id);
    return integer ? findInteger(*integer) : std::nullopt;
  }
  return texts.find(id);
}

bool VertexIds::areNumbers() const {
  for (int64_t number = 0; number < int64_t(integers.size()); ++number)
    if (integers[size_t(number)] != number)
      return false;
  return texts.size() == 0;
}

std::string VertexIds::lines() const {
  std::string result;
  for (int64_t integer : integers)
    result += std::to_string(integer) + "\n";
  for (int64_t number = 0; number < texts.size(); ++number) {
    const std::string_view text = texts[number];
    require(text.find_first_of("\n\r") == text.npos, GNN_ERROR_DATA, "the id '",
            text.substr(0, text.find_first_of("\n\r")), "…' has more than one line");
    (result += text) += "\n";
  }
  return result;
}
