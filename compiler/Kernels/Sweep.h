//===- Sweep.h - What all parts of a sweep share ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call, the row at hand, and its states in memory. The state of a reduction is (total, segment). The total is always
// in memory, and only there once a segment has ended (`hasTotal`): the rows that almost all are, shorter than a
// segment, never touch it.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_SWEEP_H
#define GNNC_KERNELS_SWEEP_H

#include "compiler/Kernels/EdgeLoop.h"

namespace gnnc {

struct SweepCall {
  mlir::Value isFirst, isLast, prefetches, hasEveryTotal;
  mlir::Value hasWholeRows; // whether no row is in pieces; null: none is known to be
};

struct SweepRow {
  mlir::Value isLast, startsWithTotal, hasTotal; // hasTotal: after its edges
  mlir::Value closesTotal; // whether it ends here with a total, to which all segments are added; null: that is later
  mlir::Value firstStart;  // where the segment of its first edge starts
  mlir::Value blockRow;    // its place in the block, which on devices is not that in the table
  Index firstEdge, endEdge;
};

class RowStates;

class Sweep : public KernelEmitter {
public:
  Sweep(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function);

  /// Whether the states of `reduction`, or those of entries that are not at hand, are in memory.
  bool isInMemory(const Reduction &reduction) const {
    return plan.states == StatePlace::Memory || plan.states == StatePlace::Panels || reduction.selector;
  }
  bool anyInMemory() const {
    return llvm::any_of(layout.reductions, [&](const Reduction &reduction) { return isInMemory(reduction); });
  }
  void allocate();
  StateMemory spilledTotal() { return states.spilledTotal("state", row.blockRow); }
  StateMemory spilledSegment() { return states.spilledSegment("state", row.blockRow); }
  /// The state of `reduction` at `point` after the edge at hand.
  Values stepState(unsigned reduction, const Point &point, mlir::ValueRange state);
  mlir::Value contributed(unsigned reduction);
  /// The results of the edge at hand.
  llvm::SmallVector<Sink> edgeSinks();
  /// Emits the edges of the row at hand, and what is done with its states then.
  void sweepRow(RowStates &ofRow);
  /// Emits what a row that goes on in another call does with its total: `copy`, or `reset` where each row has one.
  void spillTotal(llvm::function_ref<void()> copy, llvm::function_ref<void()> reset) {
    b.branch(row.hasTotal, copy, [&] { b.branch(call.hasEveryTotal, reset); });
  }
  void storeFinished(unsigned reduction, const Point &point, StateAt state);
  /// Makes the results of reductions that are in memory known to `end`.
  void bindFinished();
  void emitEnd();

  const StateLayout &layout;
  const SweepPlan plan;
  StateEmitter states;
  star::ContributeOp contribute;
  Values yielded;
  RegionPlan stepPlan, endPlan;
  EdgeLoop edges;
  SweepCall call;
  SweepRow row;
  StateMemory totals, segments;                          // of the row
  llvm::SmallVector<llvm::SmallVector<Memory>> finished; // by reduction: value and arg; nothing: in registers

private:
  mlir::Value endOfSegments();
};

/// How the states of a row are kept while its edges are folded, a segment at a time (`Sweep::sweepRow`).
class RowStates {
public:
  virtual ~RowStates() = default;
  /// The values that the loop over segments carries as the row begins.
  virtual Values open() { return {}; }
  /// Folds the edges from `from` to `to` of a segment. `isLater`: whether the call has another segment of the row
  /// before it; null where each segment is folded from what the loop carries.
  virtual Values fold(mlir::Value isLater, mlir::Value from, mlir::Value to, mlir::ValueRange carried) = 0;
  /// Adds a segment that has ended to the total, if the row had one; gives what the next segment begins with.
  virtual Values close(mlir::ValueRange segment, mlir::Value hadTotal) = 0;
  /// Puts the last segment, which may not have ended, where `finish` and `spill` expect it.
  virtual Values leave(Values segment) { return segment; }
  /// The results of a row that ends here.
  virtual void finish(mlir::ValueRange segment) = 0;
  /// Leaves the states to a later call.
  virtual void spill(mlir::ValueRange segment) = 0;
};

/// A part of the code of a sweep.
class SweepPart {
protected:
  explicit SweepPart(Sweep &sweep)
      : sweep(sweep), kernel(sweep.kernel), function(sweep.function), b(sweep.b), fields(sweep.fields),
        layout(sweep.layout), plan(sweep.plan), states(sweep.states), call(sweep.call), row(sweep.row) {}

  Sweep &sweep;
  star::KernelOp kernel;
  KernelFunction &function;
  LoopBuilder &b;
  FieldEmitter &fields;
  const StateLayout &layout;
  const SweepPlan &plan;
  StateEmitter &states;
  SweepCall &call;
  SweepRow &row;
};

} // namespace gnnc

#endif // GNNC_KERNELS_SWEEP_H
