//===- PagedRows.cpp - Features that are read row by row ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/PagedRows.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace gnn::rt {

PagedRows::PagedRows(const Library &library, const Binding &binding, const gnn_program_t &program,
                     const std::string &folder, FileSystem &files)
    : files(files), file(folder, files), spilled(library, binding, file) {
  for (const gnn_use_t &use : usesIn(program))
    if (binding.paged().file(use.tensor) && !(use.accesses & 1u << GNN_ACCESS_WHOLE)) {
      const gnn_tensor_info_t &info = library.tensor(use.tensor);
      all.push_back({use.tensor, info.type, std::max(use.depth, 0), binding.rowBytes(use.tensor),
                     binding.leadingExtent(info), spilled.place(use.tensor)});
    }
}

void PagedRows::open() {
  file.allocate();
  spilled.update();
  for (const Table &table : all) {
    kept.push_back({Buffer<uint32_t>(size_t(table.rows)), Buffer<char>()});
    std::fill(kept.back().slots.begin(), kept.back().slots.end(), notKept);
  }
}

size_t PagedRows::bytes() const {
  size_t bytes = 0;
  for (const Table &table : all)
    bytes += size_t(table.rows) * sizeof(uint32_t);
  return bytes;
}

size_t PagedRows::bytesOfReading(const Table &table, int64_t rows) {
  return bytesOfReads(table.rowBytes) + 2 * size_t(rows + rows / spare) * sizeof(WantedRow);
}

void PagedRows::keep(size_t t, int64_t count, const std::function<bool(int64_t row)> &isKept) {
  constexpr size_t atOnce = 1 << 16;
  const size_t rowBytes = all[t].rowBytes;
  Kept &here = kept[t];
  std::fill(here.slots.begin(), here.slots.end(), notKept);
  here.rows = Buffer<char>(); // not two at a time
  here.rows = Buffer<char>(size_t(count) * rowBytes);
  std::vector<int64_t> piece;
  size_t slot = 0;
  auto readPiece = [&] {
    std::vector<WantedRow> wanted;
    for (int64_t row : piece) {
      wanted.push_back({row, here.rows.data() + slot * rowBytes});
      here.slots[size_t(row)] = uint32_t(slot++);
    }
    readMissing(t, wanted);
    piece.clear();
  };
  for (int64_t row = 0; row < all[t].rows; ++row) {
    if (isKept(row))
      piece.push_back(row);
    if (piece.size() == atOnce)
      readPiece();
  }
  readPiece();
  assert(slot == size_t(count));
  recent.clear();
  numRows = numHits = numReads = 0;
  bytesBefore = file.traffic().read[SpillFile::Tables];
}

/// Copies the rows that are in memory, and returns the others. `to`: null: nothing is copied. `found`: as in OfTable.
std::vector<WantedRow> PagedRows::missing(size_t t, Span<const int64_t> rows, char *to, const RecentBatches &others,
                                          std::vector<WantedRow> &found) const {
  const size_t rowBytes = all[t].rowBytes;
  auto copy = [&](const WantedRow &row, const void *from) {
    if (to)
      std::memcpy(row.to, from, rowBytes);
  };
  found.clear();
  found.reserve(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const WantedRow row{rows[i], to ? to + i * rowBytes : nullptr};
    const uint32_t slot = kept[t].slots[size_t(row.row)];
    if (slot == notKept)
      found.push_back(row);
    else
      copy(row, kept[t].rows.data() + slot * rowBytes);
  }
  std::sort(found.begin(), found.end(), [](const WantedRow &a, const WantedRow &b) { return a.row < b.row; });
  std::vector<WantedRow> left = found;
  for (const auto &other : others) {
    const std::vector<WantedRow> &there = other->tables.at(all[t].tensor).found;
    auto at = there.begin();
    auto isThere = [&](const WantedRow &row) { // asked in ascending order
      while (at != there.end() && at->row < row.row)
        ++at;
      const bool isFound = at != there.end() && at->row == row.row;
      if (isFound)
        copy(row, at->to);
      return isFound;
    };
    left.erase(std::remove_if(left.begin(), left.end(), isThere), left.end());
  }
  return left;
}

PagedRows::Counts PagedRows::countsOf(const Neighbourhood &around, const RecentBatches &others,
                                      BatchRows &batch) const {
  Counts counts;
  for (size_t t = 0; t < all.size(); ++t) {
    const Span<const int64_t> rows = rowsOf(all[t], around);
    std::vector<WantedRow> left = missing(t, rows, nullptr, others, batch.tables[all[t].tensor].found);
    const ReadSize size = sizeOfReads(left, all[t].rowBytes);
    counts.rows += rows.size();
    counts.hits += rows.size() - left.size();
    counts.reads += uint64_t(size.reads);
    counts.bytes += size.bytes;
  }
  return counts;
}

std::unique_ptr<Turn> PagedRows::nextTurn() {
  auto turn = std::make_unique<Turn>(lastTurn);
  lastTurn = turn->end();
  return turn;
}

int64_t PagedRows::readMissing(size_t t, std::vector<WantedRow> &wanted) {
  const Table &table = all[t];
  return readRows(wanted, table.rowBytes, readsTogether(), [&](Span<const WantedRows> asked) {
    spilled.load(table.tensor, table.place, asked, table.rowBytes);
  });
}

void PagedRows::read(const Neighbourhood &around, const Turn &turn, const std::shared_ptr<BatchRows> &to) {
  turn.await();
  recent.erase(std::remove(recent.begin(), recent.end(), to), recent.end());
  for (size_t t = 0; t < all.size(); ++t) {
    const Span<const int64_t> rows = rowsOf(all[t], around);
    BatchRows::OfTable &of = to->tables[all[t].tensor];
    if (of.rows.size() < rows.size() * all[t].rowBytes || of.rows.empty()) {
      of.rows = Buffer<char>(); // not two at a time
      of.rows = Buffer<char>(batchBytes(all[t], int64_t(rows.size())));
    }
    std::vector<WantedRow> left = missing(t, rows, of.rows.data(), recent, of.found);
    numRows += rows.size();
    numHits += rows.size() - left.size();
    numReads += uint64_t(readMissing(t, left));
  }
  recent.push_back(to);
}

} // namespace gnn::rt
