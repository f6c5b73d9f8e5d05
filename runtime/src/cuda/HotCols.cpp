//===- HotCols.cpp - The cols that most edges read -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/HotCols.h"

#include <algorithm>
#include <numeric>

namespace gnn::rt {

static size_t numEdges(const gnn_block_t &block) { return block.offsets ? size_t(block.offsets[block.num_rows]) : 0; }

std::vector<uint32_t> hottestCols(const gnn_block_t &block, uint32_t count) {
  std::vector<int64_t> reads(size_t(block.num_cols), 0);
  for (size_t edge = 0; edge < numEdges(block); ++edge)
    ++reads[block.cols[edge]];
  std::vector<uint32_t> cols(reads.size());
  std::iota(cols.begin(), cols.end(), 0);
  const size_t kept = std::min<size_t>(count, cols.size());
  std::partial_sort(cols.begin(), cols.begin() + std::ptrdiff_t(kept), cols.end(), [&](uint32_t left, uint32_t right) {
    return reads[left] != reads[right] ? reads[left] > reads[right] : left < right;
  });
  cols.resize(kept);
  return cols;
}

std::vector<uint32_t> colsByHeat(const gnn_block_t &block, const std::vector<uint32_t> &hot, uint32_t count) {
  std::vector<uint32_t> places(size_t(block.num_cols));
  std::iota(places.begin(), places.end(), count);
  for (size_t i = 0; i < hot.size(); ++i)
    places[hot[i]] = uint32_t(i);
  std::vector<uint32_t> cols(numEdges(block));
  for (size_t edge = 0; edge < cols.size(); ++edge)
    cols[edge] = places[block.cols[edge]];
  return cols;
}

} // namespace gnn::rt
