//===- ScheduleSizes.cpp - Traffic and memory of a schedule ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/ScheduleSizes.h"

#include <algorithm>

namespace gnn::rt {

namespace {

void add(RunTraffic &traffic, const ProgramStep &step, const Placement &placement, const OpTemplate &op,
         const OpTotals &of) {
  traffic.calls += of.calls;
  traffic.passedOver += of.passedOver;
  traffic.seeks += of.seeks;
  traffic.hasPacked |= of.isPacked;
  const Spill::Kind kind =
      op.kind == OpKind::ReadEdges || op.kind == OpKind::MakeIds ? Spill::Edges : Spill::Tables; // ids go with edges
  const bool isWritten = op.kind == OpKind::WriteTable;
  (isWritten ? traffic.moved.written : traffic.moved.read)[kind] += of.bytes;
  (isWritten ? traffic.below.written : traffic.below.read)[kind] += of.bytesBelow;
  if (op.kind == OpKind::ReadEdges && !step.isSumOfEdges())
    traffic.ofEdges[{step->relation, step->direction}] += of.bytes;
  if (!op.movesTable() && (op.kind != OpKind::Gather || op.home == Tier::Engine))
    return;
  traffic.ofTables[op.tensor] += of.bytes;
  traffic.hasTablesBelow |= placement.isBelowHost(op.home);
  (op.per == Per::Interval ? traffic.throughRows : traffic.throughCols) += of.bytes + of.passedOver;
  if (op.movesTable() && op.extent == Extent::Cols) {
    traffic.cols += of.bytes;
    traffic.colsBelow += of.bytesBelow;
  }
}

} // namespace

RunTraffic trafficOf(const StageSchedule &schedule, const Grid &grid) {
  RunTraffic traffic;
  for (const Stage &stage : schedule.stages())
    for (const OpTemplate &op : stage.ops)
      add(traffic, schedule.steps[op.step], schedule.placement(), op, grid.totals(stage, op));
  return traffic;
}

uint64_t bytesOfTables(const Grid &grid, const Stage &stage, Per per, uint32_t step, int64_t vertices, int64_t edges,
                       uint32_t end) {
  uint64_t bytes = 0;
  for (const OpTemplate &op : stage.ops)
    if (op.movesTable() && op.per == per && op.step == step && op.operand < end)
      bytes += wholeLines(size_t(op.extent == Extent::Edges ? edges : vertices) * grid.rowBytes(op.tensor));
  return bytes;
}

std::vector<PlannedTensor> temporariesOf(const StageSchedule &schedule, const Grid &grid) {
  std::vector<PlannedTensor> found;
  for (const gnn_use_t &use : usesIn(schedule.program)) {
    if (use.first < 0 || use.last == int32_t(schedule.steps.size()))
      continue;
    const auto first = uint32_t(use.first), last = uint32_t(std::max(use.first, use.last));
    const Stage &stage = schedule.stageOf(first);
    if (!schedule.isSpilled(use.tensor))
      found.push_back(
          {use.tensor, stage.first, schedule.stageOf(last).end - 1, wholeLines(grid.tableBytes(use.tensor)), 0, false});
    else if (schedule.isTemporary(use))
      found.push_back({use.tensor, first, last,
                       wholeLines(size_t(grid.mostRows(stage.type)) * grid.rowBytes(use.tensor)), 0, false});
  }
  return found;
}

Totals totalsOf(const StageSchedule &schedule, const Grid &grid) {
  Totals totals;
  for (const Stage &stage : schedule.stages()) {
    std::vector<TotalParts> &found = totals.ofStages.emplace_back();
    const int64_t parts = grid.numIntervals(stage.type);
    size_t end = 0;
    for (const OpTemplate &op : stage.ops) {
      if (op.kind != OpKind::Fold || parts <= 1)
        continue;
      const ProgramStep step = schedule.steps[op.step];
      const size_t bytes = wholeLines(grid.tableBytes(op.tensor));
      const uint32_t fold =
          step.isProduct()
              ? uint32_t(GNN_FOLD_SUM)
              : step.kernel().total_folds[op.operand - step.kernel().num_operands + step.kernel().num_totals];
      found.push_back({op.step, op.operand, fold, end, bytes, op.per == Per::Interval});
      end = found.back().at(parts - 1) + bytes;
    }
    totals.bytes = std::max(totals.bytes, end);
  }
  return totals;
}

} // namespace gnn::rt
