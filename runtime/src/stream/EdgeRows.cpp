//===- EdgeRows.cpp - The edges of a relation by intervals of rows --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/EdgeRows.h"

namespace gnn::rt {

EdgeRows::EdgeRows(const Relation &relation, uint32_t edgesBy, EdgeNeeds asked, uint32_t ofRows, uint32_t ofCols,
                   const Intervals &cuts)
    : needs{asked.ids, asked.types && relation.hasTypes()}, hasWideIds(relation.hasWideIds()), direction(edgesBy),
      rowType(ofRows), colType(ofCols), intervals(cuts),
      numOffsets(size_t(relation.csr(direction).numRows() + cuts.count(ofRows))),
      numEdges(size_t(relation.numEdges())) {}

size_t EdgeRows::bytes() const {
  const size_t ofIds = needs.ids ? hasWideIds ? sizeof(int64_t) : sizeof(uint32_t) : 0,
               ofTypes = needs.types ? sizeof(int32_t) : 0;
  return numOffsets * sizeof(int64_t) + numEdges * (sizeof(uint32_t) + ofIds + ofTypes);
}

void EdgeRows::fill(const Relation &relation) {
  const Csr &csr = relation.csr(direction);
  offsets = Buffer<int64_t>(numOffsets);
  int64_t *next = offsets.begin();
  for (int64_t p = 0; p < intervals.count(rowType); ++p) {
    const int64_t *begin = csr.offsets.begin() + intervals.begin(rowType, p);
    first.push_back(*begin);
    next = std::transform(begin, begin + intervals.rows(rowType, p) + 1, next,
                          [from = *begin](int64_t offset) { return offset - from; });
  }
  cols = Buffer<uint32_t>(numEdges);
  ids.narrow = Buffer<uint32_t>(needs.ids && !hasWideIds ? numEdges : 0);
  ids.wide = Buffer<int64_t>(needs.ids && hasWideIds ? numEdges : 0);
  types = Buffer<int32_t>(needs.types ? numEdges : 0);
  relation.forPieces(direction, 0, int64_t(numEdges), [&](const EdgePiece &piece) {
    const auto count = size_t(piece.end - piece.begin);
    std::copy_n(piece.cols, count, cols.begin() + piece.begin);
    if (needs.ids && hasWideIds)
      std::copy_n(piece.wideIds, count, ids.wide.begin() + piece.begin);
    else if (needs.ids)
      std::copy_n(piece.narrowIds, count, ids.narrow.begin() + piece.begin);
    if (needs.types)
      std::copy_n(piece.types, count, types.begin() + piece.begin);
  });
}

gnn_block_t EdgeRows::block(int64_t p) const {
  const int64_t edge = first[size_t(p)];
  gnn_block_t block{};
  block.size = sizeof block;
  block.num_rows = intervals.rows(rowType, p);
  block.num_cols = intervals.begin(colType, intervals.count(colType));
  block.offsets = offsets.begin() + intervals.begin(rowType, p) + p;
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
