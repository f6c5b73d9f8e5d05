//===- SpilledData.h - Edges and bound tables in a spill file ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the executors of one binding share: how vertices are cut into intervals, the file, and in it the edges in chunks
// and the tables that are bound.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_SPILLEDDATA_H
#define GNN_STREAM_SPILLEDDATA_H

#include "runtime/src/stream/Chunks.h"

#include <map>
#include <memory>

namespace gnn::rt {

/// What all sweeps of a library over a relation in a direction read of its edges.
EdgeNeeds edgeNeeds(const Library &library, const Binding &binding, uint32_t relation, uint32_t direction);

/// The counts of those relations that sweeps of the library go over, by relation.
std::map<uint32_t, ChunkCounts> chunkCounts(const Library &library, const Binding &binding, const Intervals &intervals);

class SpilledData {
public:
  /// Library and binding must outlive this.
  SpilledData(const Library &library, const Binding &binding, int64_t parts, const std::string &folder,
              FileSystem &files = FileSystem::real());

  const Intervals &intervals() const { return cuts; }
  const std::map<uint32_t, ChunkCounts> &counts() const { return edgeCounts; }
  SpillFile &file() { return spilled; }

  // What is asked for gets its place, and is there after the next `update`.
  const Chunks &chunks(uint32_t relation, uint32_t direction);
  /// Where rows of a bound tensor begin.
  uint64_t table(uint32_t tensor);
  /// Writes what is not there or was bound again since.
  void update();

private:
  struct Table {
    uint64_t at;
    uint64_t version; // that of Binding::version which is there, where `isThere`
    bool isThere;
  };

  const Library &library;
  const Binding &binding;
  const Intervals cuts;
  const std::map<uint32_t, ChunkCounts> edgeCounts;
  SpillFile spilled;
  std::map<std::pair<uint32_t, uint32_t>, std::pair<std::unique_ptr<Chunks>, bool>> edges; // and whether they are there
  std::map<uint32_t, Table> tables;
};

} // namespace gnn::rt

#endif // GNN_STREAM_SPILLEDDATA_H
