//===- RunMemory.h - Places in the memory of a streamed run -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the rows, cols and edges at hand, and all else that a run makes, lie in its memory: known before anything is
// allocated. A table that is read by row and by col lies there twice.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_RUNMEMORY_H
#define GNN_STREAM_RUNMEMORY_H

#include "runtime/src/stream/ByteRing.h"
#include "runtime/src/stream/ChunkGrid.h"

namespace gnn::rt {

/// A program over a binding whose tables and edges are spilled, for the parts of a streamed executor, which it must
/// outlive.
struct StreamedProgram {
  StreamedProgram(const Library &library, const Binding &binding, const gnn_program_t &program, SpilledData &data)
      : library(library), binding(binding), program(program), steps(library.steps(program)), data(data),
        intervals(data.intervals()) {}

  /// Whether a step is a sweep over pairs. It meets all of its rows in one call; of cols those that any of them ends at
  /// are gathered in memory before the stage begins, one after the other.
  bool isOfPairs(uint32_t step) const { return steps[step].isSweepOver(GNN_RELATION_PAIRS); }

  const Library &library;
  const Binding &binding;
  const gnn_program_t &program;
  const ProgramSteps steps;
  SpilledData &data;
  const Intervals &intervals;
};

struct RunMemory {
  /// Memory of a ring: for an interval, a chunk or a slice, for the next one, and for what else is loaded ahead.
  struct Area {
    size_t offset = 0;
    RingSize ring = {};

    size_t end() const { return offset + ring.bytes(); }
    /// Where the ids of the n-th piece lie: here or, if this is empty, in the piece.
    size_t idsAt(uint64_t n, size_t inPiece) const {
      return ring.most > 0 ? offset + size_t(n % ring.pieces) * ring.most : inPiece;
    }
  };
  struct OfStage {
    std::map<uint32_t, size_t> rowsAt;   // by tensor, of rows that are loaded or stored: in a piece of `rows`
    size_t rowIdsAt = 0, rowPiece = 0;   // where ids lie there, and all of it ends
    bool makesRowIds = false;            // whether original ids of rows have to be made
    std::vector<TotalParts> totals = {}; // that are folded
  };
  struct OfStep {
    size_t states = 0, room = 0;       // of a sweep's rows, and of the step
    bool makesColIds = false;          // whether original ids of cols of a sweep in chunks have to be made
    std::vector<size_t> gathered = {}; // of a sweep over pairs, [operands] gathered rows
    size_t gatheredIds = 0;            // and their ids
    size_t mostToGather = 0;           // bytes in `cols`, of an interval of a table that rows are gathered from
  };

  // For tables and ids of the rows at hand, for those of cols and numbers of edges, and for edges. On an engine that
  // has memory of its own ids of vertices are apart, for as many pieces as rows and cols have.
  Area rows, cols, edges, rowIds, colIds;
  std::vector<OfStage> stages;
  std::vector<OfStep> steps;
  std::map<uint32_t, size_t> ofRun; // by tensor: what no ring has and is no result
  size_t bytes = 0;
  /// The part that is made in memory of this process and copied to an engine that has memory of its own begins here: at
  /// `rows`, if some tables lie in a file below, at `cols`, if some are packed, or at `edges`. It ends with `colIds`.
  size_t madeHere = 0;

  size_t madeHereBytes() const { return colIds.end() - madeHere; }
  /// For pieces that are loaded ahead.
  size_t aheadBytes() const { return rows.ring.ahead + cols.ring.ahead + edges.ring.ahead; }
};

/// Bytes of ids of so many rows: where engines have memory of their own they lie in an area, else in pieces.
size_t bytesOfIds(const SpilledData &data, bool inPieces, int64_t rows);

RunMemory placeRun(const StreamedProgram &streamed, const StageSchedule &schedule, const ChunkGrid &grid,
                   const Prepared &prepared, const RunTraffic &traffic);

} // namespace gnn::rt

#endif // GNN_STREAM_RUNMEMORY_H
