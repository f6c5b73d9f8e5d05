//===- Chunks.h - The edges of a relation in a grid of pieces ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunk (p, q) has the edges of the rows of interval p to the cols of interval q, in the order in which the rows have
// them. They lie in the spill file; a slot is memory that one of them is loaded to. In the file a chunk says how many
// edges each row has, or, if there are fewer edges than rows, which row each edge has. Sweeps pass over chunks that
// have none.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_CHUNKS_H
#define GNN_STREAM_CHUNKS_H

#include "runtime/src/stream/Intervals.h"
#include "runtime/src/stream/SpillFile.h"

#include <functional>
#include <optional>

namespace gnn::rt {

/// What sweeps read of edges beside their ends.
struct EdgeNeeds {
  bool ids = false, types = false;
  bool places = false; // by source: where the numbers of an edge are among those of its chunk
};

/// How many edges each chunk of a relation has.
class ChunkCounts {
public:
  ChunkCounts(const Relation &relation, uint32_t sourceType, uint32_t destinationType, const Intervals &intervals);

  /// Of so many intervals of sources and destinations, the same counts; none if each is not some of those here.
  std::optional<ChunkCounts> merged(int64_t sources, int64_t destinations) const;

  int64_t edges(uint32_t direction, int64_t rowInterval, int64_t colInterval) const {
    return direction == GNN_TO_DESTINATION ? counts[size_t(rowInterval * sources + colInterval)]
                                           : counts[size_t(colInterval * sources + rowInterval)];
  }
  /// Of the chunks before it in the order of tables over edges.
  int64_t edgesBefore(uint32_t direction, int64_t rowInterval, int64_t colInterval) const {
    return direction == GNN_TO_DESTINATION ? before[size_t(rowInterval * sources + colInterval)]
                                           : before[size_t(colInterval * sources + rowInterval)];
  }
  int64_t most() const { return *std::max_element(counts.begin(), counts.end()); }

private:
  ChunkCounts(int64_t sources, int64_t destinations) : sources(sources), counts(size_t(sources * destinations), 0) {}

  void sum();

  int64_t sources;                     // intervals
  std::vector<int64_t> counts, before; // [intervals of destinations][of sources]
};

class Chunks {
public:
  /// Memory that a chunk with so many rows and edges takes, and bytes of it in the file.
  static size_t slotBytes(const Relation &relation, EdgeNeeds needs, int64_t rows, int64_t edges);
  static size_t fileBytes(const Relation &relation, EdgeNeeds needs, int64_t rows, int64_t edges);

  /// Takes places in the file for the edges of a relation, whose rows and cols are of these types of vertices. The
  /// intervals must outlive this.
  Chunks(const Relation &relation, EdgeNeeds needs, uint32_t rowType, uint32_t colType, const Intervals &intervals,
         const ChunkCounts &counts, uint32_t direction, Spill &file);
  /// Writes all of them. `relation` is that of before. `byDestination`: where places are needed, the same edges so.
  void write(const Relation &relation, const Chunks *byDestination);
  /// Calls `body` with ids of edges, and how many there are before them in the order of tables over edges, some at a
  /// time. Of edges by destination that have ids.
  void forIds(const std::function<void(int64_t, const std::vector<int64_t> &)> &body) const;

  /// Intervals q of the chunks (p, q) that a sweep meets, in their order: those with edges; if there are none, one
  /// without.
  const std::vector<int64_t> &met(int64_t p) const { return metOf[size_t(p)]; }
  bool hasEdges(int64_t p, int64_t q) const { return at(p, q).edges > 0; }
  int64_t numEdges(int64_t p, int64_t q) const { return at(p, q).edges; }
  /// In the order of tables over edges.
  int64_t edgesBefore(int64_t p, int64_t q) const { return at(p, q).before; }

  /// Of the file; where an engine has memory of its own, what is copied there of a slot.
  uint64_t bytes(int64_t p, int64_t q) const {
    const Parts parts = this->parts(p, q);
    return file.isMemory() ? parts.end - parts.offsets
                           : rowBytes(intervals.rows(rowType, p), at(p, q).edges) + (parts.end - parts.cols);
  }
  /// Where in a slot that begins.
  size_t copiedFrom(int64_t p, int64_t q) const { return parts(p, q).offsets; }

  // Of a sweep over all of them once: those bytes, chunks that it meets, and rows of cols of those with edges.
  uint64_t bytes() const { return sweepBytes; }
  uint64_t numMet() const;
  uint64_t colRows() const;

  /// Fills a slot with chunk (p, met(p)[k]). For k > 0 `before` is the slot that has the one before it.
  void load(int64_t p, size_t k, char *slot, const char *before) const;
  /// Of the chunk (p, q) that a slot has.
  uint32_t *cols(int64_t p, int64_t q, char *slot) const {
    return reinterpret_cast<uint32_t *>(slot + parts(p, q).cols);
  }
  /// What the chunk (p, q) that a slot has looks like, without ids of vertices. `hasTables`: edges are known by their
  /// place among those of the chunk, not by their ids.
  gnn_block_t block(int64_t p, int64_t q, const char *slot, bool hasTables) const;

private:
  class Sorted;
  /// Where in a slot the parts of a chunk begin. What is from `cols` on is in the file, too, after the rows.
  struct Parts {
    size_t degrees, offsets, positions, cols, ids, types, places, end; // blocks have no degrees
  };
  struct Chunk {
    int64_t edges, before; // in the order of tables over edges
    uint64_t at;           // in the file
  };
  static Parts partsOf(EdgeNeeds needs, size_t idBytes, int64_t rows, int64_t edges);
  /// Of the numbers which say what rows the edges have, in the file.
  static size_t rowBytes(int64_t rows, int64_t edges) { return size_t(std::min(rows, edges)) * sizeof(uint32_t); }
  static size_t idBytesOf(const Relation &relation) {
    return relation.hasWideIds() ? sizeof(int64_t) : sizeof(uint32_t);
  }

  Parts parts(int64_t p, int64_t q) const;
  const Chunk &at(int64_t p, int64_t q) const { return chunks[size_t(p * intervals.count(colType) + q)]; }
  void writeEdges(const Relation &relation, int64_t p);
  void writeRows(int64_t p, int64_t q, const uint32_t *degrees);
  void writePlaces(int64_t p, int64_t q, const Chunks &byDestination);
  uint64_t inFile(int64_t p, int64_t q, size_t Parts::*part) const;
  std::vector<int64_t> readIds(int64_t p, int64_t q, int64_t first, int64_t count) const;
  const uint32_t *loadRows(int64_t p, int64_t q, char *slot) const;

  const EdgeNeeds needs;
  const size_t idBytes;
  const uint32_t rowType, colType, direction;
  const Intervals &intervals;
  Spill &file;
  std::vector<Chunk> chunks;
  std::vector<std::vector<int64_t>> metOf; // [intervals of rows]
  uint64_t allBytes = 0;                   // of the file
  uint64_t sweepBytes = 0;
};

} // namespace gnn::rt

#endif // GNN_STREAM_CHUNKS_H
