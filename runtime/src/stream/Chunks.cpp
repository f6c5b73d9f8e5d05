//===- Chunks.cpp - The edges of a relation in a grid of pieces -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Chunks.h"

#include <cassert>

namespace gnn::rt {

ChunkCounts::ChunkCounts(const Relation &relation, uint32_t sourceType, uint32_t destinationType,
                         const Intervals &intervals)
    : sources(intervals.count(sourceType)), counts(size_t(sources * intervals.count(destinationType)), 0) {
  const Csr &csr = relation.csr(GNN_TO_DESTINATION);
  for (int64_t p = 0; p < intervals.count(destinationType); ++p) {
    int64_t *ofRows = counts.data() + p * sources;
    const int64_t begin = csr.offsets[size_t(intervals.begin(destinationType, p))],
                  end = csr.offsets[size_t(intervals.begin(destinationType, p + 1))];
    for (int64_t e = begin; e < end; ++e)
      ++ofRows[intervals.of(sourceType, csr.cols[size_t(e)])];
  }
}

Chunks::Parts Chunks::partsOf(EdgeNeeds needs, size_t idBytes, int64_t numRows, int64_t numEdges) {
  const size_t rows = size_t(numRows), edges = size_t(numEdges);
  Parts parts{};
  size_t end = 0;
  auto add = [&](size_t bytes) {
    const size_t begin = end;
    end += wholeLines(bytes);
    return begin;
  };
  parts.offsets = add((rows + 1) * sizeof(int64_t));
  parts.positions = add(rows * sizeof(int64_t));
  parts.degrees = add(rows * sizeof(uint32_t));
  parts.cols = add(edges * sizeof(uint32_t));
  parts.ids = add(needs.ids ? edges * idBytes : 0);
  parts.types = add(needs.types ? edges * sizeof(int32_t) : 0);
  parts.end = end;
  return parts;
}

size_t Chunks::slotBytes(const Csr &csr, EdgeNeeds needs, int64_t rows, int64_t edges) {
  return partsOf(needs, idBytesOf(csr), rows, edges).end;
}

size_t Chunks::fileBytes(const Csr &csr, EdgeNeeds needs, int64_t rows, int64_t edges) {
  const Parts parts = partsOf(needs, idBytesOf(csr), rows, edges);
  return parts.end - parts.degrees;
}

Chunks::Chunks(const Csr &csr, EdgeNeeds asked, uint32_t ofRows, uint32_t ofCols, const Intervals &cuts,
               const ChunkCounts &counts, uint32_t direction, SpillFile &spilled)
    : needs{asked.ids, asked.types && !csr.types.empty()}, idBytes(idBytesOf(csr)), rowType(ofRows), colType(ofCols),
      intervals(cuts), file(spilled) {
  for (int64_t p = 0; p < intervals.count(rowType); ++p)
    for (int64_t q = 0; q < intervals.count(colType); ++q) {
      const int64_t edges = counts.edges(direction, p, q);
      const size_t bytes = fileBytes(csr, needs, intervals.rows(rowType, p), edges);
      chunks.push_back({edges, file.add(bytes)});
      allBytes += bytes;
    }
}

Chunks::Parts Chunks::parts(int64_t p, int64_t q) const {
  return partsOf(needs, idBytes, intervals.rows(rowType, p), at(p, q).edges);
}

/// `nextEdge` has, where edges have no types, the first edge of each row that is in no chunk yet.
void Chunks::fill(const Csr &csr, int64_t p, int64_t q, std::vector<int64_t> &nextEdge, char *slot) const {
  const Parts parts = this->parts(p, q);
  auto *degrees = reinterpret_cast<uint32_t *>(slot + parts.degrees),
       *cols = reinterpret_cast<uint32_t *>(slot + parts.cols);
  auto *types = reinterpret_cast<int32_t *>(slot + parts.types);
  const int64_t firstRow = intervals.begin(rowType, p), rows = intervals.rows(rowType, p),
                firstCol = intervals.begin(colType, q), endCol = intervals.begin(colType, q + 1);
  const bool isSorted = csr.types.empty(); // by col, within a row
  int64_t edges = 0;
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t before = edges, end = csr.offsets[size_t(firstRow + r + 1)];
    int64_t e = isSorted ? nextEdge[size_t(r)] : csr.offsets[size_t(firstRow + r)];
    for (; e < end; ++e) {
      const int64_t col = csr.cols[size_t(e)];
      if (col >= endCol && isSorted)
        break;
      if (col < firstCol || col >= endCol)
        continue;
      cols[edges] = uint32_t(col - firstCol);
      if (needs.ids && csr.edgeIds.wide.empty())
        reinterpret_cast<uint32_t *>(slot + parts.ids)[edges] = csr.edgeIds.narrow[size_t(e)];
      else if (needs.ids)
        reinterpret_cast<int64_t *>(slot + parts.ids)[edges] = csr.edgeIds.wide[size_t(e)];
      if (needs.types)
        types[edges] = csr.types[size_t(e)];
      ++edges;
    }
    nextEdge[size_t(r)] = e;
    degrees[r] = uint32_t(edges - before);
  }
  assert(edges == at(p, q).edges);
}

