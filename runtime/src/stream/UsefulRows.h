//===- UsefulRows.h - The rows that the edges of a chunk touch --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of an interval of cols that a chunk needs: those that its edges touch (selective scheduling, NeuGraph 3.2).
// They are counted before anything is planned. The rows themselves are found from a chunk's edges when these are
// loaded, so they take no memory.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_USEFULROWS_H
#define GNN_STREAM_USEFULROWS_H

#include "runtime/src/stream/Intervals.h"

#include <map>
#include <tuple>

namespace gnn::rt {

/// The overhead of a read from a file, in bytes: gaps that are smaller are read along with the rows.
constexpr uint64_t bytesOfSeek = 16 << 10;
/// As bytes that are to be passed over: none are, and whole intervals are read.
constexpr uint64_t wholeIntervals = UINT64_MAX;

/// Whether rows that are needed are sent to a GPU alone: they are gathered on this side first. NeuGraph's rule, by a
/// rate of gathering and one of a link that are stated here, in bytes a second, so that plans are the same everywhere.
/// Of several GPUs so many load at once, each by a link of its own, and this side gathers for all of them (NeuGraph
/// 3.3: aggregate throughputs).
inline bool isWorthPacking(uint64_t useful, uint64_t all, size_t loaders = 1) {
  constexpr double gatherRate = 8e9, linkRate = 24e9;
  return double(useful) < double(all) * gatherRate / (gatherRate + double(loaders) * linkRate);
}

/// Rows of an interval that are read, and in how many ranges.
struct RowsRead {
  uint32_t rows = 0, ranges = 0;
};

/// Which of some rows edges touch.
class RowMarks {
public:
  /// Memory that so many rows take, with their numbers.
  static size_t bytes(int64_t rows) { return size_t(rows + 63) / 64 * (sizeof(uint64_t) + sizeof(uint32_t)); }
  /// Forgets all; there are so many rows.
  void begin(int64_t rows) { words.assign(size_t(rows + 63) / 64, 0); }
  void mark(const uint32_t *rows, int64_t count) {
    for (const uint32_t *row = rows; row != rows + count; ++row)
      words[*row / 64] |= uint64_t(1) << *row % 64;
  }
  /// Calls `body(begin, end)` with ranges of rows from the first to the last that are marked among [first, last).
  /// Between two ranges are more than `gap` rows, and fewer within.
  template <class Body> void forRanges(int64_t first, int64_t last, int64_t gap, Body body) const;
  /// How many are marked among [first, last); with a gap, those of `forRanges`.
  int64_t count(int64_t first, int64_t last, int64_t gap = 0) const;
  /// Once all are marked, for `renumber`.
  void number();
  /// Makes each of these rows, which are marked, the number of marked rows before it.
  void renumber(uint32_t *rows, int64_t count) const;
  int64_t numberOf(uint32_t row) const {
    renumber(&row, 1);
    return row;
  }

private:
  std::vector<uint64_t> words;
  std::vector<uint32_t> before; // [words] marked rows; of `number`
};

/// By bytes of a row, how many of such rows are read between others.
using RowGaps = std::map<size_t, int64_t>;

/// How many rows the chunks of a relation need.
class UsefulRows {
public:
  /// For the edges of a direction, whose rows and cols are of these types of vertices.
  UsefulRows(const Relation &relation, uint32_t direction, uint32_t rowType, uint32_t colType,
             const Intervals &intervals, const RowGaps &gaps);

  // For tables whose rows have `rowBytes` bytes, which must be among the gaps:
  /// What chunk (p, q) reads, gaps with it.
  RowsRead of(int64_t p, int64_t q, size_t rowBytes) const {
    return counts.at(gapOf(rowBytes))[size_t(p * numCols + q)];
  }
  int64_t gapOf(size_t rowBytes) const { return gaps.at(rowBytes); }

  /// Sums over chunks.
  struct Sums {
    uint64_t rows = 0, seeks = 0;
  };
  /// Bytes of a row, edges of a slice and whether rows are passed over only where packing the others is worth it.
  using SumKey = std::tuple<size_t, int64_t, bool>;
  /// Returns `sum()` of the first call for a key: plans of as many intervals need the same sums. From one thread.
  template <class Sum> const Sums &sumsFor(const SumKey &key, const Sum &sum) const {
    auto found = known.find(key);
    return found == known.end() ? known.emplace(key, sum()).first->second : found->second;
  }

private:
  const int64_t numCols; // intervals
  const RowGaps gaps;
  std::map<int64_t, std::vector<RowsRead>> counts; // by gap, [intervals of rows][of cols]
  mutable std::map<SumKey, Sums> known;
};

template <class Body> void RowMarks::forRanges(int64_t first, int64_t last, int64_t gap, Body body) const {
  int64_t begin = -1, end = -1;
  for (int64_t word = first / 64; word * 64 < last; ++word)
    for (uint64_t left = words[size_t(word)]; left; left &= left - 1) {
      const int64_t row = word * 64 + __builtin_ctzll(left);
      if (row < first || row >= last)
        continue;
      if (end >= 0 && row - end > gap)
        body(begin, end);
      if (end < 0 || row - end > gap)
        begin = row;
      end = row + 1;
    }
  if (end >= 0)
    body(begin, end);
}

} // namespace gnn::rt

#endif // GNN_STREAM_USEFULROWS_H
