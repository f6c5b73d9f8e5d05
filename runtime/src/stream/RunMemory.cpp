//===- RunMemory.cpp - Places in the memory of a streamed run -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/RunMemory.h"

#include <algorithm>

namespace gnn::rt {

size_t bytesOfIds(const SpilledData &data, bool inPieces, int64_t rows) {
  return inPieces != data.file().isMemory() ? wholeLines(size_t(rows) * sizeof(int64_t)) : 0;
}

namespace {

bool makesIds(const Stage &stage, Per per, uint32_t step) {
  return std::any_of(stage.ops.begin(), stage.ops.end(), [&](const OpTemplate &op) {
    return op.kind == OpKind::MakeIds && op.per == per && op.step == step;
  });
}

class RunPlacer : StreamedProgram {
public:
  RunPlacer(const StreamedProgram &streamed, const StageSchedule &schedule, const ChunkGrid &grid,
            const Prepared &prepared, const RunTraffic &traffic)
      : StreamedProgram(streamed), schedule(schedule), grid(grid), prepared(prepared), traffic(traffic) {}

  RunMemory place() {
    memory.steps.resize(steps.size());
    for (uint32_t s = 0; s < steps.size(); ++s)
      memory.steps[s].makesColIds = makesIds(schedule.stageOf(s), Per::Chunk, s);
    placeRings();
    placeGathered();
    placeTensors();
    placeTotals();
    return std::move(memory);
  }

private:
  /// Of the stage that takes the most; the others lie there too.
  size_t placeRows() {
    size_t most = 0;
    for (const Stage &stage : schedule.stages()) {
      RunMemory::OfStage &of = memory.stages.emplace_back();
      const int64_t rows = intervals.most(stage.type);
      for (const OpTemplate &op : stage.ops)
        if (op.movesTable() && op.per == Per::Interval) {
          of.rowsAt[op.tensor] = of.rowIdsAt;
          of.rowIdsAt += wholeLines(size_t(rows) * grid.rowBytes(op.tensor));
        }
      of.makesRowIds = makesIds(stage, Per::Interval, stage.first);
      of.rowPiece = of.rowIdsAt + (of.makesRowIds ? bytesOfIds(data, /*inPieces=*/true, rows) : 0);
      most = std::max(most, of.rowPiece);
    }
    return most;
  }

  size_t stateBytes(uint32_t s) const {
    const ProgramStep step = steps[s];
    const bool isInParts = schedule.isInChunks(s) && (intervals.count(step.colType()) > 1 || grid.isInSlices(s));
    return isInParts ? wholeLines(size_t(intervals.most(step.rowType())) * prepared.stateBytes(s)) : 0;
  }

  /// An interval of the widest table that is in the file.
  size_t mostToGather(uint32_t s) const {
    const ProgramStep step = steps[s];
    size_t widest = 0;
    for (const Operand operand : step.operands())
      if (operand.isPerCol() && schedule.isSpilled(operand.tensor))
        widest = std::max(widest, grid.rowBytes(operand.tensor));
    return wholeLines(size_t(intervals.most(step.colType())) * widest);
  }

  size_t mostCols() {
    size_t most = 0;
    for (uint32_t s = 0; s < steps.size(); ++s) {
      const ProgramStep step = steps[s];
      const int64_t rows = step.isSweep() ? intervals.most(step.colType()) : 0;
      if (isOfPairs(s))
        most = std::max(most, memory.steps[s].mostToGather = mostToGather(s));
      else if (schedule.isInChunks(s))
        most =
            std::max<size_t>(most, bytesOfTables(grid, schedule.stageOf(s), Per::Chunk, s, rows, grid.mostEdges(step)) +
                                       (memory.steps[s].makesColIds ? bytesOfIds(data, /*inPieces=*/true, rows) : 0));
    }
    return most;
  }

  size_t mostEdges() const {
    size_t most = 0;
    for (uint32_t s = 0; s < steps.size(); ++s) {
      const ProgramStep step = steps[s];
      if (!schedule.isInChunks(s))
        continue;
      const DirectedEdges edges{step->relation, step->direction};
      most = std::max(
          most, SliceFormat(binding.relation(step->relation), data.edgeNeeds(edges))
                    .slotBytes(intervals.most(step.rowType()), std::min(grid.mostEdges(step), data.sliceEdges(edges))));
    }
    return wholeLines(most);
  }

  /// Gives rings, and the bytes that go through them in a run, of what is to be loaded ahead. First those whose pieces
  /// would not lie side by side: a ring of two pieces holds up the others, however few bytes go through it. Then so
  /// that each has as long a part of the run.
  void shareAhead(std::vector<std::pair<RingSize *, uint64_t>> rings) const {
    size_t left = data.aheadBytes();
    for (auto &[ring, through] : rings)
      if (const size_t more = ring->bytesToPack() - std::min(ring->bytesToPack(), ring->bytes()); more <= left) {
        ring->ahead = more;
        left -= more;
      }
    double part = 0, tooMuch = 1; // of a run
    auto moreFor = [](const RingSize &ring, uint64_t through, double ofRun) {
      return ring.isPacked() ? std::max(ofRun * double(through) - double(ring.bytes()), 0.0) : 0;
    };
    for (int halvings = 0; halvings < 40; ++halvings) {
      const double middle = (part + tooMuch) / 2;
      double bytes = 0;
      for (const auto &[ring, through] : rings)
        bytes += moreFor(*ring, through, middle);
      (bytes <= double(left) ? part : tooMuch) = middle;
    }
    for (auto &[ring, through] : rings)
      ring->ahead += size_t(moreFor(*ring, through, part)) / cacheLine * cacheLine;
  }

