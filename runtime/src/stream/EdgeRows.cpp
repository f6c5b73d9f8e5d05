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
                   const Intervals &cuts, Engine &machine, bool areNewInRuns)
    : needs{asked.ids, asked.types && relation.hasTypes()}, hasWideIds(relation.hasWideIds()), arePairs(areNewInRuns),
      direction(edgesBy), rowType(ofRows), colType(ofCols), intervals(cuts), ours(cuts.ours(ofRows)), engine(machine),
      mostBytes(findMost(relation) + (arePairs ? RowMarks::bytes(cuts.begin(ofCols, cuts.count(ofCols))) : size_t(0))) {
}

EdgeRows::Parts EdgeRows::partsOf(int64_t rows, int64_t numIntervals, int64_t edges) const {
  Parts found{};
  size_t end = 0;
  auto add = [&](int64_t count, size_t bytes) {
    const size_t begin = end;
    end += wholeLines(size_t(count) * bytes);
    return begin;
  };
  found.offsets = add(rows + numIntervals, sizeof(int64_t));
  found.cols = add(edges, sizeof(uint32_t));
  found.ids = add(needs.ids ? edges : 0, hasWideIds ? sizeof(int64_t) : sizeof(uint32_t));
  found.types = add(needs.types ? edges : 0, sizeof(int32_t));
  found.end = end;
  return found;
}

size_t EdgeRows::findMost(const Relation &relation) const {
  const Buffer<int64_t> &ofRows = relation.csr(direction).offsets;
  size_t most = 0;
  for (int rank = 0; rank < intervals.numRanks(); ++rank) {
    const Intervals::Range parts = intervals.ofRank(rowType, rank), rows = intervals.rowsOfRank(rowType, rank);
    most = std::max(most, partsOf(rows.end - rows.begin, parts.end - parts.begin,
                                  ofRows[size_t(rows.end)] - ofRows[size_t(rows.begin)])
                              .end);
  }
  return engine.takenBytes(most);
}

/// Calls `body` with the edges of rows, some at a time. Relations with types have the edges of a row by these first.
/// Here they come as in chunks, by intervals of cols first, so that a row has the same bits in one call.
void EdgeRows::forPieces(const Relation &relation, Intervals::Range rows,
                         const std::function<void(const EdgePiece &)> &body) const {
  const Buffer<int64_t> &offsets = relation.csr(direction).offsets;
  auto first = [&](int64_t row) { return offsets[size_t(row)]; };
  if (!relation.hasTypes() || arePairs || intervals.count(colType) == 1)
    return relation.forPieces(direction, first(rows.begin), first(rows.end), body);
  struct Edge {
    int64_t interval, id;
    uint32_t col;
    int32_t type;
  };
  std::vector<Edge> edges;
  for (int64_t row = rows.begin, end = row; row < rows.end; row = end) {
    while (end < rows.end && (end == row || first(end + 1) - first(row) <= edgesOfPiece))
      ++end;
    edges.clear();
    relation.forPieces(direction, first(row), first(end), [&](const EdgePiece &piece) {
      for (int64_t i = 0; i < piece.end - piece.begin; ++i)
        edges.push_back(
            {intervals.of(colType, piece.cols[i]), needs.ids ? piece.id(i) : 0, piece.cols[i], piece.types[i]});
    });
    for (int64_t r = row; r < end; ++r)
      std::stable_sort(edges.begin() + (first(r) - first(row)), edges.begin() + (first(r + 1) - first(row)),
                       [](const Edge &a, const Edge &b) { return a.interval < b.interval; });
    auto valuesOf = [&](auto field, auto value) {
      std::vector<decltype(value)> values;
      for (const Edge &edge : edges)
        values.push_back(decltype(value)(edge.*field));
      return values;
    };
    body({first(row), first(end), valuesOf(&Edge::col, uint32_t()).data(), valuesOf(&Edge::id, uint32_t()).data(),
          valuesOf(&Edge::id, int64_t()).data(), valuesOf(&Edge::type, int32_t()).data()});
  }
}

void EdgeRows::fill(const Relation &relation) {
  const Csr &csr = relation.csr(direction);
  const Intervals::Range rows = intervals.ourRows(rowType);
  const int64_t begin = csr.offsets[size_t(rows.begin)], end = csr.offsets[size_t(rows.end)];
  parts = partsOf(rows.end - rows.begin, ours.end - ours.begin, end - begin);
  std::unique_ptr<Memory> filled = memory ? std::move(memory) : engine.allocate(parts.end);
  auto put = [&](size_t part, int64_t at, const auto *from, int64_t count) {
    engine.copyIn(static_cast<char *>(filled->data()) + part + size_t(at) * sizeof *from, from,
                  size_t(count) * sizeof *from);
  };
  std::vector<int64_t> offsets;
  first.clear();
  for (int64_t p = ours.begin, next = 0; p < ours.end; ++p, next += int64_t(offsets.size())) {
    const int64_t *ofRows = csr.offsets.begin() + intervals.begin(rowType, p);
    first.push_back(*ofRows - begin);
    offsets.assign(ofRows, ofRows + intervals.rows(rowType, p) + 1);
    for (int64_t &offset : offsets)
      offset -= begin + first.back();
    put(parts.offsets, next, offsets.data(), int64_t(offsets.size()));
  }
  first.push_back(end - begin);
  forPieces(relation, rows, [&](const EdgePiece &piece) {
    const int64_t at = piece.begin - begin, count = piece.end - piece.begin;
    put(parts.cols, at, piece.cols, count);
    if (needs.ids && hasWideIds)
      put(parts.ids, at, piece.wideIds, count);
    else if (needs.ids)
      put(parts.ids, at, piece.narrowIds, count);
    if (needs.types)
      put(parts.types, at, piece.types, count);
  });
  if (arePairs) {
    auto *cols = reinterpret_cast<uint32_t *>(static_cast<char *>(filled->data()) + parts.cols);
    marks.begin(intervals.begin(colType, intervals.count(colType)));
    marks.mark(cols, end - begin);
    marks.number();
    marks.renumber(cols, end - begin);
  }
  content = relation.number();
  memory = std::move(filled);
}

gnn_block_t EdgeRows::block(int64_t p) const {
  const char *there = static_cast<const char *>(memory->data());
  const int64_t edge = first[size_t(p - ours.begin)];
  gnn_block_t block{};
  block.size = sizeof block;
  block.num_rows = intervals.rows(rowType, p);
  block.num_cols = intervals.begin(colType, intervals.count(colType));
  block.offsets = reinterpret_cast<const int64_t *>(there + parts.offsets) +
                  (intervals.begin(rowType, p) - intervals.begin(rowType, ours.begin)) + (p - ours.begin);
  block.ends = block.offsets + 1;
  block.cols = reinterpret_cast<const uint32_t *>(there + parts.cols) + edge;
  if (needs.ids && hasWideIds)
    block.edge_id = reinterpret_cast<const int64_t *>(there + parts.ids) + edge;
  else if (needs.ids)
    block.edge_id32 = reinterpret_cast<const uint32_t *>(there + parts.ids) + edge;
  if (needs.types)
    block.edge_type = reinterpret_cast<const int32_t *>(there + parts.types) + edge;
  return block;
}

} // namespace gnn::rt