void Chunks::write(const Csr &csr) {
  std::vector<int64_t> nextEdge;
  Buffer<char> slot;
  for (int64_t p = 0; p < intervals.count(rowType); ++p) {
    const int64_t firstRow = intervals.begin(rowType, p), rows = intervals.rows(rowType, p);
    nextEdge.assign(csr.offsets.begin() + firstRow, csr.offsets.begin() + firstRow + rows);
    for (int64_t q = 0; q < intervals.count(colType); ++q) {
      const Parts parts = this->parts(p, q);
      if (slot.size() < parts.end) {
        slot = Buffer<char>(parts.end);
        std::fill(slot.begin(), slot.end(), 0); // what lies between the parts is written too
      }
      fill(csr, p, q, nextEdge, slot.data());
      file.write(SpillFile::Edges, slot.data() + parts.degrees, parts.end - parts.degrees, at(p, q).at);
    }
  }
}

void Chunks::load(int64_t p, int64_t q, char *slot, const char *before) const {
  const Parts parts = this->parts(p, q);
  file.read(SpillFile::Edges, slot + parts.degrees, parts.end - parts.degrees, at(p, q).at);
  const auto *degrees = reinterpret_cast<const uint32_t *>(slot + parts.degrees);
  auto *offsets = reinterpret_cast<int64_t *>(slot + parts.offsets),
       *positions = reinterpret_cast<int64_t *>(slot + parts.positions);
  const int64_t rows = intervals.rows(rowType, p);
  offsets[0] = 0;
  for (int64_t r = 0; r < rows; ++r)
    offsets[r + 1] = offsets[r] + degrees[r];
  if (q == 0)
    return void(std::fill(positions, positions + rows, 0));
  const Parts ofBefore = this->parts(p, q - 1);
  const auto *positionsBefore = reinterpret_cast<const int64_t *>(before + ofBefore.positions);
  const auto *degreesBefore = reinterpret_cast<const uint32_t *>(before + ofBefore.degrees);
  for (int64_t r = 0; r < rows; ++r)
    positions[r] = positionsBefore[r] + degreesBefore[r];
}

gnn_block_t Chunks::block(int64_t p, int64_t q, const char *slot) const {
  const Parts parts = this->parts(p, q);
  gnn_block_t block{};
  block.size = sizeof block;
  block.num_rows = intervals.rows(rowType, p);
  block.num_cols = intervals.rows(colType, q);
  block.offsets = reinterpret_cast<const int64_t *>(slot + parts.offsets);
  block.ends = block.offsets + 1;
  block.cols = reinterpret_cast<const uint32_t *>(slot + parts.cols);
  if (needs.ids && idBytes == sizeof(uint32_t))
    block.edge_id32 = reinterpret_cast<const uint32_t *>(slot + parts.ids);
  else if (needs.ids)
    block.edge_id = reinterpret_cast<const int64_t *>(slot + parts.ids);
  if (needs.types)
    block.edge_type = reinterpret_cast<const int32_t *>(slot + parts.types);
  block.row_pos = reinterpret_cast<const int64_t *>(slot + parts.positions);
  return block;
}

} // namespace gnn::rt
