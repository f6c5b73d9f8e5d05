//===- SharedRows.h - The rows of cols that several intervals need *- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices that give the rows of an interval of cols on to each other need those that the edges of any of them touch
// (NeuGraph, section 3.3). As with UsefulRows it is counted how many these are, and found anew which.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_SHAREDROWS_H
#define GNN_STREAM_SHAREDROWS_H

#include "runtime/src/stream/Chunks.h"

#include <map>

namespace gnn::rt {

class SharedRows {
public:
  /// For chunks in host memory whose cols are of this type. The arguments must outlive this.
  SharedRows(const Chunks &chunks, const Intervals &intervals, uint32_t colType)
      : chunks(chunks), intervals(intervals), colType(colType) {}

  /// How many rows of interval q the edges of some intervals of rows touch, with no more than `gap` rows between two of
  /// them. All of q are counted at first.
  uint64_t count(const std::vector<int64_t> &rowIntervals, int64_t q, int64_t gap = 0);
  /// Which these are, numbered.
  RowMarks marks(const std::vector<int64_t> &rowIntervals, int64_t q) const;

private:
  RowMarks marked(const std::vector<int64_t> &rowIntervals, int64_t q) const;

  const Chunks &chunks;
  const Intervals &intervals;
  const uint32_t colType;
  std::map<std::pair<std::vector<int64_t>, int64_t>, std::vector<uint64_t>> counts; // by gap, too: [intervals of cols]
};

} // namespace gnn::rt

#endif // GNN_STREAM_SHAREDROWS_H
