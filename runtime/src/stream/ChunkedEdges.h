//===- ChunkedEdges.h - How edges are cut into chunks -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What decides how the edges of a binding lie in chunks, and which rows of cols these read: intervals, fields, slices.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_CHUNKEDEDGES_H
#define GNN_STREAM_CHUNKEDEDGES_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/stream/Chunks.h"

#include <map>
#include <memory>
#include <set>

namespace gnn::rt {

/// The fields of edges that all sweeps of a library read: their ids, and the edges by source.
struct LibraryEdgeNeeds {
  bool ids, toSource;
};
LibraryEdgeNeeds edgeNeeds(const Library &library);

/// The edges of a relation in a direction: the relation's number, and GNN_TO_*.
using DirectedEdges = std::pair<uint32_t, uint32_t>;

/// How many edges chunks have and how many rows these need, for one number of intervals after the other: edges are read
/// for those whose counts are no sums of known ones. By relation, of those that sweeps of the library go over. Library
/// and binding must outlive this.
class CountedChunks {
public:
  using Counts = std::map<uint32_t, ChunkCounts>;

  CountedChunks(const Library &library, const Binding &binding) : library(library), binding(binding) {}

  std::shared_ptr<const Counts> of(const Intervals &intervals);
  /// The useful rows of edges whose rows and cols are of these types.
  std::shared_ptr<const UsefulRows> useful(const Intervals &intervals, const DirectedEdges &edges, uint32_t rowType,
                                           uint32_t colType, const RowGaps &gaps);
  /// Drops counts that no other owner holds; they are counted again when they are needed.
  void forget();

private:
  /// Sums of those for more intervals; empty if that can't be.
  Counts merged(const Counts &known, const Intervals &intervals) const;

  const Library &library;
  const Binding &binding;
  // By intervals:
  std::map<std::pair<CutBy, int64_t>, std::shared_ptr<const Counts>> known;
  std::map<std::tuple<CutBy, int64_t, DirectedEdges, RowGaps>, std::shared_ptr<const UsefulRows>> knownRows;
};

/// Bytes of edges that are loaded at a time: enough for a disk, and small beside most limits.
constexpr size_t bytesOfSlice = 8 << 20;

/// Whole tables and edge sets that the planner keeps in the engine's memory (RAM, or the memory of a GPU) although they
/// could be spilled; never single rows.
struct Residents {
  using Edges = DirectedEdges;

  std::set<uint32_t> tables; // library tensors
  std::set<Edges> edges;     // for sweeps whose cols are in memory as a whole too
};

inline Residents both(Residents a, const Residents &b) {
  a.tables.insert(b.tables.begin(), b.tables.end());
  a.edges.insert(b.edges.begin(), b.edges.end());
  return a;
}

class ChunkedEdges {
public:
  using Edges = DirectedEdges;

  /// As of SpilledData.
  ChunkedEdges(Engine &engine, const Library &library, const Binding &binding, const Cuts &cuts, Residents residents,
               std::shared_ptr<CountedChunks> counted);
  ChunkedEdges(const ChunkedEdges &other, Residents residents);

  /// Makes layouts from now on pass over rows that no edge of a chunk touches, where so many bytes of them lie side by
  /// side: bytesOfSeek if nobody says. wholeIntervals: they pass over none. To a GPU rows are packed where that is
  /// worth it, or, for fewer bytes than bytesOfSeek, wherever some are not needed.
  void passOver(uint64_t bytes) { passedOver = bytes; }
  /// Makes layouts from now on load edges in slices of about so many bytes: bytesOfSlice if nobody says.
  void cutSlices(size_t bytes) { sliceBytes = bytes; }
  bool packsAll() const { return passedOver < bytesOfSeek; }

  const Intervals &intervals() const { return cuts; }
  const CountedChunks::Counts &counts() const { return *edgeCounts; }
  /// With the tables over edges that are in memory for others or for ranks.
  const Residents &residents() const { return kept; }
  /// The fields of edges that all sweeps over a relation in a direction read.
  EdgeNeeds edgeNeeds(const Edges &edges) const { return edgeNeeds(edges, edgeTables); }
  /// How many edges a slice of a chunk has, whatever is in memory. They are as many as an interval has rows at least,
  /// of which all are gone over with each slice.
  int64_t sliceEdges(const Edges &edges) const;
  /// The rows of cols that chunks need of a file, or of memory of this process; null: whole intervals of them are read.
  std::shared_ptr<const UsefulRows> useful(const Edges &edges, bool isOfFile) const;
  uint32_t rowType(const Edges &edges) const;
  uint32_t colType(const Edges &edges) const { return rowType({edges.first, !edges.second}); }

protected:
  Engine &engine;
  const Library &library;
  const Binding &binding;

private:
  EdgeNeeds edgeNeeds(const Edges &edges, const std::vector<bool> &tablesInFile) const;

  const Intervals cuts;
  const std::shared_ptr<CountedChunks> counted;
  const std::shared_ptr<const CountedChunks::Counts> edgeCounts;
  Residents kept;
  std::vector<bool> chunkedTables, edgeTables; // [library tensors] over edges: that could be in the file, and are
  uint64_t passedOver = bytesOfSeek;
  size_t sliceBytes = bytesOfSlice;
};

} // namespace gnn::rt

#endif // GNN_STREAM_CHUNKEDEDGES_H
