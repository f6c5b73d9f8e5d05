//===- DeviceBlocks.cpp - The edges of a relation on a GPU ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceBlocks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace gnn::rt {

namespace {

struct HostArray {
  const void *data;
  size_t bytes;
};

HostArray memberOf(const gnn_block_t &block, uint32_t member) {
  const size_t rows = size_t(block.num_rows), cols = size_t(block.num_cols), edges = size_t(block.offsets[rows]);
  switch (member) {
  case GNN_BLOCK_COLS:
    return {block.cols, edges * sizeof(uint32_t)};
  case GNN_BLOCK_ROW_ID:
    return {block.row_id, rows * sizeof(int64_t)};
  case GNN_BLOCK_COL_ID:
    return {block.col_id, cols * sizeof(int64_t)};
  case GNN_BLOCK_EDGE_ID:
    return {block.edge_id, edges * sizeof(int64_t)};
  case GNN_BLOCK_EDGE_ID32:
    return {block.edge_id32, edges * sizeof(uint32_t)};
  default:
    assert(member == GNN_BLOCK_EDGE_TYPE && "the others are those of pieces");
    return {block.edge_type, edges * sizeof(int32_t)};
  }
}

} // namespace

void DeviceBlocks::see(const View &view) {
  if (content == view.content(relation))
    return;
  content = view.content(relation);
  for (auto &[key, copy] : arrays)
    update(copy, view.block(relation, key.first), key.second);
  for (auto &[key, hot] : hots)
    update(hot, view.block(relation, key.first), key.second);
  for (auto &[key, pieces] : splitRows)
    update(pieces, view.block(relation, key.first), key.second);
}

void DeviceBlocks::update(DeviceCopy &copy, const gnn_block_t &block, uint32_t member) {
  const HostArray host = memberOf(block, member);
  copy.update(host.data, host.bytes, content);
}

cuda::Address DeviceBlocks::array(uint32_t direction, const gnn_block_t &block, uint32_t member) {
  if (!memberOf(block, member).data)
    return 0;
  DeviceCopy &copy = arrays.try_emplace({direction, member}, copies).first->second;
  update(copy, block, member);
  return copy.address();
}

void DeviceBlocks::update(Hot &hot, const gnn_block_t &block, uint32_t hotCols) {
  if (hot.cols.isOf(content))
    return;
  const std::vector<uint32_t> list = hottestCols(block, hotCols), cols = colsByHeat(block, list, hotCols);
  hot.list.update(list.data(), list.size() * sizeof(uint32_t), content);
  hot.cols.update(cols.data(), cols.size() * sizeof(uint32_t), content);
}

cuda::Address DeviceBlocks::hotArray(uint32_t direction, const gnn_block_t &block, uint32_t hotCols, uint32_t member) {
  auto known = hots.find({direction, hotCols});
  if (known == hots.end())
    known = hots.emplace(std::pair(direction, hotCols), Hot{DeviceCopy(copies), DeviceCopy(copies)}).first;
  update(known->second, block, hotCols);
  return (member == GNN_BLOCK_HOT ? known->second.list : known->second.cols).address();
}

void DeviceBlocks::update(PiecesCopy &copy, const gnn_block_t &block, const RowSplit &split) {
  if (copy.content == content)
    return;
  copy.content = 0;
  const RowPieces pieces(block, split);
  size_t next = 0;
  auto copied = [&](const auto &array) -> cuda::Address {
    if (copy.arrays.size() == next)
      copy.arrays.emplace_back(copies);
    DeviceCopy &known = copy.arrays[next++];
    if (array.empty())
      return 0;
    known.update(array.data(), array.size() * sizeof(array[0]), content);
    return known.address();
  };
  copy.there = {pieces.count(), pieces.numHubs, pieces.numStates};
  copy.there.rows = copied(pieces.rows);
  copy.there.offsets = copied(pieces.offsets);
  copy.there.ends = copied(pieces.ends);
  copy.there.positions = copied(pieces.positions);
  copy.there.moreOffsets = copied(pieces.moreOffsets);
  copy.there.moreEnds = copied(pieces.moreEnds);
  copy.content = content;
}

DevicePieces DeviceBlocks::pieces(uint32_t direction, const gnn_block_t &block, const RowSplit &split) {
  PiecesCopy &copy = splitRows[{direction, split}];
  update(copy, block, split);
  return copy.there;
}

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

