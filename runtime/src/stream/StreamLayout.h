//===- StreamLayout.h - What a program has in memory at a time --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the rows, cols and edges at hand lie in the memory of a run, where tables lie in the spill file, and what a run
// reads and writes of that: all of it is known before anything is allocated.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STREAMLAYOUT_H
#define GNN_STREAM_STREAMLAYOUT_H

#include "runtime/src/stream/ByteRing.h"
#include "runtime/src/stream/ChunkGrid.h"
#include "runtime/src/stream/EdgeTables.h"

namespace gnn::rt {

/// A program over a binding whose tables and edges are spilled, for the parts of a streamed executor, which it must
/// outlive.
struct StreamedProgram {
  StreamedProgram(const Library &library, const Binding &binding, const gnn_program_t &program, SpilledData &data)
      : library(library), binding(binding), program(program), steps(library.steps(program)), data(data),
        intervals(data.intervals()) {}

  const Library &library;
  const Binding &binding;
  const gnn_program_t &program;
  const ProgramSteps steps;
  SpilledData &data;
  const Intervals &intervals;
};

class StreamLayout : public StreamedProgram {
public:
  /// Memory of a ring: for an interval, a chunk or a slice, for the next one, and for what else is loaded ahead.
  struct Area {
    size_t offset;
    RingSize ring;
  };

  /// Why a program cannot be streamed, to an engine that has memory of its own or by ranks; empty: it can.
  static std::string obstacle(const Library &library, const gnn_program_t &program, bool toDevice, bool areRanks);

  /// `data` is of the binding; what the program needs of it gets its place. `prepared` is that of another layout of
  /// the program for as many intervals; null: it is made. All arguments must outlive this.
  StreamLayout(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
               SpilledData &data, std::shared_ptr<Prepared> prepared = nullptr);

  const StageSchedule &schedule() const { return planned; }
  const std::vector<Stage> &stages() const { return planned.stages(); }
  const ChunkGrid &grid() const { return chunks; }
  const std::shared_ptr<Prepared> &prepared() const { return made; }
  /// The same on another engine of the same kind.
  std::unique_ptr<Prepared> prepareOn(Engine &other) const;
  /// Whether it is in memory by intervals or chunks.
  bool isSpilled(uint32_t tensor) const { return planned.isSpilled(tensor); }
  /// Whether a sweep meets all edges of its rows in one call, as edges and cols are in memory.
  bool isOfRows(uint32_t step) const { return steps[step].isSweep() && !planned.isInChunks(step); }
  /// Whether a step is a sweep over pairs. It meets all of its rows in one call; of cols those that any of them ends at
  /// are gathered in memory before the stage begins, one after the other.
  bool isOfPairs(uint32_t step) const;
  /// Offset of an operand's gathered rows in the run's workspace; the entry after the last operand is that of the ids.
  size_t gatheredAt(uint32_t step, uint32_t operand) const { return gatherPlaces[step][operand]; }
  size_t gatheredIdsAt(uint32_t step) const { return gatherPlaces[step].back(); }
  /// In `cols()`, for an interval of a table that rows are gathered from.
  size_t mostToGather(uint32_t step) const;
  /// Bytes of a row over vertices of a type; also for a parameter with a row for each vertex.
  size_t bytesOfVertex(uint32_t tensor, uint32_t type) const;
  size_t rowBytes(uint32_t tensor) const { return chunks.rowBytes(tensor); }
  size_t tableBytes(uint32_t tensor) const { return chunks.tableBytes(tensor); }
  /// Elements and shape of so many rows of a table as they are stored: bools in bits (GNN_BITS), which fields of pairs
  /// may have, are bytes.
  std::pair<uint32_t, std::vector<int64_t>> storedShape(uint32_t tensor, int64_t rows) const;

