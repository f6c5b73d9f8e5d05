//===- SpilledData.h - Edges and bound tables in a spill file ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data that the executors of one binding share: the intervals of vertices, the spill file, and in it the edges in
// chunks and the bound tables.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_SPILLEDDATA_H
#define GNN_STREAM_SPILLEDDATA_H

#include "runtime/src/stream/ChunkedEdges.h"
#include "runtime/src/stream/EdgeRows.h"
#include "runtime/src/stream/SpilledTables.h"

#include <optional>

namespace gnn::rt {

class SpilledData : public ChunkedEdges {
public:
  /// Engine, library and binding must outlive this. Where the engine has memory of its own, what is spilled is in
  /// memory of this process; else in a file in the folder. `counted`: what is known of them; null: nothing. Of several
  /// ranks each has the edges of its own rows, of tables that are read by them alone its own rows, and tables over
  /// edges as a whole.
  SpilledData(Engine &engine, const Library &library, const Binding &binding, const Cuts &cuts,
              const std::string &folder, Residents residents = {}, FileSystem &files = FileSystem::real(),
              std::shared_ptr<CountedChunks> counted = nullptr);
  /// As `other`, with nothing in its file, but for what is in memory.
  SpilledData(const SpilledData &other, Residents residents);

  /// Makes layouts from now on have room for so many bytes that are loaded ahead, beside the interval and the chunk at
  /// hand and the next ones: none if nobody says, nor for an engine that has memory of its own.
  void lookAhead(size_t bytes) { ahead = bytes; }
  size_t aheadBytes() const { return ahead; }
  /// For an engine with device memory: places made from now on are in host memory if they belong to `some`, and
  /// otherwise in a file. None, the default: all are in host memory.
  void keepHere(std::optional<Residents> some) { here = std::move(some); }
  const std::optional<Residents> &hostResidents() const { return here; }

  Spill &file() { return *spilled; }
  const Spill &file() const { return *spilled; }
  /// Where there is one: `file` is memory then.
  const Spill *below() const { return fileBelow.get(); }
  /// The one of the two in which a spilled tensor lies, or edges that come in chunks.
  Spill &spillOf(uint32_t tensor) { return spillFor(!here || here->tables.count(tensor)); }
  Spill &spillOf(const Residents::Edges &of) { return spillFor(!here || here->edges.count(of)); }
  /// Bytes that `update` has read from the data set's own files, for tables over vertices.
  uint64_t dataBytesRead() const { return tables.dataBytesRead(); }
  /// From now on the page cache keeps nothing of it.
  void leaveCache() { (fileBelow ? *fileBelow : *spilled).leaveCache(); }

  // Requests a place for the data, which are there after the next `update`.
  const Chunks &chunks(uint32_t relation, uint32_t direction);
  /// In the memory of the engine, or that of another which computes with it.
  const EdgeRows &edgeRows(uint32_t relation, uint32_t direction) { return edgeRows(relation, direction, engine); }
  const EdgeRows &edgeRows(uint32_t relation, uint32_t direction, Engine &of);
  /// Memory of those edges that were asked for, in each engine.
  size_t edgeRowBytes() const;
  /// Where rows of a bound tensor begin; nowhere, if they are read of the data. Those over edges lie in the order of
  /// chunks.
  uint64_t table(uint32_t tensor);
  /// Writes what is not there or was bound again since. `room`: bytes of memory in which rows of edges find their
  /// order.
  void update(size_t room = size_t(16) << 20);

  /// Rows of a tensor, from any thread: of the data if they are the same there, else of its place in the file.
  void load(uint32_t tensor, uint64_t place, int64_t firstRow, int64_t rows, size_t rowBytes, void *to) {
    if (tables.has(tensor))
      tables.load(tensor, place, firstRow, rows, rowBytes, to);
    else
      spillOf(tensor).read(Spill::Tables, to, size_t(rows) * rowBytes, place + uint64_t(firstRow) * rowBytes);
  }
  /// Those that lie behind each other.
  void load(uint32_t tensor, uint64_t place, Span<const WantedRows> wanted, size_t rowBytes) {
    if (tables.has(tensor))
      tables.load(tensor, place, wanted, rowBytes);
    else
      spillOf(tensor).read(Spill::Tables, piecesOf(wanted, rowBytes, place));
  }
  /// Whether a tensor is bound: what lies in the file has been written before the first step.
  bool isBound(uint32_t tensor) const { return tables.has(tensor); }
  /// Whether the system reads scattered rows together.
  bool readsTogether() const { return files.readsTogether(); }

private:
  Spill &spillFor(bool isInHost) { return fileBelow && !isInHost ? *fileBelow : *spilled; }

  const std::string folder;
  FileSystem &files;
  size_t ahead = 0;
  std::optional<Residents> here;
  const std::unique_ptr<Spill> fileBelow, spilled; // the first one null where the second one is a file
  std::map<Residents::Edges, std::pair<std::unique_ptr<Chunks>, bool>> edges; // and whether they are there
  std::map<Engine *, std::map<Residents::Edges, std::unique_ptr<EdgeRows>>> rows;
  SpilledTables tables;
};

} // namespace gnn::rt

#endif // GNN_STREAM_SPILLEDDATA_H
