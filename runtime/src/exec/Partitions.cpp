//===- Partitions.cpp - Sweeps a part of the columns at a time ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Partitions.h"

#include <algorithm>
#include <tbb/parallel_for.h>

namespace gnn::rt {

Partitions::Partitions(const gnn_block_t &whole, int64_t count, bool withIds)
    : blocks(size_t(count), whole), offsets(size_t(count * (whole.num_rows + 1))),
      positions(size_t(count * whole.num_rows)), cols(size_t(whole.offsets[whole.num_rows])),
      narrowIds(withIds && whole.edge_id32 ? cols.size() : 0), wideIds(withIds && whole.edge_id ? cols.size() : 0) {
  const int64_t rows = whole.num_rows;
  auto forRows = [&](auto &&body) {
    tbb::parallel_for(tbb::blocked_range<int64_t>(0, rows, 256), [&](const tbb::blocked_range<int64_t> &range) {
      for (int64_t row = range.begin(); row < range.end(); ++row)
        body(row);
    });
  };
  auto offsetOf = [&](int64_t p, int64_t row) -> int64_t & { return offsets[size_t(p * (rows + 1) + row)]; };
  auto positionOf = [&](int64_t p, int64_t row) -> int64_t & { return positions[size_t(p * rows + row)]; };

  forRows([&](int64_t row) { // where each partition starts in the row
    const uint32_t *begin = whole.cols + whole.offsets[row], *end = whole.cols + whole.offsets[row + 1], *at = begin;
    for (int64_t p = 0; p < count; ++p) {
      at = std::lower_bound(at, end, uint32_t(whole.num_cols * p / count));
      positionOf(p, row) = at - begin;
    }
  });
  int64_t next = 0;
  for (int64_t p = 0; p < count; ++p) {
    for (int64_t row = 0; row < rows; ++row) {
      offsetOf(p, row) = next;
      int64_t degree = whole.offsets[row + 1] - whole.offsets[row];
      next += (p + 1 < count ? positionOf(p + 1, row) : degree) - positionOf(p, row);
    }
    offsetOf(p, rows) = next;
  }
  forRows([&](int64_t row) {
    for (int64_t p = 0; p < count; ++p) {
      int64_t from = whole.offsets[row] + positionOf(p, row), to = offsetOf(p, row);
      int64_t edges = offsetOf(p, row + 1) - to;
      std::copy_n(whole.cols + from, edges, cols.data() + to);
      if (!narrowIds.empty())
        std::copy_n(whole.edge_id32 + from, edges, narrowIds.data() + to);
      if (!wideIds.empty())
        std::copy_n(whole.edge_id + from, edges, wideIds.data() + to);
    }
  });
  for (int64_t p = 0; p < count; ++p) {
    gnn_block_t &block = blocks[size_t(p)];
    block.offsets = &offsetOf(p, 0);
    block.cols = cols.data();
    block.edge_id = wideIds.empty() ? nullptr : wideIds.data();
    block.edge_id32 = narrowIds.empty() ? nullptr : narrowIds.data();
    block.row_pos = rows ? &positionOf(p, 0) : nullptr;
  }
}

size_t Partitions::bytes() const {
  return (offsets.size() + positions.size() + wideIds.size()) * sizeof(int64_t) +
         (cols.size() + narrowIds.size()) * sizeof(uint32_t);
}

} // namespace gnn::rt
