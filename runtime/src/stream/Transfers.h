//===- Transfers.h - Data that come to an engine and leave it ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the rows of an interval, the edges of a chunk and the cols that these touch come to the memory of a run, and what
// is made of them leaves it: from and to a file, host memory, or another engine. An engine without memory of its own
// has files alone: nothing lies in host memory beside it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_TRANSFERS_H
#define GNN_STREAM_TRANSFERS_H

#include "runtime/src/stream/Lanes.h"
#include "runtime/src/stream/StreamWalk.h"

namespace gnn::rt {

/// The overhead of an order, as an equivalent number of bytes copied or of rows computed.
constexpr uint64_t bytesOfCall = 16 << 10, rowsOfCall = 256;

/// A chunk: its intervals of rows and of cols.
struct ChunkAt {
  int64_t p, q;
};

/// Where the rows of an operand by col lie in the memory of a run, and when each piece of them is there.
struct LoadedCols {
  size_t at = 0;
  std::vector<Asked> pieces;
};

class Transfers : StreamedProgram {
public:
  using Tickets = std::vector<Asked>;

  /// `lanes` are the engine's. The arguments must outlive this.
  Transfers(Engine &engine, const StreamLayout &layout, Lanes &lanes);

  /// Sets the memory of runs; without, `begin` allocates it.
  void runIn(std::shared_ptr<Memory> memory) { arena = std::move(memory); }
  /// Before a run, and after one that failed: nothing has been stored yet.
  void begin();
  /// A place in the memory of a run.
  char *memoryAt(size_t offset) const { return static_cast<char *>(arena->data()) + offset; }

  /// Loads rows of an interval of a table to a place in the memory of a run.
  Asked load(const OpTemplate &op, int64_t interval, int64_t firstRow, int64_t rows, char *to);
  /// Stores them after `ran`; who loads them from then on waits for that.
  Asked store(const OpTemplate &op, int64_t interval, int64_t firstRow, int64_t rows, const char *from,
              const Asked &ran);
  /// When an interval of a table was stored.
  Asked &storedOf(uint32_t tensor, int64_t interval);
  /// Returns original ids of the vertices of an interval, in the memory of the engine; those that are made lie at a
  /// place in the memory of a run. Null: no step reads any.
  const int64_t *ids(uint32_t step, uint32_t type, int64_t interval, bool areMade, size_t at, Tickets &tickets);

  /// Loads slice j of chunk (p, met(p)[k]) to a place; `before` is the place of the slice before it. The first of the
  /// tickets is when it is made, in host memory where the engine has memory of its own.
  Tickets loadEdges(uint32_t step, int64_t p, size_t k, int64_t j, size_t to, size_t before, const ColsSent &sent);
  /// Loads rows of an interval of cols: all, or those that the edges of the chunk touch, once it is known which these
  /// are. Adds to `tickets` what else the memory at `to` has to wait for.
  Tickets loadCols(const OpTemplate &op, ChunkAt chunk, size_t to, const Asked &edges, const ColsSent &sent,
                   Tickets &tickets);
  /// Copies the same rows from the memory of another engine.
  Tickets relayCols(const Transfers &other, const LoadedCols &there, const OpTemplate &op, size_t to,
                    const ColsSent &sent);

private:
  /// The address in host memory where data for an engine with device memory are made.
  char *hereAt(size_t offset) const {
    return static_cast<char *>(madeHere.get()) + (offset - layout.memory().madeHere);
  }
  char *hereFor(const char *there) const { return hereAt(size_t(there - memoryAt(0))); }
  bool isThere(uint32_t tensor, int64_t interval);
  Asked copy(const Order &order, Spill::Kind kind, const Tickets &after, void *to, const void *from);
  void findUseful(uint32_t step, ChunkAt chunk, char *slot, bool isPacked);
  void readMarked(const OpTemplate &op, int64_t colInterval, const RowMarks &marks, int64_t gap, char *to);
  Tickets copyCols(const OpTemplate &op, size_t to, const Asked &after, const ColsSent &sent);
  Tickets packCols(const OpTemplate &op, ChunkAt chunk, size_t to, const Asked &edges, const ColsSent &sent,
                   Tickets &tickets);
  bool fetchesSome(const OpTemplate &op, ChunkAt chunk, const ColsSent &sent) const;
  Tickets fetchCols(const OpTemplate &op, ChunkAt chunk, size_t to, const Asked &edges, const ColsSent &sent);

  Engine &engine;
  const StreamLayout &layout;
  Lanes &lanes;
  std::shared_ptr<Memory> arena;  // of a run
  std::shared_ptr<void> madeHere; // RunMemory::madeHere; null: the engine has no memory of its own
  std::vector<Tickets> stored;    // [library tensors][intervals] of the current run
  RowMarks useful;                // of the chunk whose edges were loaded last, where it is of a file
};

} // namespace gnn::rt

#endif // GNN_STREAM_TRANSFERS_H
