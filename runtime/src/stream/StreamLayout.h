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

#include "runtime/src/engine/Engine.h"
#include "runtime/src/program/MemoryPlan.h"
#include "runtime/src/stream/ByteRing.h"
#include "runtime/src/stream/EdgeTables.h"
#include "runtime/src/stream/SpilledData.h"
#include "runtime/src/stream/Stages.h"

namespace gnn::rt {

class StreamLayout {
public:
  /// Memory of a ring: for an interval, a chunk or a slice, for the next one, and for what else is loaded ahead.
  struct Area {
    size_t offset;
    RingSize ring;
  };
  /// A total over rows, of which each interval has a part.
  struct Total {
    uint32_t step, operand, fold; // GNN_FOLD_*
    size_t offset, bytes;         // of the part of the first interval, and of each
  };

  /// Why a program cannot be streamed, to an engine that has memory of its own or by ranks; empty: it can.
  static std::string obstacle(const Library &library, const gnn_program_t &program, bool toDevice, bool areRanks);

  /// `data` is of the binding; what the program needs of it gets its place. `prepared` is that of another layout of
  /// the program for as many intervals; null: it is made. All arguments must outlive this.
  StreamLayout(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
               SpilledData &data, std::shared_ptr<Prepared> prepared = nullptr);

  const std::vector<Stage> &stages() const { return ofProgram; }
  const std::shared_ptr<Prepared> &prepared() const { return made; }
  /// The same on another engine of the same kind.
  std::unique_ptr<Prepared> prepareOn(Engine &other) const;
  /// Whether it is in memory by intervals or chunks.
  bool isSpilled(uint32_t tensor) const { return spilled[tensor]; }
  /// Whether a sweep meets all edges of its rows in one call, as edges and cols are in memory.
  bool isOfRows(uint32_t step) const { return wholeRows[step]; }
  /// Whether a step is a sweep over pairs. It meets all of its rows in one call; of cols those that any of them ends at
  /// are gathered in memory before the stage begins, one after the other.
  bool isOfPairs(uint32_t step) const;
  /// Of what is gathered of an operand; after the last of them: of ids. In the memory of a run.
  size_t gatheredAt(uint32_t step, uint32_t operand) const { return gatherPlaces[step][operand]; }
  size_t gatheredIdsAt(uint32_t step) const { return gatherPlaces[step].back(); }
  /// In `cols()`, for an interval of a table that rows are gathered from.
  size_t mostToGather(uint32_t step) const;
  /// Of a parameter with rows for the vertices of a type, too.
  size_t bytesOfVertex(uint32_t tensor, uint32_t type) const;
  size_t rowBytes(uint32_t tensor) const { return rowSizes[tensor]; }
  /// What chunk (p, q) of a sweep reads of an operand by col.
  RowsRead colsRead(uint32_t step, uint32_t operand, int64_t p, int64_t q) const;
  /// How many rows that nobody needs it reads between others.
  int64_t gapOf(uint32_t step, uint32_t operand) const {
    return usefulRows[step]->gapOf(rowSizes[steps[step][operand].tensor]);
  }
  /// Of an operand that lies in the file below memory, what it reads there.
  RowsRead colsReadBelow(uint32_t step, uint32_t operand, int64_t p, int64_t q) const;
  /// Whether there may be less than all.
  bool mayReadSomeBelow(uint32_t step) const { return usefulBelow[step] != nullptr; }
  int64_t gapBelow(uint32_t step, uint32_t operand) const {
    return usefulBelow[step]->gapOf(rowSizes[steps[step][operand].tensor]);
  }
  /// Whether it reads of some operand no more than some rows of the interval.
  bool isSelective(uint32_t step, int64_t p, int64_t q) const;
  bool isSelectiveBelow(uint32_t step, int64_t p, int64_t q) const;
  /// Of an engine that has memory of its own: the rows that chunk (p, q) needs lie there one after the other, and its
  /// cols are numbered so.
  bool isPacked(uint32_t step, int64_t p, int64_t q) const { return mayBePacked(step) && isSelective(step, p, q); }
  /// Whether some chunk of a sweep may be.
  bool mayBePacked(uint32_t step) const { return data.file().isMemory() && usefulRows[step]; }

