//===- SweepTotals.cpp - Sweeps that fold edges into tables ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edges of a row are sorted by type: those with the same number follow each other. Such a run is folded by itself, from
// the identity, and ends with the segment; then it is folded into its entry of the slot. So what an edge costs does not
// depend on how many entries there are. Edges with no entry count in a spare one, the last of the slot.
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/EdgeLoop.h"
#include "gnn/program.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

namespace {

class TotalsEmitter : KernelEmitter {
public:
  TotalsEmitter(star::KernelOp kernel, KernelFunction &function)
      : KernelEmitter(kernel, function), contribute(kernel.getContribute()),
        plan(planTotals(kernel, function.machine())), edges(*this, plan), stepPlan(RegionPlan::ofStep(kernel)) {}

  void emit() {
    for (unsigned i = 0; i < kernel.getOutputs().size(); ++i)
      addFold(i);
    bindInputs(kernel.getStep(), star::Access::Whole, b.constant(0));
    stepPlan.emit(fields, Rate::Call, {});
    function.threads.forEachRows(Threads::Rows::InLongSlots, [&](Index from, Index to, Index step, Index slot) {
      placeSlots(slot);
      for (const Fold &fold : folds)
        fields.points.forEachPoint(fold.contributed, /*scalar=*/false,
                                   [&](const Point &point) { resetRun(fold, point); });
      b.forLoop(from, to, step, [&](Value row) { emitRow(row); });
    });
  }

private:
  /// One total: the run at hand, and the table that it belongs to.
  struct Fold {
    AggregatorInterface aggregator;
    Value value, filter;
    FieldType type, contributed;
    unsigned selector; // of `selectors`
    DimExpr offset;    // in the slot
    Memory run, table;
  };

  void addFold(unsigned index) {
    FieldType type = kernel.getOutput(index).getType(), contributed = entryType(type);
    const unsigned selector = selectorOf(selectors, contribute.getBy(index), type.getDim(0));
    Memory run =
        function.buffer(contributed.getNumElements(), type.getElement(), /*ofThread=*/contributed.getRank() == 0);
    folds.push_back({kernel.getAggregator(index), contribute.getValues()[index], contribute.getFilter(index), type,
                     contributed, selector, totalOffset(kernel, index), run, Memory()});
  }

  void placeSlots(Index slot) {
    Value bytes = function.array("state", b.i8());
    Index start = b.mul(slot, function.extent(totalsBytes(kernel)));
    for (Fold &fold : folds) {
      DimExpr withSpare = *fold.type.getNumElements().add(fold.contributed.getNumElements());
      Value count = b.value(function.extent(withSpare));
      Value at = b.value(b.add(start, function.extent(fold.offset)));
      MemRefType type = function.memoryType(fold.type.getElement());
      fold.table = {b.create<memref::ViewOp>(type, bytes, at, ValueRange{count}), b.constant(0)};
    }
  }

  void emitRow(Value rowOfBlock) {
    Value row = fields.position.row = tableRow(rowOfBlock);
    bindInputs(kernel.getStep(), star::Access::Row, row);
    stepPlan.emit(fields, Rate::Row, {});
    Index first = edgeOf(rowOfBlock, "block.offsets"), end = edgeOf(rowOfBlock, "block.ends");
    Index length = b.constant(GNN_SEGMENT_LENGTH);
    Index intoSegment = b.rem(positionInRow(rowOfBlock), length);
    b.forLoop(b.sub(first, intoSegment), end, length, [&](Value start) {
      Value from = b.max(start, first);
      Value to = b.min(b.add(start, length), end);
      Values entries;
      for (const Selector &selector : selectors)
        entries.push_back(b.value(function.extent(selector.entries)));
      entries = edges.fold(from, to, entries, {[] {}, [&](ValueRange before) { return foldEdge(before); }});
      for (auto [selector, entry] : llvm::enumerate(entries))
        endRuns(selector, entry);
    });
  }

  /// Folds an edge into the runs; `before`, and what it gives, are the entries that these belong to.
  Values foldEdge(ValueRange before) {
    Values entries;
    for (auto [index, selector] : llvm::enumerate(selectors)) {
      entries.push_back(entryOf(fields, selector));
      Value differs = b.differ(entries.back(), before[index]);
      b.branch(differs, [&, index = index] { endRuns(index, before[index]); });
    }
    SmallVector<Sink> sinks;
    for (const Fold &fold : folds)
      sinks.push_back({fold.value, fold.contributed,
                       [this, &fold](const Point &point, Value value) { stepRun(fold, point, value); }, Value(),
                       fold.filter});
    stepPlan.emit(fields, Rate::Edge, sinks);
    return entries;
  }

  void stepRun(const Fold &fold, const Point &point, Value value) {
    Value before = fields.memory.load(fold.run, fold.type.getElement(), fold.contributed, point);
    Values next = step(fold.aggregator, before, value, Value(), fold.filter, plan.fusesProducts);
    fields.memory.store(fold.run, fold.contributed, point, next[0]);
  }

  void resetRun(const Fold &fold, const Point &point) {
    fields.memory.store(fold.run, fold.contributed, point,
                        fields.points.constant(fold.aggregator.getIdentity(fold.type.getElement())[0], point));
  }

  /// Folds the runs of a selector into their entry, and begins others.
  void endRuns(unsigned selector, Value entry) {
    function.threads.sync(); // other threads may have other elements of what an edge gives
    for (const Fold &fold : folds) {
      if (fold.selector != selector)
        continue;
      fields.points.forEachPoint(fold.contributed, /*scalar=*/false, [&](const Point &point) {
        auto update = [&] {
          const Point at = point.withCoord(0, entry);
          Type element = fold.type.getElement();
          Value left = fields.memory.load(fold.table, element, fold.type, at),
                right = fields.memory.load(fold.run, element, fold.contributed, point);
          fields.memory.store(fold.table, fold.type, at,
                              fold.aggregator.buildMerge(b.builder(), b.loc(), {left}, {right})[0]);
        };
        fold.contributed.getRank() == 0 ? function.threads.onFirstThread(update) : update();
        resetRun(fold, point);
      });
    }
    function.threads.sync();
  }

  star::ContributeOp contribute;
  const SweepPlan plan;
  EdgeLoop edges;
  RegionPlan stepPlan;
  std::vector<Fold> folds;
  std::vector<Selector> selectors;
};

} // namespace

void emitSweepTotals(star::KernelOp kernel, KernelFunction &function) { TotalsEmitter(kernel, function).emit(); }

} // namespace gnnc
