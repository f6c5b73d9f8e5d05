//===- Hotness.cpp - Which rows batches read most -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/Hotness.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

namespace {

constexpr uint32_t hottest = uint32_t(1) << 18; // is hotter than any row

} // namespace

Hotness::Hotness(const std::vector<Table> &tables) {
  for (const Table &table : tables) {
    counted.push_back({table});
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
    if (counted[t].table.offsets)
      continue;
    numRows += rows[t].size();
    numBytes += rows[t].size() * counted[t].table.rowBytes;
  }
  ++batches;
}

/// Pages of the disk that are not read for a byte of memory: a row that is read moves one at least. Its leading bits
/// are as good, and few enough to count by.
uint32_t Hotness::heatOf(const Counted &of, int64_t row) {
  constexpr size_t page = 4096;
  const size_t bytes = std::max<size_t>(of.table.bytesOf(row), 1), pages = (bytes + page - 1) / page;
  const float heat = float(of.batches[size_t(row)]) * float(pages * page) / float(bytes);
  uint32_t bits;
  std::memcpy(&bits, &heat, sizeof bits);
  return bits >> 13;
}

void Hotness::choose(size_t bytes) {
  std::vector<uint64_t> bytesOf(hottest, 0); // by heat
  for (const Counted &of : counted)
    for (int64_t row = 0; row < of.table.rows; ++row)
      bytesOf[heatOf(of, row)] += of.table.bytesOf(row);
  uint32_t least = hottest;
  for (; least > 0 && bytesOf[least - 1] <= bytes; --least)
    bytes -= bytesOf[least - 1];
  for (Counted &of : counted) {
    of.least = least > 0 ? least - 1 : 0;
    of.end = least > 0 ? 0 : of.table.rows;
    bool hasRoom = least > 0;
    of.numKept = 0;
    of.keptBytes = 0;
    for (int64_t row = 0; row < of.table.rows; ++row) {
      const uint32_t heat = heatOf(of, row);
      const size_t rowBytes = of.table.bytesOf(row);
      if (hasRoom && heat == of.least && (hasRoom = rowBytes <= bytes)) {
        bytes -= rowBytes;
        of.end = row + 1;
      }
      if (heat > of.least || (heat == of.least && row < of.end)) {
        ++of.numKept;
        of.keptBytes += rowBytes;
      }
    }
  }
}

bool Hotness::isKept(size_t t, int64_t row) const {
  const Counted &of = counted[t];
  const uint32_t heat = heatOf(of, row);
  return heat > of.least || (heat == of.least && row < of.end);
}

} // namespace gnn::rt
