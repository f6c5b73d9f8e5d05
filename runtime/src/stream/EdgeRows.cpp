//===- EdgeRows.cpp - The edges of a relation by intervals of rows --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/EdgeRows.h"

namespace gnn::rt {

namespace {

template <class T> Buffer<T> copyOf(const Buffer<T> &from) {
  Buffer<T> copy(from.size());
  std::copy(from.begin(), from.end(), copy.begin());
  return copy;
}

} // namespace

EdgeRows::EdgeRows(const Csr &csr, EdgeNeeds asked, uint32_t ofRows, uint32_t ofCols, const Intervals &cuts)
    : needs{asked.ids, asked.types && !csr.types.empty()}, hasWideIds(!csr.edgeIds.wide.empty()), rowType(ofRows),
      colType(ofCols), intervals(cuts), numOffsets(size_t(csr.numRows() + cuts.count(ofRows))),
      numEdges(csr.cols.size()) {}

size_t EdgeRows::bytes() const {
  const size_t ofIds = needs.ids ? hasWideIds ? sizeof(int64_t) : sizeof(uint32_t) : 0,
               ofTypes = needs.types ? sizeof(int32_t) : 0;
  return numOffsets * sizeof(int64_t) + numEdges * (sizeof(uint32_t) + ofIds + ofTypes);
}

void EdgeRows::fill(const Csr &csr) {
  offsets = Buffer<int64_t>(numOffsets);
  int64_t *next = offsets.begin();
  for (int64_t p = 0; p < intervals.count(rowType); ++p) {
    const int64_t *begin = csr.offsets.begin() + intervals.begin(rowType, p);
    first.push_back(*begin);
    next = std::transform(begin, begin + intervals.rows(rowType, p) + 1, next,
                          [from = *begin](int64_t offset) { return offset - from; });
  }
  cols = copyOf(csr.cols);
  if (needs.ids)
    ids = {copyOf(csr.edgeIds.narrow), copyOf(csr.edgeIds.wide)};
  if (needs.types)
    types = copyOf(csr.types);
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
