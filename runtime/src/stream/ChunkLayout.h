//===- ChunkLayout.h - Where the chunks of a relation lie -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chunk (p, q) has the edges of the rows of interval p to the cols of interval q, in the order in which the rows have
// them. Chunks with many edges are cut into slices, of which all but the last have as many: one is loaded while steps
// go over the one before. They lie in the spill file; a slot is memory that one of them is loaded to. In the file a
// slice says how many edges each row of the chunk has there, or, if there are fewer edges than rows, which row each
// edge has. Sweeps pass over chunks that have none.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_CHUNKLAYOUT_H
#define GNN_STREAM_CHUNKLAYOUT_H

#include "runtime/src/io/SpillFile.h"
#include "runtime/src/stream/Intervals.h"

#include <optional>

namespace gnn::rt {

/// The fields of edges that sweeps read beside the edges' ends.
struct EdgeNeeds {
  bool ids = false, types = false;
  bool places = false; // by source: where the numbers of an edge are among those of its chunk
};

/// How many edges each chunk of a relation has.
class ChunkCounts {
public:
  ChunkCounts(const Relation &relation, uint32_t sourceType, uint32_t destinationType, const Intervals &intervals);

  /// The same of fewer intervals; none if one of these is not some of those here.
  std::optional<ChunkCounts> merged(uint32_t sourceType, uint32_t destinationType, const Intervals &intervals) const;

  int64_t edges(uint32_t direction, int64_t rowInterval, int64_t colInterval) const {
    return direction == GNN_TO_DESTINATION ? counts[size_t(rowInterval * sources + colInterval)]
                                           : counts[size_t(colInterval * sources + rowInterval)];
  }
  /// The number of edges in the chunks before (p, q), in the order of tables over edges.
  int64_t edgesBefore(uint32_t direction, int64_t rowInterval, int64_t colInterval) const {
    return direction == GNN_TO_DESTINATION ? before[size_t(rowInterval * sources + colInterval)]
                                           : before[size_t(colInterval * sources + rowInterval)];
  }
  int64_t most() const { return *std::max_element(counts.begin(), counts.end()); }

private:
  ChunkCounts(uint32_t sourceType, uint32_t destinationType, const Intervals &intervals, int64_t edges);

  void sum();

  int64_t sources;                                      // intervals
  std::vector<int64_t> sourceBegins, destinationBegins; // of these
  std::vector<int64_t> counts, before;                  // [intervals of destinations][of sources]
};

/// How a slice of some rows and edges of a relation lies in a slot and in the file, and how many bytes it takes there.
/// Plans without a graph estimate them (GraphShape::edgeBytes).
struct SliceFormat {
  /// Bytes of a row in a slot: its degree, offset and position.
  static constexpr uint64_t bytesOfRow = sizeof(uint32_t) + 2 * sizeof(int64_t);

  /// Offsets of the parts of a slice in a slot. In the file, a slice is its row numbers followed by the same bytes from
  /// `cols` on, which are read in one piece.
  struct Parts {
    size_t degrees, offsets, positions, cols, ids, types, places, end; // degrees stay in host memory: kernels
                                                                       // read offsets
  };

  SliceFormat(const Relation &relation, EdgeNeeds needs);

  /// Bytes of the fields of an edge that `parts` has, without padding: ChunkedEdges decides by them how many edges a
  /// slice has.
  size_t edgeBytes() const;
  Parts parts(int64_t rows, int64_t edges) const;
  /// Memory that a slice takes, and bytes in the file.
  size_t slotBytes(int64_t rows, int64_t edges) const { return parts(rows, edges).end; }
  size_t fileBytes(int64_t rows, int64_t edges) const;
  /// Bytes in the file that say which edges are whose: the row of each edge, or the degree of each row.
  static size_t rowPartBytes(int64_t rows, int64_t edges) { return size_t(std::min(rows, edges)) * sizeof(uint32_t); }

  EdgeNeeds needs;
  size_t idBytes;
};

/// How many edges and slices each chunk of a relation has, where each slice lies in the file, and its parts in a slot.
class ChunkLayout {
public:
  /// Sums of a sweep over all chunks: bytes moved, bytes read from the file, slices, chunks that it meets, and rows of
  /// cols of those with edges.
  struct SweepSums {
    uint64_t bytes = 0, bytesInFile = 0, slices = 0, met = 0, colRows = 0;
  };

  /// Takes places in the file for the edges of a relation, whose rows and cols are of these types of vertices, in
  /// slices of so many edges. `areCopied`: to an engine that has memory of its own. Intervals and file must outlive
  /// this.
  ChunkLayout(const Relation &relation, EdgeNeeds needs, uint32_t rowType, uint32_t colType, const Intervals &intervals,
              const ChunkCounts &counts, uint32_t direction, int64_t sliceEdges, Spill &file, bool areCopied);

