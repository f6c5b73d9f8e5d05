//===- Hotness.cpp - Which rows batches read most -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/Hotness.h"

#include <algorithm>

namespace gnn::rt {

Hotness::Hotness(const std::vector<Table> &tables) {
  for (const Table &table : tables) {
    counted.emplace_back();
    counted.back().table = table;
    counted.back().batches.assign(size_t(table.rows), 0);
  }
}

size_t Hotness::bytes() const {
  size_t bytes = 0;
  for (const Counted &of : counted)
    bytes += of.batches.size() * sizeof(uint16_t);
  return bytes;
}

void Hotness::add(const std::vector<Span<const int64_t>> &rows) {
  for (size_t t = 0; t < rows.size(); ++t) {
    for (int64_t row : rows[t])
      if (uint16_t &count = counted[t].batches[size_t(row)]; count < UINT16_MAX)
        ++count;
    numRows += rows[t].size();
    numBytes += rows[t].size() * counted[t].table.rowBytes;
  }
  ++batches;
}

/// A row that is read as often as another, but has more bytes, saves more bytes, and takes as many: both are as hot.
void Hotness::choose(size_t bytes) {
  std::vector<uint64_t> bytesOf(size_t(UINT16_MAX) + 1, 0); // by count
  for (const Counted &of : counted)
    for (uint16_t count : of.batches)
      bytesOf[count] += of.table.rowBytes;
  uint32_t least = UINT16_MAX + 1;
  for (; least > 0 && bytesOf[least - 1] <= bytes; --least)
    bytes -= bytesOf[least - 1];
  for (Counted &of : counted) {
    of.least = least > 0 ? least - 1 : 0;
    of.end = least > 0 ? 0 : of.table.rows;
    of.numKept = 0;
    for (int64_t row = 0; row < of.table.rows; ++row) {
      if (least > 0 && of.batches[size_t(row)] == of.least && bytes >= of.table.rowBytes) {
        bytes -= of.table.rowBytes;
        of.end = row + 1;
      }
    }
    for (int64_t row = 0; row < of.table.rows; ++row)
      of.numKept += of.batches[size_t(row)] > of.least || (of.batches[size_t(row)] == of.least && row < of.end);
  }
}

bool Hotness::isKept(size_t t, int64_t row) const {
  const Counted &of = counted[t];
  return of.batches[size_t(row)] > of.least || (of.batches[size_t(row)] == of.least && row < of.end);
}

} // namespace gnn::rt
