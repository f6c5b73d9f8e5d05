//===- SharedRows.cpp - The rows of cols that several intervals need ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/SharedRows.h"

namespace gnn::rt {

RowMarks SharedRows::marked(const std::vector<int64_t> &rowIntervals, int64_t q) const {
  RowMarks marks;
  marks.begin(intervals.rows(colType, q));
  for (int64_t p : rowIntervals)
    chunks.mark(p, q, marks);
  return marks;
}

RowMarks SharedRows::marks(const std::vector<int64_t> &rowIntervals, int64_t q) const {
  RowMarks marks = marked(rowIntervals, q);
  marks.number();
  return marks;
}

uint64_t SharedRows::count(const std::vector<int64_t> &rowIntervals, int64_t q, int64_t gap) {
  std::vector<uint64_t> &known = counts[{rowIntervals, gap}];
  for (auto next = int64_t(known.size()); next < intervals.count(colType); ++next)
    known.push_back(uint64_t(marked(rowIntervals, next).count(0, intervals.rows(colType, next), gap)));
  return known[size_t(q)];
}

} // namespace gnn::rt