  /// Of tables and ids of the rows at hand, of those of cols and of numbers of edges, and of edges.
  const Area &rows() const { return rowArea; }
  const Area &cols() const { return colArea; }
  const Area &edges() const { return edgeArea; }
  /// On an engine that has memory of its own: ids of vertices, for as many pieces as `rows()` and `cols()` have.
  const Area &rowIds() const { return rowIdArea; }
  const Area &colIds() const { return colIdArea; }
  /// Whether a step reads ids of rows, or of cols, that no table has.
  bool makesRowIds(uint32_t type) const { return makesIds(GNN_KERNEL_ROW_ID, type); }
  bool makesColIds(uint32_t type) const { return makesIds(GNN_KERNEL_COL_ID, type); }
  /// Whether ids of vertices that an order of theirs has are copied to an engine that has memory of its own.
  bool copiesOrder(uint32_t type) const { return data.file().isMemory() && binding.order(type); }
  /// Of the states of a sweep and the room of a step.
  size_t states(uint32_t step) const { return stepPlaces[step]; }
  size_t room(uint32_t step) const { return states(step) + stateBytes(step); }
  /// In a piece of `rows()`, of tables[i] of a stage that is loaded or stored. Of others: in the memory of a run.
  size_t rowsAt(size_t stage, size_t i) const { return rowPlaces[stage][i]; }
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
  const std::vector<Total> &totals(size_t stage) const { return totalsOf[stage]; }

  /// Whether it lies in the file below memory, from which an engine that has memory of its own is sent it.
  bool isBelow(uint32_t tensor) const { return spilled[tensor] && data.isBelow(tensor); }

  /// What of a run is made on this side and copied to an engine that has memory of its own: from the first to the end
  /// of the last of `rows()` and `cols()`, if some tables are below, or `cols()`, if some are packed, `edges()`,
  /// `rowIds()` and `colIds()`.
  size_t madeHere() const { return hasBelow ? rowArea.offset : hasPacked ? colArea.offset : edgeArea.offset; }
  size_t madeHereBytes() const { return colIdArea.offset + colIdArea.ring.bytes() - madeHere(); }

  /// Of a run's memory, what is for pieces that are loaded ahead.
  size_t aheadBytes() const { return rowArea.ring.ahead + colArea.ring.ahead + edgeArea.ring.ahead; }

