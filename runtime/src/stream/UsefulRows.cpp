//===- UsefulRows.cpp - The rows that the edges of a chunk touch ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/UsefulRows.h"

namespace gnn::rt {

int64_t RowMarks::count(int64_t first, int64_t last, int64_t gap) const {
  int64_t marked = 0;
  forRanges(first, last, gap, [&](int64_t begin, int64_t end) { marked += end - begin; });
  return marked;
}

void RowMarks::number() {
  before.resize(words.size());
  uint32_t marked = 0;
  for (size_t word = 0; word < words.size(); ++word) {
    before[word] = marked;
    marked += uint32_t(__builtin_popcountll(words[word]));
  }
}

void RowMarks::renumber(uint32_t *rows, int64_t count) const {
  for (uint32_t *row = rows; row != rows + count; ++row) {
    const uint64_t lower = (uint64_t(1) << *row % 64) - 1;
    *row = before[*row / 64] + uint32_t(__builtin_popcountll(words[*row / 64] & lower));
  }
}

UsefulRows::UsefulRows(const Relation &relation, uint32_t direction, uint32_t rowType, uint32_t colType,
                       const Intervals &intervals, const RowGaps &ofRows)
    : numCols(intervals.count(colType)), gaps(ofRows) {
  for (auto [rowBytes, gap] : gaps)
    counts[gap].resize(size_t(intervals.count(rowType) * numCols));
  const Buffer<int64_t> &offsets = relation.csr(direction).offsets;
  RowMarks marks;
  for (int64_t p = 0; p < intervals.count(rowType); ++p) {
    marks.begin(intervals.begin(colType, numCols));
    relation.forPieces(direction, offsets[size_t(intervals.begin(rowType, p))],
                       offsets[size_t(intervals.begin(rowType, p + 1))],
                       [&](const EdgePiece &piece) { marks.mark(piece.cols, piece.end - piece.begin); });
    for (int64_t q = 0; q < numCols; ++q)
      for (auto &[gap, ofChunks] : counts) {
        RowsRead &read = ofChunks[size_t(p * numCols + q)];
        marks.forRanges(intervals.begin(colType, q), intervals.begin(colType, q + 1), gap,
                        [&](int64_t begin, int64_t end) {
                          read.rows += uint32_t(end - begin);
                          ++read.ranges;
                        });
      }
  }
}

} // namespace gnn::rt
