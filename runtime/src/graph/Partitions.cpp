//===- Partitions.cpp - Sweeps a part of the columns at a time ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/Partitions.h"
#include "runtime/src/core/Parallel.h"

#include <algorithm>

namespace gnn::rt {

namespace {

template <class Body> void forRows(int64_t rows, Body body) {
  parallelFor(tbb::blocked_range<int64_t>(0, rows, 256), [&](const tbb::blocked_range<int64_t> &range) {
    for (int64_t row = range.begin(); row < range.end(); ++row)
      body(row);
  });
}

} // namespace

Partitions::Partitions(const gnn_block_t &whole, int64_t count, bool withIds)
    : blocks(size_t(count), whole), positions(size_t(count * whole.num_rows)) {
  const int64_t rows = whole.num_rows;
  if (!rows)
    return;
  forRows(rows, [&](int64_t row) {
    const uint32_t *begin = whole.cols + whole.offsets[row], *end = whole.cols + whole.ends[row], *at = begin;
    for (int64_t p = 0; p < count; ++p) {
      at = std::lower_bound(at, end, uint32_t(whole.num_cols * p / count));
      positions[size_t(p * rows + row)] = at - begin;
    }
  });
  for (int64_t p = 0; p < count; ++p)
    blocks[size_t(p)].row_pos = &positions[size_t(p * rows)];
  if (whole.ends[rows - 1] < longRun * rows * count)
    copyEdges(whole, withIds);
  else
    leaveEdges(whole);
}

void Partitions::leaveEdges(const gnn_block_t &whole) {
  const auto rows = size_t(whole.num_rows);
  bounds = Buffer<int64_t>((blocks.size() + 1) * rows);
  forRows(whole.num_rows, [&](int64_t row) {
    for (size_t p = 0; p < blocks.size(); ++p)
      bounds[p * rows + size_t(row)] = whole.offsets[row] + blocks[p].row_pos[row];
    bounds[blocks.size() * rows + size_t(row)] = whole.ends[row];
  });
  for (size_t p = 0; p < blocks.size(); ++p) {
    blocks[p].offsets = &bounds[p * rows];
    blocks[p].ends = &bounds[(p + 1) * rows];
  }
}

void Partitions::copyEdges(const gnn_block_t &whole, bool withIds) {
  const auto rows = size_t(whole.num_rows), edges = size_t(whole.ends[rows - 1]), count = blocks.size();
  bounds = Buffer<int64_t>(count * (rows + 1));
  cols = Buffer<uint32_t>(edges);
  narrowIds = Buffer<uint32_t>(withIds && whole.edge_id32 ? edges : 0);
  wideIds = Buffer<int64_t>(withIds && whole.edge_id ? edges : 0);
  int64_t next = 0;
  for (size_t p = 0; p < count; ++p) {
    int64_t *offsets = &bounds[p * (rows + 1)];
    for (size_t row = 0; row < rows; ++row) {
      int64_t end = p + 1 < count ? blocks[p + 1].row_pos[row] : whole.ends[row] - whole.offsets[row];
      offsets[row] = next;
      next += end - blocks[p].row_pos[row];
    }
    offsets[rows] = next;
    blocks[p].offsets = offsets;
    blocks[p].ends = offsets + 1;
    blocks[p].cols = cols.data();
    blocks[p].edge_id = wideIds.empty() ? nullptr : wideIds.data();
    blocks[p].edge_id32 = narrowIds.empty() ? nullptr : narrowIds.data();
  }
  forRows(whole.num_rows, [&](int64_t row) {
    for (const gnn_block_t &block : blocks) {
      int64_t from = whole.offsets[row] + block.row_pos[row], to = block.offsets[row], run = block.ends[row] - to;
      std::copy_n(whole.cols + from, run, cols.data() + to);
      if (!narrowIds.empty())
        std::copy_n(whole.edge_id32 + from, run, narrowIds.data() + to);
      if (!wideIds.empty())
        std::copy_n(whole.edge_id + from, run, wideIds.data() + to);
    }
  });
}

size_t Partitions::bytes() const {
  return (bounds.size() + positions.size() + wideIds.size()) * sizeof(int64_t) +
         (cols.size() + narrowIds.size()) * sizeof(uint32_t);
}

} // namespace gnn::rt