  /// Memory of a run.
  size_t runBytes() const { return arenaBytes; }
  /// Memory that stays between runs: results that are in memory, and what is prepared.
  size_t lastingBytes() const { return resultBytes + made->ownBytes(); }
  /// Where a spilled tensor begins in the spill file.
  uint64_t place(uint32_t tensor) const { return places[tensor]; }
  /// Of a run: what it reads and writes of the spill file; of spilled memory, what is copied from and to it.
  const SpillFile::Traffic &traffic() const { return perRun; }
  /// Of a run, what it reads and writes of the file below memory.
  const SpillFile::Traffic &trafficBelow() const { return perRunBelow; }
  /// Beside that, the rows of cols that a run passes over, since no edge of a chunk touches them.
  uint64_t passedOver() const { return bytesPassedOver; }
  /// Of what a run reads, that of cols; the same of the file below.
  uint64_t colBytes() const { return bytesOfCols; }
  uint64_t colBytesBelow() const { return bytesOfColsBelow; }
  /// How often it passes over some.
  uint64_t seeks() const { return numSeeks; }
  /// The bytes of that by what they are of.
  const std::map<uint32_t, uint64_t> &tableTraffic() const { return ofTables; }
  const std::map<Residents::Edges, uint64_t> &edgeTraffic() const { return ofEdges; }
  /// Of a run: how often the engine is asked to run a step.
  uint64_t calls() const { return numCalls; }

private:
  bool isResult(const gnn_use_t &use) const;
  bool isTemporary(const gnn_use_t &use) const;
  void placeFile();
  size_t placeRows();
  void placeTensors();
  size_t stateBytes(uint32_t step) const;
  bool findSlices(uint32_t step) const;
  bool findWholeRows(const ProgramStep &step) const;
  std::shared_ptr<const UsefulRows> findUseful(uint32_t step) const;
  std::shared_ptr<const UsefulRows> findUsefulBelow(uint32_t step) const;
  const Stage &stageOf(uint32_t step) const;
  std::vector<PlannedTensor> tensorsOfRun() const;
  bool makesIds(uint32_t need, uint32_t type) const { return (needs & need) != 0 && areMade(type); }
  bool areMade(uint32_t type) const { return !binding.order(type) || copiesOrder(type); }
  size_t idBytes(bool inPieces, int64_t rows) const;
  size_t colBytes(uint32_t step, uint32_t operands, int64_t cols, int64_t edges) const;
  size_t mostCols();
  size_t mostEdges();
  void placeAreas();
  void placeGathered();
  void shareAhead(std::vector<std::pair<RingSize *, uint64_t>> rings) const;
  void placeTotals();
  void addRead(uint32_t tensor, uint64_t rows);
  void addRows(uint32_t tensor, uint64_t rows);
  void addWritten(uint32_t tensor, uint64_t rows);
  void addIds(bool areMade, uint64_t rows);
  void addGathered(uint32_t step);
  void addSweep(uint32_t step);
  void addCols(uint32_t step, const Chunks &chunks, uint32_t operand);
  void addTraffic();
  uint64_t tableBytes(uint32_t tensor) const {
    return uint64_t(binding.leadingExtent(library.tensor(tensor))) * rowSizes[tensor];
  }

  const Engine &engine;
  const Library &library;
  const Binding &binding;
  const gnn_program_t &program;
  const ProgramSteps steps;
  SpilledData &data;
  const Intervals &intervals;
  const bool packsAll;
  const std::vector<bool> spilled;
  const std::vector<Stage> ofProgram;
  std::vector<size_t> rowSizes;                               // [tensors]
  std::vector<bool> wholeRows;                                // [steps]
  std::vector<std::shared_ptr<const UsefulRows>> usefulRows;  // [steps] null: whole intervals are read
  std::vector<std::shared_ptr<const UsefulRows>> usefulBelow; // [steps] the same of the file below memory
  std::vector<bool> inSlices;                                 // [steps] whether some chunk of a sweep is
  bool hasPacked = false, hasSlices = false, hasBelow = false;
  uint32_t needs = 0; // of all kernels
  std::shared_ptr<Prepared> made;
  std::vector<std::vector<size_t>> rowPlaces; // [stages][tables]
  std::vector<size_t> rowEnds;                // [stages]
  std::vector<std::vector<Total>> totalsOf;   // [stages]
  Area rowArea{}, colArea{}, edgeArea{}, rowIdArea{}, colIdArea{};
  std::vector<size_t> stepPlaces;                // [steps] of states and room
  std::vector<std::vector<size_t>> gatherPlaces; // [steps][operands + 1], of others empty
  std::map<uint32_t, size_t> runPlaces;
  size_t arenaBytes = 0, resultBytes = 0;
  std::vector<uint64_t> places; // [tensors]
  SpillFile::Traffic perRun, perRunBelow;
  uint64_t numCalls = 0, bytesOfCols = 0, bytesOfColsBelow = 0, bytesPassedOver = 0, numSeeks = 0;
  uint64_t throughRows = 0, throughCols = 0; // of tables, what goes by these areas
  std::map<uint32_t, uint64_t> ofTables;
  std::map<Residents::Edges, uint64_t> ofEdges;
};

} // namespace gnn::rt

#endif // GNN_STREAM_STREAMLAYOUT_H