  /// Intervals q of the chunks (p, q) that a sweep meets, in their order: those with edges; if there are none, one
  /// without.
  const std::vector<int64_t> &met(int64_t p) const { return metOf[size_t(p)]; }
  bool hasEdges(int64_t p, int64_t q) const { return at(p, q).edges > 0; }
  int64_t numEdges(int64_t p, int64_t q) const { return at(p, q).edges; }
  /// One, of a chunk without edges.
  int64_t numSlices(int64_t p, int64_t q) const {
    return std::max<int64_t>((numEdges(p, q) + sliceEdges - 1) / sliceEdges, 1);
  }
  /// Edges of slice j of a chunk; below, edges of the slices before it.
  int64_t numEdges(int64_t p, int64_t q, int64_t j) const {
    return std::min(sliceEdges, numEdges(p, q) - edgesOfBefore(j));
  }
  int64_t edgesOfBefore(int64_t j) const { return j == 0 ? 0 : j * sliceEdges; }
  /// In the order of tables over edges.
  int64_t edgesBefore(int64_t p, int64_t q) const { return at(p, q).before; }
  /// Memory that slice j takes.
  size_t slotBytes(int64_t p, int64_t q, int64_t j) const { return parts(p, q, j).end; }

  /// Bytes moved to load slice j: read from the file or, for an engine with device memory, copied to it.
  uint64_t bytes(int64_t p, int64_t q, int64_t j) const {
    const Parts parts = this->parts(p, q, j);
    return areCopied ? parts.end - parts.offsets : bytesInFile(p, q, j);
  }
  uint64_t bytesInFile(int64_t p, int64_t q, int64_t j) const {
    return format.fileBytes(intervals.rows(rowType, p), numEdges(p, q, j));
  }
  /// Where in a slot that begins.
  size_t copiedFrom(int64_t p, int64_t q, int64_t j) const { return parts(p, q, j).offsets; }

  const SweepSums &ofSweep() const { return sums; }

  /// The cols of a slice of chunk (p, q) in a slot.
  uint32_t *cols(int64_t p, int64_t q, int64_t j, char *slot) const {
    return reinterpret_cast<uint32_t *>(slot + parts(p, q, j).cols);
  }
  /// The block of a slice of chunk (p, q) in a slot, without ids of vertices. `hasTables`: edges are not identified by
  /// their ids, but by their place, in the slice if the block is by destination, otherwise in the chunk.
  gnn_block_t block(int64_t p, int64_t q, int64_t j, const char *slot, bool hasTables) const;

protected:
  using Parts = SliceFormat::Parts;

  Parts parts(int64_t p, int64_t q, int64_t j) const {
    return format.parts(intervals.rows(rowType, p), numEdges(p, q, j));
  }
  /// Where a slice begins in the file, and where a part of it does, from `cols` on.
  uint64_t inFile(int64_t p, int64_t q, int64_t j) const;
  uint64_t inFile(int64_t p, int64_t q, int64_t j, size_t Parts::*part) const;
  /// Calls `body(j, from, edge, count)` with slices in which edges [first, first + count) of a chunk lie: from where in
  /// slice j, from which edge of the chunk on, and how many.
  template <class Body> void forSlices(int64_t p, int64_t q, int64_t first, int64_t count, Body body) const {
    for (int64_t edge = first, own = 0; edge < first + count; edge += own) {
      const int64_t j = edge / sliceEdges, from = edge - edgesOfBefore(j);
      own = std::min(numEdges(p, q, j) - from, first + count - edge);
      body(j, from, edge, own);
    }
  }

  const SliceFormat format;
  const uint32_t rowType, colType, direction;
  const Intervals &intervals;
  Spill &file;

private:
  struct Chunk {
    int64_t edges, before; // in the order of tables over edges
    uint64_t at;           // in the file, of the first slice; the others follow
  };

  const Chunk &at(int64_t p, int64_t q) const { return chunks[size_t(p * intervals.count(colType) + q)]; }

  const int64_t sliceEdges;
  const size_t sliceBytes; // of the file: a full slice, without what says which edges are whose
  const bool areCopied;
  std::vector<Chunk> chunks;
  std::vector<std::vector<int64_t>> metOf; // [intervals of rows]
  uint64_t allBytes = 0;                   // of the file
  SweepSums sums;
};

} // namespace gnn::rt

#endif // GNN_STREAM_CHUNKLAYOUT_H
