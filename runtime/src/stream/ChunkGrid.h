//===- ChunkGrid.h - Rows that the chunks of a program read -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_CHUNKGRID_H
#define GNN_STREAM_CHUNKGRID_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/stream/ScheduleSizes.h"

namespace gnn::rt {

/// The intervals of a binding's graph and the chunks of its edges.
class ChunkGrid : public Grid {
public:
  /// All arguments must outlive this. Chunks take their places in the file of `data` when they are asked for.
  ChunkGrid(const Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
            const StageSchedule &schedule, SpilledData &data);

  int64_t numIntervals(uint32_t vertexType) const override { return intervals.count(vertexType); }
  int64_t mostRows(uint32_t vertexType) const override { return intervals.most(vertexType); }
  int64_t mostEdges(const ProgramStep &sweep) const override { return data.counts().at(sweep->relation).most(); }
  size_t rowBytes(uint32_t tensor) const override { return rowSizes[tensor]; }
  uint64_t tableBytes(uint32_t tensor) const override {
    return uint64_t(binding.leadingExtent(library.tensor(tensor))) * rowSizes[tensor];
  }
  OpTotals totals(const Stage &stage, const OpTemplate &op) const override;

  /// Whether some chunk of a sweep has several slices.
  bool isInSlices(uint32_t step) const { return inSlices[step]; }

  /// Where cols are read from: the spill file, or the file below it.
  enum Source { Spilled, BelowHost };
  /// Rows of an operand by col that chunk (p, q) of a sweep reads.
  RowsRead colsRead(uint32_t step, uint32_t operand, int64_t p, int64_t q, Source from = Spilled) const;
  /// How many rows that no edge touches the chunk reads at most between two others.
  int64_t gapOf(uint32_t step, uint32_t operand, Source from = Spilled) const {
    return useful[from][step]->gapOf(operandBytes(step, operand));
  }
  /// True if chunk (p, q) reads only some rows of the interval, of one operand at least.
  bool isSelective(uint32_t step, int64_t p, int64_t q, Source from = Spilled) const;
  /// False if all chunks of a sweep read whole intervals.
  bool mayReadSome(uint32_t step, Source from) const { return useful[from][step] != nullptr; }
  /// True if an engine that has memory of its own is sent only the rows that chunk (p, q) needs: they lie there one
  /// after the other, and the cols of the chunk are numbered so.
  bool isPacked(uint32_t step, int64_t p, int64_t q) const { return mayBePacked(step) && isSelective(step, p, q); }
  /// False if no chunk of a sweep is.
  bool mayBePacked(uint32_t step) const { return schedule.placement().isForDevice() && mayReadSome(step, Spilled); }

private:
  size_t operandBytes(uint32_t step, uint32_t operand) const { return rowSizes[steps[step][operand].tensor]; }
  /// True if all rows are sent of a chunk where packing those that are needed is not worth it.
  bool packsWhereWorth(uint32_t step, Source from) const {
    return from == Spilled && mayBePacked(step) && !data.packsAll();
  }
  std::shared_ptr<const UsefulRows> findUseful(uint32_t step) const;
  std::shared_ptr<const UsefulRows> findUsefulBelow(uint32_t step) const;
  const Chunks &chunksOf(const ProgramStep &step) const { return data.chunks(step->relation, step->direction); }
  OpTotals ofTable(const OpTemplate &op, uint64_t rows) const;
  OpTotals ofCols(const OpTemplate &op) const;
  uint64_t numIds(const Stage &stage, const OpTemplate &op) const;

  const Library &library;
  const Binding &binding;
  const ProgramSteps steps;
  const StageSchedule &schedule;
  SpilledData &data;
  const Intervals &intervals;
  std::vector<size_t> rowSizes;                             // [tensors]
  std::vector<bool> inSlices;                               // [steps] found while the binding has its edges
  std::vector<std::shared_ptr<const UsefulRows>> useful[2]; // by Source, [steps] null: whole intervals are read
};

} // namespace gnn::rt

#endif // GNN_STREAM_CHUNKGRID_H
