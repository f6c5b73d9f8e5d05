//===- ChunkLayout.cpp - Where the chunks of a relation lie ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/ChunkLayout.h"

#include <algorithm>

namespace gnn::rt {

/// Counts of chunks with so many edges each.
ChunkCounts::ChunkCounts(uint32_t sourceType, uint32_t destinationType, const Intervals &intervals, int64_t edges)
    : sources(intervals.count(sourceType)), sourceBegins(intervals.begins(sourceType)),
      destinationBegins(intervals.begins(destinationType)),
      counts(size_t(sources * intervals.count(destinationType)), edges) {}

ChunkCounts::ChunkCounts(const Relation &relation, uint32_t sourceType, uint32_t destinationType,
                         const Intervals &intervals)
    : ChunkCounts(sourceType, destinationType, intervals, /*edges=*/0) {
  const Buffer<int64_t> &offsets = relation.csr(GNN_TO_DESTINATION).offsets;
  int64_t p = 0, end = offsets[size_t(intervals.begin(destinationType, 1))]; // of the edges of interval p
  relation.forPieces(GNN_TO_DESTINATION, 0, relation.numEdges(), [&](const EdgePiece &piece) {
    for (int64_t e = piece.begin; e < piece.end; ++e) {
      while (end <= e)
        end = offsets[size_t(intervals.begin(destinationType, ++p + 1))];
      ++counts[size_t(p * sources + intervals.of(sourceType, piece.cols[e - piece.begin]))];
    }
  });
  sum();
}

void ChunkCounts::sum() {
  before.resize(counts.size());
  int64_t edges = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    before[i] = edges;
    edges += counts[i];
  }
}

std::optional<ChunkCounts> ChunkCounts::merged(uint32_t sourceType, uint32_t destinationType,
                                               const Intervals &intervals) const {
  ChunkCounts fewer(sourceType, destinationType, intervals, /*edges=*/0);
  if (!std::includes(sourceBegins.begin(), sourceBegins.end(), fewer.sourceBegins.begin(), fewer.sourceBegins.end()) ||
      !std::includes(destinationBegins.begin(), destinationBegins.end(), fewer.destinationBegins.begin(),
                     fewer.destinationBegins.end()))
    return std::nullopt;
  for (int64_t p = 0, into = 0; p + 1 < int64_t(destinationBegins.size()); ++p) {
    into += p > 0 && destinationBegins[size_t(p)] == fewer.destinationBegins[size_t(into) + 1];
    for (int64_t q = 0, from = 0; q < sources; ++q) {
      from += q > 0 && sourceBegins[size_t(q)] == fewer.sourceBegins[size_t(from) + 1];
      fewer.counts[size_t(into * fewer.sources + from)] += counts[size_t(p * sources + q)];
    }
  }
  fewer.sum();
  return fewer;
}

SliceFormat::SliceFormat(const Relation &relation, EdgeNeeds asked)
    : needs{asked.ids, asked.types && relation.hasTypes(), asked.places},
      idBytes(relation.hasWideIds() ? sizeof(int64_t) : sizeof(uint32_t)) {}

SliceFormat::Parts SliceFormat::parts(int64_t numRows, int64_t numEdges) const {
  const size_t rows = size_t(numRows), edges = size_t(numEdges);
  Parts parts{};
  size_t end = 0;
  auto add = [&](size_t bytes) {
    const size_t begin = end;
    end += wholeLines(bytes);
    return begin;
  };
  parts.degrees = add(rows * sizeof(uint32_t));
  parts.offsets = add((rows + 1) * sizeof(int64_t));
  parts.positions = add(rows * sizeof(int64_t));
  parts.cols = add(edges * sizeof(uint32_t));
  parts.ids = add(needs.ids ? edges * idBytes : 0);
  parts.types = add(needs.types ? edges * sizeof(int32_t) : 0);
  parts.places = add(needs.places ? edges * sizeof(uint32_t) : 0);
  parts.end = end;
  return parts;
}

size_t SliceFormat::edgeBytes() const {
  return sizeof(uint32_t) + (needs.ids ? idBytes : 0) + (needs.types ? sizeof(int32_t) : 0) +
         (needs.places ? sizeof(uint32_t) : 0);
}

size_t SliceFormat::fileBytes(int64_t rows, int64_t edges) const {
  const Parts parts = this->parts(rows, edges);
  return rowPartBytes(rows, edges) + (parts.end - parts.cols);
}

