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
      for (int64_t first = 0; first < numEdges(p, q); first += idsAtOnce) {
        const int64_t count = std::min(idsAtOnce, numEdges(p, q) - first);
        body(edgesBefore(p, q) + first, readIds(p, q, first, count));
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
  checksums.assign(size_t(intervals.count(rowType)), {});
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

} // namespace gnn::rt
