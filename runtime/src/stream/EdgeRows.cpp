//===- EdgeRows.cpp - The edges of a relation by intervals of rows --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/EdgeRows.h"

#include <algorithm>

namespace gnn::rt {

EdgeRows::EdgeRows(const Relation &relation, uint32_t edgesBy, EdgeNeeds asked, uint32_t ofRows, uint32_t ofCols,
                   const Intervals &cuts)
    : needs{asked.ids, asked.types && relation.hasTypes()}, hasWideIds(relation.hasWideIds()), direction(edgesBy),
      rowType(ofRows), colType(ofCols), intervals(cuts), ours(cuts.ours(ofRows)), mostBytes(findMost(relation)) {}

size_t EdgeRows::bytesOf(int64_t rows, int64_t numIntervals, int64_t edges) const {
  const size_t ofIds = needs.ids ? hasWideIds ? sizeof(int64_t) : sizeof(uint32_t) : 0,
               ofTypes = needs.types ? sizeof(int32_t) : 0;
  return size_t(rows + numIntervals) * sizeof(int64_t) + size_t(edges) * (sizeof(uint32_t) + ofIds + ofTypes);
}

size_t EdgeRows::findMost(const Relation &relation) const {
  const Buffer<int64_t> &ofRows = relation.csr(direction).offsets;
  size_t most = 0;
  for (int rank = 0; rank < intervals.numRanks(); ++rank) {
    const Intervals::Range parts = intervals.ofRank(rowType, rank), rows = intervals.rowsOfRank(rowType, rank);
    most = std::max(most, bytesOf(rows.end - rows.begin, parts.end - parts.begin,
                                  ofRows[size_t(rows.end)] - ofRows[size_t(rows.begin)]));
  }
  return most;
}

void EdgeRows::fill(const Relation &relation) {
  const Csr &csr = relation.csr(direction);
  const Intervals::Range rows = intervals.ourRows(rowType);
  const int64_t begin = csr.offsets[size_t(rows.begin)], end = csr.offsets[size_t(rows.end)];
  offsets = Buffer<int64_t>(size_t(rows.end - rows.begin + ours.end - ours.begin));
  int64_t *next = offsets.begin();
  for (int64_t p = ours.begin; p < ours.end; ++p) {
    const int64_t *ofRows = csr.offsets.begin() + intervals.begin(rowType, p);
    first.push_back(*ofRows - begin);
    next = std::transform(ofRows, ofRows + intervals.rows(rowType, p) + 1, next,
                          [from = *ofRows](int64_t offset) { return offset - from; });
  }
  const auto numEdges = size_t(end - begin);
  cols = Buffer<uint32_t>(numEdges);
  ids.narrow = Buffer<uint32_t>(needs.ids && !hasWideIds ? numEdges : 0);
  ids.wide = Buffer<int64_t>(needs.ids && hasWideIds ? numEdges : 0);
  types = Buffer<int32_t>(needs.types ? numEdges : 0);
  relation.forPieces(direction, begin, end, [&](const EdgePiece &piece) {
    const auto count = size_t(piece.end - piece.begin);
    const int64_t at = piece.begin - begin;
    std::copy_n(piece.cols, count, cols.begin() + at);
    if (needs.ids && hasWideIds)
      std::copy_n(piece.wideIds, count, ids.wide.begin() + at);
    else if (needs.ids)
      std::copy_n(piece.narrowIds, count, ids.narrow.begin() + at);
    if (needs.types)
      std::copy_n(piece.types, count, types.begin() + at);
  });
  isThere = true;
}

gnn_block_t EdgeRows::block(int64_t p) const {
  const int64_t edge = first[size_t(p - ours.begin)];
  gnn_block_t block{};
  block.size = sizeof block;
  block.num_rows = intervals.rows(rowType, p);
  block.num_cols = intervals.begin(colType, intervals.count(colType));
  block.offsets =
      offsets.begin() + (intervals.begin(rowType, p) - intervals.begin(rowType, ours.begin)) + (p - ours.begin);
  block.ends = block.offsets + 1;
  block.cols = cols.begin() + edge;
  if (needs.ids && hasWideIds)
    block.edge_id = ids.wide.begin() + edge;
  else if (needs.ids)
    block.edge_id32 = ids.narrow.begin() + edge;
  if (needs.types)
    block.edge_type = types.begin() + edge;
  return block;
}

} // namespace gnn::rt
