//===- ScheduleSizes.h - Traffic and memory of a schedule -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts traffic and memory of a run from the templates of its schedule and the sizes of a graph, whose edges are
// known (ChunkGrid) or only their number (ShapeLayout of gnn-train).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_SCHEDULESIZES_H
#define GNN_STREAM_SCHEDULESIZES_H

#include "runtime/src/program/MemoryPlan.h"
#include "runtime/src/stream/StageSchedule.h"

namespace gnn::rt {

/// The bytes that all operations of a template move in a run, and how often they call a step.
struct OpTotals {
  uint64_t bytes = 0;      // to or from the memory of the engine
  uint64_t bytesBelow = 0; // of the file below the memory of this process, where the engine's memory is apart from that
  uint64_t passedOver = 0; // bytes of rows of cols that no edge of a chunk touches
  uint64_t seeks = 0;      // how often some are passed over
  bool isPacked = false;   // rows of some chunk are sent one after the other, without those
  uint64_t calls = 0;
};

/// The sizes of a graph whose vertices are cut into intervals.
class Grid {
public:
  virtual ~Grid() = default;
  virtual int64_t numIntervals(uint32_t vertexType) const = 0;
  /// Rows of the largest interval, and edges of the largest chunk of a sweep.
  virtual int64_t mostRows(uint32_t vertexType) const = 0;
  virtual int64_t mostEdges(const ProgramStep &sweep) const = 0;
  virtual size_t rowBytes(uint32_t tensor) const = 0;
  virtual uint64_t tableBytes(uint32_t tensor) const = 0;
  /// Totals over all operations that a template of a stage stands for.
  virtual OpTotals totals(const Stage &stage, const OpTemplate &op) const = 0;
};

/// The traffic of a run, without that of writing bound tables before it.
struct RunTraffic {
  Spill::Traffic moved;        // of the spill file; of spilled memory, what is copied from and to it
  Spill::Traffic below;        // of the file below memory
  uint64_t cols = 0;           // bytes of `moved` that are read of cols
  uint64_t colsBelow = 0;      // the same of `below`
  uint64_t passedOver = 0;     // bytes of rows of cols that are not read, since no edge of a chunk touches them
  uint64_t seeks = 0;          // how often some are passed over
  uint64_t calls = 0;          // of steps
  uint64_t throughRows = 0;    // bytes of tables that go through the ring of rows, with those that are passed over
  uint64_t throughCols = 0;    // and through that of cols
  bool hasTablesBelow = false; // some tables lie in the file below memory
  bool hasPacked = false;      // some chunk is packed
  std::map<uint32_t, uint64_t> ofTables; // bytes of `moved` by table
  std::map<Residents::Edges, uint64_t> ofEdges; // that sweeps would not read if these were in memory
};
RunTraffic trafficOf(const StageSchedule &schedule, const Grid &grid);

/// Bytes that the tables of an interval take side by side, or with Per::Chunk those of a chunk of a sweep, for so many
/// vertices and edges: of the sweep's operands before `end`.
uint64_t bytesOfTables(const Grid &grid, const Stage &stage, Per per, uint32_t step, int64_t vertices, int64_t edges,
                       uint32_t end = UINT32_MAX);

/// The tensors that steps make for other steps and that lie in the memory of a run. A temporary of a stage has the size
/// of an interval, since intervals come one after the other. A tensor that is not spilled lives as long as whole
/// stages, since each interval does all steps of a stage.
std::vector<PlannedTensor> temporariesOf(const StageSchedule &schedule, const Grid &grid);

/// The parts of a total over rows: each interval makes one. Where they fold as intervals end, the second place is that
/// of all parts but the first, whose place has the sum of those before.
struct TotalParts {
  uint32_t step, operand, fold; // GNN_FOLD_*
  size_t offset, bytes;         // of the part of the first interval, and of each
  bool foldsByInterval;

  size_t at(int64_t interval) const {
    return offset + size_t(foldsByInterval ? std::min<int64_t>(interval, 1) : interval) * bytes;
  }
};
struct Totals {
  std::vector<std::vector<TotalParts>> ofStages; // empty where a stage has one interval: its total is that of all
  size_t bytes = 0;                              // of the stage that takes most; the others lie there too
};
Totals totalsOf(const StageSchedule &schedule, const Grid &grid);

} // namespace gnn::rt

#endif // GNN_STREAM_SCHEDULESIZES_H