ChunkLayout::ChunkLayout(const Relation &relation, EdgeNeeds asked, uint32_t ofRows, uint32_t ofCols,
                         const Intervals &cuts, const ChunkCounts &counts, uint32_t edgesBy, int64_t edgesOfSlice,
                         Spill &spilled, bool copied)
    : format(relation, asked), rowType(ofRows), colType(ofCols), direction(edgesBy), intervals(cuts), file(spilled),
      sliceEdges(edgesOfSlice), sliceBytes(format.fileBytes(0, sliceEdges)), areCopied(copied) {
  for (int64_t p = 0; p < intervals.count(rowType); ++p) {
    metOf.emplace_back();
    for (int64_t q = 0; q < intervals.count(colType); ++q) {
      const int64_t edges = counts.edges(direction, p, q);
      chunks.push_back({edges, counts.edgesBefore(direction, p, q), allBytes});
      const int64_t full = edges / sliceEdges, rows = intervals.rows(rowType, p);
      allBytes += uint64_t(full) * (SliceFormat::rowPartBytes(rows, sliceEdges) + sliceBytes) +
                  format.fileBytes(rows, edges - full * sliceEdges);
      if (edges > 0)
        metOf.back().push_back(q);
    }
    if (metOf.back().empty())
      metOf.back().push_back(0);
  }
  auto beginOf = [&](int64_t p) {
    const auto chunk = size_t(p * intervals.count(colType));
    return chunk < chunks.size() ? chunks[chunk].at : allBytes;
  };
  uint64_t most = 0;
  for (int rank = 0; rank < intervals.numRanks(); ++rank)
    most =
        std::max(most, beginOf(intervals.ofRank(rowType, rank).end) - beginOf(intervals.ofRank(rowType, rank).begin));
  const uint64_t first = file.add(most) - beginOf(intervals.ours(rowType).begin); // for those that are not here nothing
  for (Chunk &chunk : chunks)
    chunk.at += first;
  for (int64_t p = 0; p < intervals.count(rowType); ++p)
    for (int64_t q : met(p)) {
      ++sums.met;
      sums.slices += uint64_t(numSlices(p, q));
      sums.colRows += hasEdges(p, q) ? uint64_t(intervals.rows(colType, q)) : 0;
      for (int64_t j = 0; j < numSlices(p, q); ++j) {
        sums.bytes += bytes(p, q, j);
        sums.bytesInFile += bytesInFile(p, q, j);
      }
    }
}

uint64_t ChunkLayout::inFile(int64_t p, int64_t q, int64_t j) const {
  return at(p, q).at +
         (j == 0 ? 0 : uint64_t(j) * (SliceFormat::rowPartBytes(intervals.rows(rowType, p), sliceEdges) + sliceBytes));
}

uint64_t ChunkLayout::inFile(int64_t p, int64_t q, int64_t j, size_t Parts::*part) const {
  const Parts parts = this->parts(p, q, j);
  return inFile(p, q, j) + SliceFormat::rowPartBytes(intervals.rows(rowType, p), numEdges(p, q, j)) +
         (parts.*part - parts.cols);
}

gnn_block_t ChunkLayout::block(int64_t p, int64_t q, int64_t j, const char *slot, bool hasTables) const {
  const Parts parts = this->parts(p, q, j);
  gnn_block_t block{};
  block.size = sizeof block;
  block.num_rows = intervals.rows(rowType, p);
  block.num_cols = intervals.rows(colType, q);
  block.offsets = reinterpret_cast<const int64_t *>(slot + parts.offsets);
  block.ends = block.offsets + 1;
  block.cols = reinterpret_cast<const uint32_t *>(slot + parts.cols);
  if (hasTables && format.needs.places)
    block.edge_id32 = reinterpret_cast<const uint32_t *>(slot + parts.places);
  else if (format.needs.ids && !hasTables && format.idBytes == sizeof(uint32_t))
    block.edge_id32 = reinterpret_cast<const uint32_t *>(slot + parts.ids);
  else if (format.needs.ids && !hasTables)
    block.edge_id = reinterpret_cast<const int64_t *>(slot + parts.ids);
  if (format.needs.types)
    block.edge_type = reinterpret_cast<const int32_t *>(slot + parts.types);
  block.row_pos = reinterpret_cast<const int64_t *>(slot + parts.positions);
  return block;
}

} // namespace gnn::rt
