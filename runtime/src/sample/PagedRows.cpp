//===- PagedRows.cpp - Features that are read row by row ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/PagedRows.h"

#include "runtime/src/sample/RowReads.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace gnn::rt {

PagedRows::PagedRows(const Library &library, const Binding &binding, const gnn_program_t &program,
                     const std::string &folder, FileSystem &files)
    : files(files), file(folder, files), spilled(library, binding, file) {
  for (const gnn_use_t *use = program.uses; use != program.uses + program.num_uses; ++use)
    if (binding.paged(use->tensor) && !(use->accesses & 1u << GNN_ACCESS_WHOLE)) {
      const gnn_tensor_info_t &info = library.tensor(use->tensor);
      all.push_back({use->tensor, info.type, std::max(use->depth, 0), binding.rowBytes(use->tensor),
                     binding.leadingExtent(info), spilled.place(use->tensor)});
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
  return bytesOfReads(table.rowBytes) + size_t(rows + rows / spare) * sizeof(WantedRow);
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
    readTable(t, piece, here.rows.data() + slot * rowBytes);
    for (int64_t row : piece)
      here.slots[size_t(row)] = uint32_t(slot++);
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
  numRows = numHits = numReads = 0;
  bytesBefore = file.traffic().read[SpillFile::Tables];
}

PagedRows::Counts PagedRows::countsOf(const Neighbourhood &around) const {
  Counts counts;
  for (size_t t = 0; t < all.size(); ++t) {
    std::vector<WantedRow> wanted;
    const Span<const int64_t> rows = rowsOf(all[t], around);
    for (int64_t row : rows)
      if (kept[t].slots[size_t(row)] == notKept)
        wanted.push_back({row, nullptr});
    const ReadSize size = sizeOfReads(wanted, all[t].rowBytes);
    counts.rows += rows.size();
    counts.hits += rows.size() - wanted.size();
    counts.reads += uint64_t(size.reads);
    counts.bytes += size.bytes;
  }
  return counts;
}

void PagedRows::readTable(size_t t, Span<const int64_t> rows, char *to) {
  const Table &table = all[t];
  std::vector<WantedRow> wanted;
  for (size_t i = 0; i < rows.size(); ++i) {
    char *there = to + i * table.rowBytes;
    const uint32_t slot = kept[t].slots[size_t(rows[i])];
    if (slot == notKept)
      wanted.push_back({rows[i], there});
    else
      std::memcpy(there, kept[t].rows.data() + slot * table.rowBytes, table.rowBytes);
  }
  numRows += rows.size();
  numHits += rows.size() - wanted.size();
  numReads += uint64_t(readRows(wanted, table.rowBytes, readsTogether(), [&](Span<const WantedRows> asked) {
    spilled.load(table.tensor, table.place, asked, table.rowBytes);
  }));
}

void PagedRows::read(const Neighbourhood &around, BatchRows &to) {
  for (size_t t = 0; t < all.size(); ++t) {
    const Span<const int64_t> rows = rowsOf(all[t], around);
    Buffer<char> &there = to.tables[all[t].tensor];
    if (there.size() < rows.size() * all[t].rowBytes || there.empty()) {
      there = Buffer<char>(); // not two at a time
      there = Buffer<char>(batchBytes(all[t], int64_t(rows.size())));
    }
    readTable(t, rows, there.data());
  }
}

} // namespace gnn::rt