  /// Areas for tables and ids of the current rows, for those of cols and numbers of edges, and for edges.
  const Area &rows() const { return rowArea; }
  const Area &cols() const { return colArea; }
  const Area &edges() const { return edgeArea; }
  /// On an engine that has memory of its own: ids of vertices, for as many pieces as `rows()` and `cols()` have.
  const Area &rowIds() const { return rowIdArea; }
  const Area &colIds() const { return colIdArea; }
  /// Whether ids of the rows of a stage, or of the cols of a sweep in chunks, have to be made.
  bool makesRowIds(size_t stage) const { return makesIds(stages()[stage], Per::Interval, stages()[stage].first); }
  bool makesColIds(uint32_t step) const { return makesIds(planned.stageOf(step), Per::Chunk, step); }
  /// Whether ids of vertices that an order of theirs has are copied to an engine that has memory of its own.
  bool copiesOrder(uint32_t type) const { return data.file().isMemory() && binding.order(type); }
  /// Offsets of a sweep's states and of a step's room.
  size_t states(uint32_t step) const { return stepPlaces[step]; }
  size_t room(uint32_t step) const { return states(step) + stateBytes(step); }
  /// By tensor, where the rows that a stage loads or stores lie in a piece of `rows()`.
  const std::map<uint32_t, size_t> &rowsAt(size_t stage) const { return rowPlaces[stage]; }
  /// Where ids lie there, and all of it ends.
  size_t rowIdsAt(size_t stage) const { return rowEnds[stage]; }
  /// Where the ids of the n-th piece lie: in their area or, where that is empty, in the piece.
  static size_t idsAt(const Area &area, uint64_t n, size_t inPiece) {
    return area.ring.most > 0 ? area.offset + size_t(n % area.ring.pieces) * area.ring.most : inPiece;
  }
  size_t rowPiece(size_t stage) const;
  /// In a piece of `cols()`, of what chunk (p, q) of a sweep has by col, or by edge.
  size_t colsAt(uint32_t step, uint32_t operand, int64_t p, int64_t q) const;
  size_t colIdsAt(uint32_t step, int64_t p, int64_t q) const { return colsAt(step, steps[step]->num_tensors, p, q); }
  size_t colPiece(uint32_t step, int64_t p, int64_t q) const;
  /// In the memory of a run, by tensor: what no half has and is no result.
  const std::map<uint32_t, size_t> &ofRun() const { return runPlaces; }
  const std::vector<TotalParts> &totals(size_t stage) const { return totalPlaces[stage]; }

  /// The part of a run's workspace that is made in host memory and copied to an engine with device memory: from the
  /// first to the end of the last of `rows()` and `cols()`, if some tables are spilled below host memory, or `cols()`,
  /// if some are packed, `edges()`, `rowIds()` and `colIds()`.
  size_t madeHere() const { return (perRun.hasTablesBelow ? rowArea : perRun.hasPacked ? colArea : edgeArea).offset; }
  size_t madeHereBytes() const { return colIdArea.offset + colIdArea.ring.bytes() - madeHere(); }

  /// Bytes of a run's workspace for pieces that are loaded ahead.
  size_t aheadBytes() const { return rowArea.ring.ahead + colArea.ring.ahead + edgeArea.ring.ahead; }

  /// Memory of a run.
  size_t runBytes() const { return arenaBytes; }
  /// Memory that stays between runs: results that are in memory, and what is prepared.
  size_t lastingBytes() const { return resultBytes + made->ownBytes(); }
  /// Where a spilled tensor begins in the spill file.
  uint64_t place(uint32_t tensor) const { return places[tensor]; }
  const RunTraffic &traffic() const { return perRun; }

private:
  void placeFile();
  size_t placeRows();
  void placeTensors();
  size_t stateBytes(uint32_t step) const;
  bool makesIds(const Stage &stage, Per per, uint32_t step) const;
  size_t idBytes(bool inPieces, int64_t rows) const;
  size_t colBytes(uint32_t step, uint32_t operands, int64_t cols, int64_t edges) const;
  size_t mostCols() const;
  size_t mostEdges();
  void placeAreas();
  void placeGathered();
  void shareAhead(std::vector<std::pair<RingSize *, uint64_t>> rings) const;
  void placeTotals();

  const Engine &engine;
  const StageSchedule planned;
  const ChunkGrid chunks;
  std::shared_ptr<Prepared> made;
  RunTraffic perRun;
  std::vector<std::map<uint32_t, size_t>> rowPlaces; // [stages]
  std::vector<size_t> rowEnds;                       // [stages]
  std::vector<std::vector<TotalParts>> totalPlaces;  // [stages]
  Area rowArea{}, colArea{}, edgeArea{}, rowIdArea{}, colIdArea{};
  std::vector<size_t> stepPlaces;                // [steps] of states and room
  std::vector<std::vector<size_t>> gatherPlaces; // [steps][operands + 1], of others empty
  std::map<uint32_t, size_t> runPlaces;
  size_t arenaBytes = 0, resultBytes = 0;
  std::vector<uint64_t> places; // [tensors]
};

} // namespace gnn::rt

#endif // GNN_STREAM_STREAMLAYOUT_H
