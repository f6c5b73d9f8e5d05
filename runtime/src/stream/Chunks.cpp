//===- Chunks.cpp - The edges of a relation in a grid of pieces -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Chunks.h"

#include "runtime/src/core/Checksum.h"
#include "runtime/src/core/Guard.h"

#include <cassert>
#include <numeric>

namespace gnn::rt {

static constexpr int64_t idsAtOnce = 1 << 16;

/// Of chunks with so many edges each.
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

Chunks::Chunks(const Relation &relation, EdgeNeeds asked, uint32_t ofRows, uint32_t ofCols, const Intervals &cuts,
               const ChunkCounts &counts, uint32_t edgesBy, int64_t edgesOfSlice, Spill &spilled, bool copied)
    : format(relation, asked), rowType(ofRows), colType(ofCols), direction(edgesBy), sliceEdges(edgesOfSlice),
      sliceBytes(format.fileBytes(0, sliceEdges)), intervals(cuts), file(spilled), areCopied(copied) {
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

Chunks::Parts Chunks::parts(int64_t p, int64_t q, int64_t j) const {
  return format.parts(intervals.rows(rowType, p), numEdges(p, q, j));
}

/// Calls `body(j, from, edge, count)` with slices in which edges [first, first + count) of a chunk lie: from where in
/// slice j, from which edge of the chunk on, and how many.
template <class Body> void Chunks::forSlices(int64_t p, int64_t q, int64_t first, int64_t count, Body body) const {
  for (int64_t edge = first, own = 0; edge < first + count; edge += own) {
    const int64_t j = edge / sliceEdges, from = edge - edgesOfBefore(j);
    own = std::min(numEdges(p, q, j) - from, first + count - edge);
    body(j, from, edge, own);
  }
}

/// Writes the chunks (p, ...) to the file, where `written` edges of each are.
class Chunks::Writer {
public:
  Writer(const Chunks &to, int64_t interval)
      : chunks(to), p(interval), written(size_t(to.intervals.count(to.colType)), 0) {}

  void writeEdges(const Relation &relation);
  /// The edges of the same chunk by destination have the same ids, in the order of tables.
  void writePlaces(int64_t q, const Chunks &byDestination) const;

private:
  int64_t firstCol(uint32_t q) const { return chunks.intervals.begin(chunks.colType, q); }
  void writeRows(int64_t q, const uint32_t *degrees) const;

  /// Those of a chunk together.
  void add(const EdgePiece &piece) {
    const auto count = size_t(piece.end - piece.begin);
    std::vector<size_t> next(written.size() + 1, 0);
    chunkOf.resize(count);
    for (size_t i = 0; i < count; ++i) {
      chunkOf[i] = uint32_t(chunks.intervals.of(chunks.colType, piece.cols[i]));
      ++next[chunkOf[i] + 1];
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    place.resize(count);
    for (size_t i = 0; i < count; ++i)
      place[i] = next[chunkOf[i]]++;
    put(
        &Parts::cols, [&](size_t i) { return piece.cols[i] - uint32_t(firstCol(chunkOf[i])); }, next);
    if (chunks.format.needs.ids && chunks.format.idBytes == sizeof(uint32_t))
      put(
          &Parts::ids, [&](size_t i) { return piece.narrowIds[i]; }, next);
    else if (chunks.format.needs.ids)
      put(
          &Parts::ids, [&](size_t i) { return piece.wideIds[i]; }, next);
    if (chunks.format.needs.types)
      put(
          &Parts::types, [&](size_t i) { return piece.types[i]; }, next);
    for (size_t q = 0; q < written.size(); ++q)
      written[q] += next[q] - (q ? next[q - 1] : 0);
  }
  /// Writes a value of each edge. `ends`: of those of each chunk.
  template <class ValueOf> void put(size_t Parts::*part, ValueOf valueOf, const std::vector<size_t> &ends) {
    using Value = decltype(valueOf(size_t(0)));
    if (values.size() < place.size() * sizeof(Value))
      values = Buffer<char>(place.size() * sizeof(Value));
    auto *sorted = reinterpret_cast<Value *>(values.data());
    for (size_t i = 0; i < place.size(); ++i)
      sorted[place[i]] = valueOf(i);
    for (size_t q = 0; q < written.size(); ++q) {
      const size_t begin = q ? ends[q - 1] : 0;
      const auto first = int64_t(written[q]);
      chunks.forSlices(
          p, int64_t(q), first, int64_t(ends[q] - begin), [&](int64_t j, int64_t from, int64_t edge, int64_t count) {
            chunks.file.write(SpillFile::Edges, sorted + begin + (edge - first), size_t(count) * sizeof(Value),
                              chunks.inFile(p, int64_t(q), j, part) + uint64_t(from) * sizeof(Value));
          });
    }
  }

  const Chunks &chunks;
  const int64_t p; // interval of rows
  std::vector<size_t> written;
  std::vector<uint32_t> chunkOf;
  std::vector<size_t> place;
  Buffer<char> values;
};

void Chunks::Writer::writeEdges(const Relation &relation) {
  const Buffer<int64_t> &offsets = relation.csr(chunks.direction).offsets;
  const int64_t firstRow = chunks.intervals.begin(chunks.rowType, p), rows = chunks.intervals.rows(chunks.rowType, p);
  std::vector<uint32_t> degrees(size_t(rows) * written.size(), 0);
  int64_t r = 0;
  relation.forPieces(chunks.direction, offsets[size_t(firstRow)], offsets[size_t(firstRow + rows)],
                     [&](const EdgePiece &piece) {
                       add(piece);
                       for (int64_t e = piece.begin; e < piece.end; ++e) {
                         while (offsets[size_t(firstRow + r + 1)] <= e)
                           ++r;
                         ++degrees[size_t(chunkOf[size_t(e - piece.begin)]) * size_t(rows) + size_t(r)];
                       }
                     });
  for (size_t q = 0; q < written.size(); ++q)
    writeRows(int64_t(q), degrees.data() + q * size_t(rows));
}

/// Of each slice what it has of the edges of the rows of a chunk.
void Chunks::Writer::writeRows(int64_t q, const uint32_t *degrees) const {
  const int64_t rows = chunks.intervals.rows(chunks.rowType, p);
  std::vector<uint32_t> left(degrees, degrees + rows), own, ofEdges;
  for (int64_t j = 0, r = 0; j < chunks.numSlices(p, q); ++j) {
    const int64_t edges = chunks.numEdges(p, q, j);
    own.assign(size_t(rows), 0);
    ofEdges.clear();
    for (int64_t more = edges; more > 0;) {
      const auto taken = uint32_t(std::min<int64_t>(left[size_t(r)], more));
      own[size_t(r)] += taken;
      left[size_t(r)] -= taken;
      more -= taken;
      if (edges < rows)
        ofEdges.insert(ofEdges.end(), taken, uint32_t(r));
      if (left[size_t(r)] == 0)
        ++r;
    }
    chunks.file.write(SpillFile::Edges, (edges < rows ? ofEdges : own).data(), SliceFormat::rowPartBytes(rows, edges),
                      chunks.inFile(p, q, j));
  }
}

/// Where a slice begins in the file.
uint64_t Chunks::inFile(int64_t p, int64_t q, int64_t j) const {
  return at(p, q).at +
         (j == 0 ? 0 : uint64_t(j) * (SliceFormat::rowPartBytes(intervals.rows(rowType, p), sliceEdges) + sliceBytes));
}

/// Where a part of it, from `cols` on, does.
uint64_t Chunks::inFile(int64_t p, int64_t q, int64_t j, size_t Parts::*part) const {
  const Parts parts = this->parts(p, q, j);
  return inFile(p, q, j) + SliceFormat::rowPartBytes(intervals.rows(rowType, p), numEdges(p, q, j)) +
         (parts.*part - parts.cols);
}

/// Of edges [first, first + count) of a chunk.
std::vector<int64_t> Chunks::readIds(int64_t p, int64_t q, int64_t first, int64_t count) const {
  assert(format.needs.ids);
  const size_t numbers = size_t(count);
  std::vector<char> bytes(numbers * format.idBytes);
  forSlices(p, q, first, count, [&](int64_t j, int64_t from, int64_t edge, int64_t own) {
    file.read(SpillFile::Edges, bytes.data() + size_t(edge - first) * format.idBytes, size_t(own) * format.idBytes,
              inFile(p, q, j, &Parts::ids) + uint64_t(from) * format.idBytes);
  });
  std::vector<int64_t> ids(numbers);
  if (format.idBytes == sizeof(uint32_t))
    std::copy_n(reinterpret_cast<const uint32_t *>(bytes.data()), numbers, ids.begin());
  else
    std::copy_n(reinterpret_cast<const int64_t *>(bytes.data()), numbers, ids.begin());
  return ids;
}

void Chunks::forIds(const std::function<void(int64_t, const std::vector<int64_t> &)> &body) const {
  assert(direction == GNN_TO_DESTINATION);
  for (int64_t p = 0; p < intervals.count(rowType); ++p)
    for (int64_t q : met(p))
      for (int64_t first = 0; first < at(p, q).edges; first += idsAtOnce) {
        const int64_t count = std::min(idsAtOnce, at(p, q).edges - first);
        body(at(p, q).before + first, readIds(p, q, first, count));
      }
}

void Chunks::Writer::writePlaces(int64_t q, const Chunks &byDestination) const {
  const int64_t edges = chunks.numEdges(p, q);
  auto byId = [](const std::vector<int64_t> &ids) {
    std::vector<uint32_t> order(ids.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return ids[a] < ids[b]; });
    return order;
  };
  const std::vector<uint32_t> here = byId(chunks.readIds(p, q, 0, edges)),
                              there = byId(byDestination.readIds(q, p, 0, edges));
  std::vector<uint32_t> places(here.size());
  for (size_t i = 0; i < here.size(); ++i)
    places[here[i]] = there[i];
  chunks.forSlices(p, q, 0, edges, [&](int64_t j, int64_t from, int64_t edge, int64_t count) {
    chunks.file.write(SpillFile::Edges, places.data() + edge, size_t(count) * sizeof(uint32_t),
                      chunks.inFile(p, q, j, &Parts::places) + uint64_t(from) * sizeof(uint32_t));
  });
}

void Chunks::write(const Relation &relation, const Chunks *byDestination) {
  const Intervals::Range ours = intervals.ours(rowType);
  for (int64_t p = ours.begin; p < ours.end; ++p) {
    Writer writer(*this, p);
    writer.writeEdges(relation);
    for (size_t k = 0; k < met(p).size() && format.needs.places; ++k)
      writer.writePlaces(met(p)[k], *byDestination);
  }
  checksums.assign(metOf.size(), {});
  std::vector<char> slot;
  for (int64_t p = ours.begin; p < ours.end && !file.isMemory(); ++p) // each is written in pieces
    for (int64_t q : met(p))
      for (int64_t j = 0; j < numSlices(p, q); ++j) {
        slot.resize(parts(p, q, j).end);
        readSlice(p, q, j, slot.data());
        checksums[size_t(p)].push_back(checksumOf(p, q, j, slot.data()));
      }
}

/// Among the slices of p.
size_t Chunks::numberOf(int64_t p, size_t k, int64_t j) const {
  auto number = size_t(j);
  for (size_t before = 0; before < k; ++before)
    number += size_t(numSlices(p, met(p)[before]));
  return number;
}

/// As it lies in the file. What has the row of each edge lies where offsets will.
void Chunks::readSlice(int64_t p, int64_t q, int64_t j, char *slot) const {
  const Parts parts = this->parts(p, q, j);
  const int64_t rows = intervals.rows(rowType, p), edges = numEdges(p, q, j);
  file.read(SpillFile::Edges, slot + (edges < rows ? parts.offsets : parts.degrees),
            SliceFormat::rowPartBytes(rows, edges), inFile(p, q, j));
  file.read(SpillFile::Edges, slot + parts.cols, parts.end - parts.cols, inFile(p, q, j, &Parts::cols));
}

/// Of a slot that has it so.
uint64_t Chunks::checksumOf(int64_t p, int64_t q, int64_t j, const char *slot) const {
  const Parts parts = this->parts(p, q, j);
  const int64_t rows = intervals.rows(rowType, p), edges = numEdges(p, q, j);
  RunningChecksum checksum;
  checksum.add({slot + (edges < rows ? parts.offsets : parts.degrees), SliceFormat::rowPartBytes(rows, edges)});
  checksum.add({slot + parts.cols, parts.end - parts.cols});
  return checksum.finish();
}

/// How many edges each row has, of a slice that was read.
static const uint32_t *countRows(const SliceFormat::Parts &parts, int64_t rows, int64_t edges, char *slot) {
  auto *degrees = reinterpret_cast<uint32_t *>(slot + parts.degrees),
       *ofEdges = reinterpret_cast<uint32_t *>(slot + parts.offsets);
  if (edges < rows) {
    std::fill(degrees, degrees + rows, 0);
    for (int64_t e = 0; e < edges; ++e)
      ++degrees[ofEdges[e]];
  }
  return degrees;
}

void Chunks::load(int64_t p, size_t k, int64_t j, char *slot, const char *before) const {
  const int64_t q = met(p)[k];
  const Parts parts = this->parts(p, q, j);
  const int64_t rows = intervals.rows(rowType, p);
  readSlice(p, q, j, slot);
  if (!file.isMemory())
    require(checksumOf(p, q, j, slot) == checksums[size_t(p)][numberOf(p, k, j)], GNN_ERROR_IO, file.name(),
            " was changed or damaged: the edges of chunk (", p, ", ", q, ") at ", inFile(p, q, j),
            " are not those that were written there");
  const uint32_t *degrees = countRows(parts, rows, numEdges(p, q, j), slot);
  auto *offsets = reinterpret_cast<int64_t *>(slot + parts.offsets),
       *positions = reinterpret_cast<int64_t *>(slot + parts.positions);
  offsets[0] = 0;
  for (int64_t r = 0; r < rows; ++r)
    offsets[r + 1] = offsets[r] + degrees[r];
  if (k == 0 && j == 0)
    return void(std::fill(positions, positions + rows, 0));
  const Parts ofBefore =
      j > 0 ? this->parts(p, q, j - 1) : this->parts(p, met(p)[k - 1], numSlices(p, met(p)[k - 1]) - 1);
  const auto *positionsBefore = reinterpret_cast<const int64_t *>(before + ofBefore.positions);
  const auto *degreesBefore = reinterpret_cast<const uint32_t *>(before + ofBefore.degrees);
  for (int64_t r = 0; r < rows; ++r)
    positions[r] = positionsBefore[r] + degreesBefore[r];
}

void Chunks::mark(int64_t p, int64_t q, RowMarks &marks) const {
  for (int64_t j = 0; j < numSlices(p, q) && hasEdges(p, q); ++j)
    marks.mark(reinterpret_cast<const uint32_t *>(file.memory(inFile(p, q, j, &Parts::cols))), numEdges(p, q, j));
}

gnn_block_t Chunks::block(int64_t p, int64_t q, int64_t j, const char *slot, bool hasTables) const {
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
