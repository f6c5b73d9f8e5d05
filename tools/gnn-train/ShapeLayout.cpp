//===- ShapeLayout.cpp - What a program over a shape has in memory --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/ShapeLayout.h"

#include <algorithm>

namespace gnn::train_tool {

using namespace rt;

namespace {

/// A rank's part of a shape: each interval has as many rows as the others, and each chunk as many edges. Each interval
/// of the rank's rows meets all of the cols.
class ShapeGrid : public Grid {
public:
  ShapeGrid(const GraphShape &shape, const gnn_program_t &program, int64_t parts, int ranks)
      : shape(shape), steps(shape.library().steps(program)), parts(parts), ranks(ranks) {}

  int64_t numIntervals(uint32_t type) const override { return shape.numIntervals(type, parts); }
  int64_t mostRows(uint32_t type) const override { return shape.intervalRows(type, parts); }
  int64_t mostEdges(const ProgramStep &sweep) const override {
    return shape.edges(sweep->relation) / (numIntervals(sweep.rowType()) * numIntervals(sweep.colType())) + 1;
  }
  size_t rowBytes(uint32_t tensor) const override { return shape.rowBytes(tensor); }
  uint64_t tableBytes(uint32_t tensor) const override { return shape.tableBytes(tensor); }
  OpTotals totals(const Stage &stage, const OpTemplate &op) const override {
    const ProgramStep step = steps[op.step];
    OpTotals totals;
    if (op.kind == OpKind::Compute)
      totals.calls = ourIntervals(stage.type) * uint64_t(op.per == Per::Slice ? numIntervals(step.colType()) : 1);
    else if (op.kind == OpKind::ReadEdges)
      totals.bytes = uint64_t(shape.rankEdges(edgesOf(step), ranks)) * shape.edgeBytes(edgesOf(step));
    else if (op.movesTable())
      totals.bytes = rows(stage, op) * rowBytes(op.tensor);
    return totals;
  }
  uint64_t slotBytes(const ProgramStep &sweep) const {
    return uint64_t(mostRows(sweep.rowType())) * SliceFormat::bytesOfRow +
           uint64_t(mostEdges(sweep)) * shape.edgeBytes(edgesOf(sweep));
  }

private:
  static Residents::Edges edgesOf(const ProgramStep &step) { return {step->relation, step->direction}; }
  uint64_t ourIntervals(uint32_t type) const {
    return (uint64_t(numIntervals(type)) + uint64_t(ranks) - 1) / uint64_t(ranks);
  }
  uint64_t rows(const Stage &stage, const OpTemplate &op) const {
    return op.extent == Extent::Rows    ? uint64_t(shape.rankRows(stage.type, ranks))
           : op.extent == Extent::Edges ? uint64_t(shape.rankEdges(edgesOf(steps[op.step]), ranks))
                                        : ourIntervals(stage.type) * uint64_t(shape.rows(steps[op.step].colType()));
  }

  const GraphShape &shape;
  const ProgramSteps steps;
  const int64_t parts;
  const int ranks;
};

/// The states of a sweep for each row of an interval.
uint64_t stateBytes(const GraphShape &shape, const ProgramStep &sweep, int64_t rows) {
  const gnn_kernel_t &kernel = sweep.kernel();
  const std::vector<int64_t> &extents = shape.dimensions().extents();
  return uint64_t(rows) *
         uint64_t(extents[kernel.state_bytes] * (kernel.passes < 0 ? 1 : extents[size_t(kernel.passes)]));
}

} // namespace

ShapeLayout::ShapeLayout(const GraphShape &shape, const gnn_program_t &program, int64_t parts, int ranks,
                         const Residents &residents) {
  const Library &library = shape.library();
  const StageSchedule schedule(library, program,
                               Placement(library, program, residents, /*isForDevice=*/false, /*inHost=*/std::nullopt),
                               /*isAlone=*/ranks == 1);
  const ShapeGrid grid(shape, program, parts, ranks);
  perRun = trafficOf(schedule, grid);
  std::vector<PlannedTensor> tensors = temporariesOf(schedule, grid);
  uint64_t rows = 0, cols = 0, edges = 0; // of the stage or sweep that takes most
  for (const Stage &stage : schedule.stages()) {
    rows = std::max(rows, bytesOfTables(grid, stage, Per::Interval, stage.first, grid.mostRows(stage.type), 0));
    for (uint32_t s = stage.first; s < stage.end; ++s) {
      if (!schedule.isInChunks(s))
        continue;
      const ProgramStep step = library.step(program.steps[s]);
      cols = std::max(cols,
                      bytesOfTables(grid, stage, Per::Chunk, s, grid.mostRows(step.colType()), grid.mostEdges(step)));
      edges = std::max(edges, grid.slotBytes(step));
      tensors.push_back(
          {UINT32_MAX, s, s, wholeLines(stateBytes(shape, step, grid.mostRows(step.rowType()))), 0, false});
    }
  }
  std::vector<PlannedTensor *> all;
  for (PlannedTensor &planned : tensors)
    all.push_back(&planned);
  arenaBytes = (parts > 1 ? 2 : 1) * (rows + cols + edges) + placeByLifeTime(all) + totalsOf(schedule, grid).bytes;
  for (const gnn_use_t &use : usesIn(program))
    if (use.first >= 0 && use.last == int32_t(program.num_steps) && !schedule.isSpilled(use.tensor))
      bytesOfResults += wholeLines(shape.tableBytes(use.tensor));
}

} // namespace gnn::train_tool