  /// Of edges the last slice stays, as the next one goes on where the edges of each row ended.
  void placeRings() {
    const unsigned halves = intervals.parts() > 1 ? 2 : 1;
    bool hasSlices = false;
    for (uint32_t s = 0; s < steps.size(); ++s)
      hasSlices = hasSlices || grid.isInSlices(s);
    RingSize rows{placeRows(), halves}, cols{mostCols(), halves}, edges{mostEdges(), hasSlices ? 2 : halves};
    if (!data.file().isMemory()) {
      rows.keepsLast = cols.keepsLast = false;
      edges.keepsLast = edges.most > 0;
      shareAhead(
          {{&rows, traffic.throughRows}, {&cols, traffic.throughCols}, {&edges, traffic.moved.read[Spill::Edges]}});
    }
    int64_t mostRows = 0;
    for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
      mostRows = std::max(mostRows, intervals.most(type));
    auto idsFor = [&](uint32_t need) {
      const bool areRead = steps.any([&](const ProgramStep &step) { return step.needs(need); });
      return areRead ? bytesOfIds(data, /*inPieces=*/false, mostRows) : 0;
    };
    auto add = [&](const RingSize &ring) -> RunMemory::Area {
      return {std::exchange(memory.bytes, memory.bytes + ring.bytes()), ring};
    };
    memory.rows = add(rows);
    memory.cols = add(cols);
    memory.edges = add(edges);
    memory.rowIds = add({idsFor(GNN_KERNEL_ROW_ID), halves});
    memory.colIds = add({idsFor(GNN_KERNEL_COL_ID), halves});
    memory.madeHere = (traffic.hasTablesBelow ? memory.rows : traffic.hasPacked ? memory.cols : memory.edges).offset;
  }

  void placeGathered() {
    auto add = [&](size_t bytes) { return std::exchange(memory.bytes, memory.bytes + wholeLines(bytes)); };
    for (uint32_t s = 0; s < steps.size(); ++s) {
      if (!isOfPairs(s))
        continue;
      const ProgramStep step = steps[s];
      RunMemory::OfStep &of = memory.steps[s];
      const int64_t all = binding.rows(step.colType());
      const auto rows = size_t(EdgeRows::mostTouched(binding.relation(step->relation).numEdges(), all));
      for (const Operand operand : step.operands())
        of.gathered.push_back(
            add(operand.isPerCol() ? rows * (grid.tableBytes(operand.tensor) / std::max<size_t>(size_t(all), 1)) : 0));
      of.gatheredIds = add(step.needs(GNN_KERNEL_COL_ID) ? rows * sizeof(int64_t) : 0);
    }
  }

  void placeTensors() {
    std::vector<PlannedTensor> tensors = temporariesOf(schedule, grid);
    const size_t count = tensors.size();
    for (uint32_t s = 0; s < steps.size(); ++s)
      tensors.push_back({UINT32_MAX, s, s, stateBytes(s) + wholeLines(prepared.roomBytes(s)), 0, false});
    std::vector<PlannedTensor *> all;
    for (PlannedTensor &tensor : tensors)
      all.push_back(&tensor);
    const size_t area = memory.bytes;
    memory.bytes += placeByLifeTime(all);
    for (size_t i = 0; i < count; ++i)
      memory.ofRun[tensors[i].tensor] = area + tensors[i].offset;
    for (uint32_t s = 0; s < steps.size(); ++s) {
      memory.steps[s].states = area + tensors[count + s].offset;
      memory.steps[s].room = memory.steps[s].states + stateBytes(s);
    }
  }

  void placeTotals() {
    Totals found = totalsOf(schedule, grid);
    for (size_t k = 0; k < found.ofStages.size(); ++k) {
      memory.stages[k].totals = std::move(found.ofStages[k]);
      for (TotalParts &total : memory.stages[k].totals)
        total.offset += memory.bytes;
    }
    memory.bytes += found.bytes;
  }

  const StageSchedule &schedule;
  const ChunkGrid &grid;
  const Prepared &prepared;
  const RunTraffic &traffic;
  RunMemory memory;
};

} // namespace

RunMemory placeRun(const StreamedProgram &streamed, const StageSchedule &schedule, const ChunkGrid &grid,
                   const Prepared &prepared, const RunTraffic &traffic) {
  return RunPlacer(streamed, schedule, grid, prepared, traffic).place();
}

} // namespace gnn::rt
