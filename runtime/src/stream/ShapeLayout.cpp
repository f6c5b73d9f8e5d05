//===- ShapeLayout.cpp - What a program over a shape has in memory --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/ShapeLayout.h"

#include "runtime/src/program/MemoryPlan.h"

#include <algorithm>

namespace gnn::rt {

/// Of a row of a chunk: where its edges begin, which row it is and how many edges it has.
static constexpr uint64_t bytesOfChunkRow = 20;

ShapeLayout::ShapeLayout(const GraphShape &graph, const gnn_program_t &compiled, int64_t intervals, int numRanks,
                         const Residents &kept)
    : shape(graph), library(graph.library()), program(compiled), parts(intervals), ranks(numRanks), residents(kept),
      spilled(spilledTensors(library, program)) {
  for (uint32_t tensor : residents.tables)
    spilled[tensor] = false;
  stages = stagesOf(library, program, spilled);
  for (const Stage &stage : stages) {
    addRows(stage);
    for (uint32_t s = stage.first; s < stage.end; ++s)
      if (const ProgramStep step = library.step(program.steps[s]); step.isSweep() && !isOfRows(step))
        addSweep(step);
      else
        numCalls += ourIntervals(stage.type);
  }
  arenaBytes = halves(rowArea) + halves(colArea) + halves(edgeArea);
  addTemporaries();
  addTotals();
}

uint64_t ShapeLayout::ourIntervals(uint32_t type) const {
  return (uint64_t(shape.numIntervals(type, parts)) + uint64_t(ranks) - 1) / uint64_t(ranks);
}

bool ShapeLayout::isOfRows(const ProgramStep &sweep) const {
  return residents.edges.count({sweep->relation, sweep->direction}) > 0 &&
         sweep.operands().all([&](const Operand &of) { return !spilled[of.tensor] || !of.isInChunks(); });
}

void ShapeLayout::addRead(uint32_t tensor, uint64_t bytes) {
  bytesRead += bytes;
  tableTraffic[tensor] += bytes;
}

void ShapeLayout::addWritten(uint32_t tensor, uint64_t bytes) {
  bytesWritten += bytes;
  tableTraffic[tensor] += bytes;
}

void ShapeLayout::addRows(const Stage &stage) {
  uint64_t bytes = 0;
  const auto most = uint64_t(shape.intervalRows(stage.type, parts)), ours = uint64_t(shape.rankRows(stage.type, ranks));
  for (const Stage::Table &table : stage.tables) {
    const uint64_t rowBytes = shape.rowBytes(table.tensor);
    if (!table.isTemporary())
      bytes += wholeLines(most * rowBytes);
    if (table.isLoaded)
      addRead(table.tensor, ours * rowBytes);
    if (table.isStored)
      addWritten(table.tensor, ours * rowBytes);
  }
  rowArea = std::max(rowArea, bytes);
}

/// Each interval of the rows of this rank meets all of the cols.
void ShapeLayout::addSweep(const ProgramStep &step) {
  const Residents::Edges of{step->relation, step->direction};
  const uint32_t rowType = step.rowType(), colType = step.colType();
  const auto rows = uint64_t(shape.intervalRows(rowType, parts)), cols = uint64_t(shape.intervalRows(colType, parts)),
             numRows = uint64_t(shape.numIntervals(rowType, parts)),
             numCols = uint64_t(shape.numIntervals(colType, parts)), ours = ourIntervals(rowType),
             ourEdges = uint64_t(shape.rankEdges(of, ranks)),
             edges = uint64_t(shape.edges(of.first)) / (numRows * numCols) + 1;
  uint64_t bytes = 0;
  numCalls += ours * numCols;
  for (const Operand operand : step.operands()) {
    const uint64_t rowBytes = shape.rowBytes(operand.tensor);
    if (!spilled[operand.tensor] || !operand.isInChunks())
      continue;
    bytes += wholeLines((operand.isPerCol() ? cols : edges) * rowBytes);
    if (operand.isOutput)
      addWritten(operand.tensor, ourEdges * rowBytes);
    else
      addRead(operand.tensor, (operand.isPerCol() ? ours * uint64_t(shape.rows(colType)) : ourEdges) * rowBytes);
  }
  colArea = std::max(colArea, bytes);
  edgeArea = std::max(edgeArea, rows * bytesOfChunkRow + edges * shape.edgeBytes(of));
  const uint64_t edgeBytes = ourEdges * shape.edgeBytes(of);
  bytesRead += edgeBytes;
  edgeTraffic[of] += edgeBytes;
}

/// As StreamLayout::tensorsOfRun: of what a stage makes for itself there is an interval, of all else all rows.
void ShapeLayout::addTemporaries() {
  auto stageOf = [&](uint32_t step) -> const Stage & {
    return *std::find_if(stages.begin(), stages.end(), [=](const Stage &stage) { return step < stage.end; });
  };
  std::vector<PlannedTensor> tensors;
  for (const gnn_use_t &use : usesIn(program)) {
    if (use.first < 0)
      continue;
    if (use.last == int32_t(program.num_steps)) {
      bytesOfResults += spilled[use.tensor] ? 0 : wholeLines(shape.tableBytes(use.tensor));
      continue;
    }
    const auto first = uint32_t(use.first), last = uint32_t(std::max(use.first, use.last));
    const Stage &stage = stageOf(first);
    if (!spilled[use.tensor])
      tensors.push_back(
          {use.tensor, stage.first, stageOf(last).end - 1, wholeLines(shape.tableBytes(use.tensor)), 0, false});
    else if (last < stage.end && library.tensor(use.tensor).domain != GNN_DOMAIN_EDGE)
      tensors.push_back({use.tensor, first, last,
                         wholeLines(size_t(shape.intervalRows(stage.type, parts)) * shape.rowBytes(use.tensor)), 0,
                         false});
  }
  for (uint32_t s = 0; s < program.num_steps; ++s)
    if (const ProgramStep step = library.step(program.steps[s]); step.isSweep() && !isOfRows(step)) {
      const gnn_kernel_t &kernel = step.kernel();
      const std::vector<int64_t> &extents = shape.dimensions().extents();
      const int64_t state = extents[kernel.state_bytes] * (kernel.passes < 0 ? 1 : extents[size_t(kernel.passes)]);
      const int64_t rows = shape.intervalRows(step.rowType(), parts);
      tensors.push_back({UINT32_MAX, s, s, wholeLines(size_t(rows) * size_t(state)), 0, false});
    }
  std::vector<PlannedTensor *> all;
  for (PlannedTensor &planned : tensors)
    all.push_back(&planned);
  arenaBytes += placeByLifeTime(all);
}

/// Each interval has a part of its own, until all are added.
void ShapeLayout::addTotals() {
  uint64_t most = 0;
  for (const Stage &stage : stages) {
    const int64_t count = shape.numIntervals(stage.type, parts);
    uint64_t bytes = 0;
    for (uint32_t s = stage.first; s < stage.end && count > 1; ++s)
      for (const Operand output : library.step(program.steps[s]).outputs())
        if (output.isTotal())
          bytes += uint64_t(count) * wholeLines(shape.tableBytes(output.tensor));
    most = std::max(most, bytes);
  }
  arenaBytes += most;
}

} // namespace gnn::rt