namespace {

constexpr size_t numClasses = 256;

/// Lengths that differ by at most a quarter, and not across a power of two, are alike: 0; 1; 2; 3; 4; 5; 6; 7; 8; 9 and
/// 10; 11 and 12; ...
size_t classOf(int64_t length) {
  size_t bits = 0;
  for (length -= 1; length >= 8; length /= 2)
    ++bits;
  return length < 0 ? 0 : 1 + 4 * bits + size_t(length);
}

/// Rows by falling class of their lengths, those of a class as they come.
template <class LengthOf> Buffer<uint32_t> orderRows(int64_t numRows, LengthOf lengthOf) {
  std::array<int64_t, numClasses> next{};
  for (int64_t row = 0; row < numRows; ++row)
    ++next[classOf(lengthOf(row))];
  int64_t begin = 0;
  for (size_t c = numClasses; c-- > 0;)
    begin += std::exchange(next[c], begin);
  Buffer<uint32_t> order{size_t(numRows)};
  for (int64_t row = 0; row < numRows; ++row)
    order[size_t(next[classOf(lengthOf(row))]++)] = uint32_t(row);
  return order;
}

} // namespace

RowPieces::RowPieces(const gnn_block_t &whole, const RowSplit &split) {
  if (split.longest == RowSplit::none)
    takeRows(whole);
  else if (split.hasStates)
    splitStates(whole, split.isFixed ? INT64_MAX : split.longest);
  else
    splitEdges(whole, split);
}

void RowPieces::allocate(int64_t count) {
  rows = Buffer<uint32_t>(size_t(count));
  offsets = Buffer<int64_t>(size_t(count));
  ends = Buffer<int64_t>(size_t(count));
}

void RowPieces::put(int64_t piece, uint32_t row, int64_t begin, int64_t end) {
  rows[size_t(piece)] = row;
  offsets[size_t(piece)] = begin;
  ends[size_t(piece)] = end;
}

void RowPieces::takeRows(const gnn_block_t &whole) {
  allocate(whole.num_rows);
  for (int64_t row = 0; row < whole.num_rows; ++row)
    put(row, uint32_t(row), whole.offsets[row], whole.ends[row]);
  if (!whole.row_pos)
    return;
  positions = Buffer<int64_t>(rows.size());
  std::copy(whole.row_pos, whole.row_pos + whole.num_rows, positions.begin());
}

void RowPieces::splitStates(const gnn_block_t &whole, int64_t longest) {
  assert(longest >= GNN_SEGMENT_LENGTH && "pieces are whole segments");
  constexpr int64_t length = GNN_SEGMENT_LENGTH;
  auto lengthOf = [&](int64_t row) { return whole.ends[row] - whole.offsets[row]; };
  const Buffer<uint32_t> order = orderRows(whole.num_rows, lengthOf);
  for (; numHubs < whole.num_rows && lengthOf(order[size_t(numHubs)]) > longest; ++numHubs)
    numStates += (lengthOf(order[size_t(numHubs)]) + length - 1) / length;
  allocate(numStates + whole.num_rows - numHubs);
  if (numHubs > 0)
    positions = Buffer<int64_t>(rows.size());
  std::fill(positions.begin(), positions.end(), 0);
  moreOffsets = Buffer<int64_t>(size_t(numHubs));
  moreEnds = Buffer<int64_t>(size_t(numHubs));
  int64_t more = numHubs;
  for (int64_t i = 0; i < whole.num_rows; ++i) {
    const uint32_t row = order[size_t(i)];
    const int64_t begin = whole.offsets[row], end = whole.ends[row];
    if (i >= numHubs) {
      put(numStates + i - numHubs, row, begin, end);
      continue;
    }
    put(i, row, begin, begin + length);
    moreOffsets[size_t(i)] = more;
    for (int64_t at = begin + length; at < end; at += length, ++more) {
      put(more, row, at, std::min(at + length, end));
      positions[size_t(more)] = at - begin;
    }
    moreEnds[size_t(i)] = more;
  }
}

void RowPieces::splitEdges(const gnn_block_t &whole, const RowSplit &split) {
  const int64_t length = split.longest, edges = whole.num_rows ? whole.ends[whole.num_rows - 1] : 0;
  auto restOf = [&](int64_t row) { return (whole.ends[row] - whole.offsets[row]) % length; };
  int64_t numFull = 0, numRests = 0;
  for (int64_t row = 0; row < whole.num_rows; ++row) {
    numFull += (whole.ends[row] - whole.offsets[row]) / length;
    numRests += restOf(row) > 0;
  }
  const int64_t used = numFull + numRests;
  allocate(split.isFixed ? std::min(whole.num_rows, edges) + edges / length : used);
  int64_t next = 0;
  for (int64_t row = 0; row < whole.num_rows; ++row)
    for (int64_t at = whole.offsets[row]; at + length <= whole.ends[row]; at += length)
      put(next++, uint32_t(row), at, at + length);
  const Buffer<uint32_t> order = orderRows(whole.num_rows, restOf);
  for (int64_t i = 0; i < numRests; ++i) {
    const uint32_t row = order[size_t(i)];
    put(next++, row, whole.ends[row] - restOf(row), whole.ends[row]);
  }
  for (; next < count(); ++next)
    put(next, 0, 0, 0);
}

} // namespace gnn::rt
