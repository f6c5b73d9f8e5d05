//===- ChunkGrid.cpp - Rows that the chunks of a program read -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/ChunkGrid.h"

namespace gnn::rt {

ChunkGrid::ChunkGrid(const Engine &engine, const Library &opened, const Binding &bound, const gnn_program_t &program,
                     const StageSchedule &planned, SpilledData &spilledData)
    : library(opened), binding(bound), steps(library.steps(program)), schedule(planned), data(spilledData),
      intervals(data.intervals()) {
  for (const gnn_tensor_info_t &info : library.tensors())
    rowSizes.push_back(engine.rowBytes(binding.dimensions(), info));
  for (uint32_t s = 0; s < steps.size(); ++s) {
    useful[Spilled].push_back(findUseful(s));
    useful[BelowHost].push_back(findUsefulBelow(s));
    const ProgramStep step = steps[s];
    inSlices.push_back(schedule.isInChunks(s) && mostEdges(step) > data.sliceEdges({step->relation, step->direction}));
  }
}

/// For sweeps in chunks that read some cols. A GPU is sent some rows of all cols or of none: all have one numbering.
std::shared_ptr<const UsefulRows> ChunkGrid::findUseful(uint32_t s) const {
  const ProgramStep step = steps[s];
  if (!schedule.isInChunks(s))
    return nullptr;
  bool readsSome = false, readsAll = !step.needs(GNN_KERNEL_COL_ID);
  for (const Operand operand : step.operands())
    if (operand.isPerCol())
      (schedule.isSpilled(operand.tensor) ? readsSome : readsAll) = schedule.isSpilled(operand.tensor);
  return readsSome && (readsAll || !schedule.placement().isForDevice())
             ? data.useful({step->relation, step->direction}, /*isOfFile=*/!data.file().isMemory())
             : nullptr;
}

std::shared_ptr<const UsefulRows> ChunkGrid::findUsefulBelow(uint32_t s) const {
  const ProgramStep step = steps[s];
  const bool readsBelow = schedule.isInChunks(s) && step.operands().any([&](const Operand &of) {
    return of.isPerCol() && schedule.placement().isBelowHost(of.tensor);
  });
  return readsBelow ? data.useful({step->relation, step->direction}, /*isOfFile=*/true) : nullptr;
}

//===----------------------------------------------------------------------===//
// Cols of a chunk
//===----------------------------------------------------------------------===//

/// All rows of the interval, where nothing is known of those that are needed, the chunk has several slices, or to send
/// some alone is not worth it.
RowsRead ChunkGrid::colsRead(uint32_t s, uint32_t operand, int64_t p, int64_t q, Source from) const {
  const RowsRead all{uint32_t(intervals.rows(steps[s].colType(), q)), 1};
  if (!mayReadSome(s, from) || chunksOf(steps[s]).numSlices(p, q) > 1)
    return all;
  const RowsRead read = useful[from][s]->of(p, q, operandBytes(s, operand));
  return packsWhereWorth(s, from) && !isWorthPacking(read.rows, all.rows) ? all : read;
}

bool ChunkGrid::isSelective(uint32_t s, int64_t p, int64_t q, Source from) const {
  const ProgramStep step = steps[s];
  return mayReadSome(s, from) && step.operands().any([&](const Operand &of) {
    const bool isRead = from == Spilled ? schedule.isSpilled(of.tensor) : schedule.placement().isBelowHost(of.tensor);
    return of.isPerCol() && isRead && colsRead(s, of.index, p, q, from).rows < intervals.rows(step.colType(), q);
  });
}

//===----------------------------------------------------------------------===//
// Sums over all chunks
//===----------------------------------------------------------------------===//

/// Whole intervals or chunks, which are the same rows in the file below.
OpTotals ChunkGrid::ofTable(const OpTemplate &op, uint64_t rows) const {
  OpTotals totals;
  totals.bytes = rows * rowSizes[op.tensor];
  totals.bytesBelow = schedule.isBelowHost(op) ? totals.bytes : 0;
  return totals;
}

OpTotals ChunkGrid::ofCols(const OpTemplate &op) const {
  const ProgramStep step = steps[op.step];
  const Chunks &chunks = chunksOf(step);
  const size_t rowBytes = rowSizes[op.tensor];
  auto sumsOf = [&](Source from) {
    auto sum = [&] {
      UsefulRows::Sums sums;
      for (int64_t p = 0; p < intervals.count(step.rowType()); ++p)
        for (int64_t q : chunks.met(p))
          if (chunks.hasEdges(p, q)) {
            const RowsRead rows = colsRead(op.step, op.operand, p, q, from);
            sums.rows += rows.rows;
            sums.seeks += rows.ranges - 1;
          }
      return sums;
    };
    const std::shared_ptr<const UsefulRows> &of = useful[from][op.step];
    return of ? of->sumsFor({rowBytes, chunks.edgesOfBefore(1), packsWhereWorth(op.step, from)}, sum)
              : UsefulRows::Sums{chunks.ofSweep().colRows, 0};
  };
  const UsefulRows::Sums sums = sumsOf(Spilled),
                         below = schedule.isBelowHost(op) ? sumsOf(BelowHost) : UsefulRows::Sums();
  OpTotals totals;
  totals.bytes = sums.rows * rowBytes;
  totals.bytesBelow = below.rows * rowBytes;
  totals.passedOver = (chunks.ofSweep().colRows - sums.rows) * rowBytes;
  totals.seeks = sums.seeks + below.seeks;
  totals.isPacked = mayBePacked(op.step) && sums.rows < chunks.ofSweep().colRows;
  return totals;
}

/// Those that are copied to an engine that has memory of its own.
uint64_t ChunkGrid::numIds(const Stage &stage, const OpTemplate &op) const {
  if (!schedule.placement().isForDevice())
    return 0;
  if (op.per == Per::Interval)
    return uint64_t(binding.rows(stage.type));
  const ProgramStep step = steps[op.step];
  uint64_t count = 0;
  for (int64_t p = 0; p < intervals.count(step.rowType()); ++p)
    for (int64_t q : chunksOf(step).met(p))
      count += uint64_t(intervals.rows(step.colType(), q));
  return count;
}

OpTotals ChunkGrid::totals(const Stage &stage, const OpTemplate &op) const {
  const ProgramStep step = steps[op.step];
  OpTotals totals;
  switch (op.kind) {
  case OpKind::MakeIds:
    totals.bytes = numIds(stage, op) * sizeof(int64_t);
    return totals;
  case OpKind::Gather: // all rows, whichever of them the pairs end at: these are others in each run
    return ofTable(op, op.home == Tier::Engine ? 0 : uint64_t(binding.rows(step.colType())));
  case OpKind::ReadTable:
  case OpKind::WriteTable:
    return op.extent == Extent::Rows    ? ofTable(op, uint64_t(binding.rows(stage.type)))
           : op.extent == Extent::Edges ? ofTable(op, uint64_t(binding.relation(step->relation).numEdges()))
                                        : ofCols(op);
  case OpKind::ReadEdges:
    totals.bytes = chunksOf(step).ofSweep().bytes;
    if (schedule.isBelowHost(op))
      totals.bytesBelow = chunksOf(step).ofSweep().bytesInFile;
    return totals;
  case OpKind::Compute:
    totals.calls = op.per == Per::Slice ? chunksOf(step).ofSweep().slices : uint64_t(intervals.count(stage.type));
    return totals;
  case OpKind::Fold:
    return totals;
  }
  return totals;
}

} // namespace gnn::rt
