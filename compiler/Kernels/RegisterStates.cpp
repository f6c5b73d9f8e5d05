//===- RegisterStates.cpp - States in registers ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/StateHomes.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// Between reads and writes of a row's states in memory, of which threads have some elements in common.
void RegisterStates::syncDealt() {
  if (fields.points.isDealt())
    function.threads.sync();
}

/// Asks for what the folds of the edge at hand need, where that does not depend on states. What is dealt out has no
/// branches between its edges: ptxas finds an order that takes fewer registers.
void RegisterStates::readEdge() {
  if (fields.points.isDealt() || !kernel.getStep().front().getOps<star::OnlineSoftmaxOp>().empty())
    return;
  for (const Selector &selector : layout.selectors)
    fields.element(selector.by, {});
  for (ArrayRef<Part> list : {ArrayRef(parts.whole), ArrayRef(parts.selected)})
    for (const Part &part : list) {
      fields.element(sweep.contribute.getValues()[part.reduction], part.point);
      if (Value filter = sweep.contribute.getFilter(part.reduction))
        fields.element(filter, {});
    }
  for (Value value : sweep.contribute.getEdges())
    for (const Point &point : fields.points.all(fieldType(value)))
      fields.element(value, point);
}

Values RegisterStates::fold(Value, Value from, Value to, ValueRange carried) {
  const unsigned numWhole = values.partTypes(parts.whole).size();
  auto foldEdge = [&](ValueRange state) {
    Values entries = llvm::to_vector(state.drop_front(numWhole));
    values.exchangeEntries(parts.selected, entries);
    Values next = values.stepParts(parts.whole, state.take_front(numWhole));
    next.append(values.stepEach(parts.selected, entries));
    next.append(entries.end() - layout.selectors.size(), entries.end());
    sweep.stepPlan.emit(fields, Rate::Edge, sweep.edgeSinks());
    return next;
  };
  return sweep.edges.fold(from, to, carried, {[&] { readEdge(); }, foldEdge});
}

Values RegisterStates::open() {
  Values carried = b.branch(
      call.isFirst, values.partTypes(parts.whole), [&] { return values.identities(parts.whole); },
      [&] {
        StateMemory total = sweep.spilledTotal(), spilled = sweep.spilledSegment();
        b.branch(row.startsWithTotal, [&] {
          syncDealt(); // other threads may still read the totals of the row before
          for (const Part &part : parts.whole)
            states.copy(total, sweep.totals, part.reduction, part.point);
          syncDealt();
        });
        return values.load(spilled, parts.whole);
      });
  values.addFreshEntries(parts.selected, carried);
  return carried;
}

Values RegisterStates::close(ValueRange segment, Value hadTotal) {
  const unsigned numWhole = values.partTypes(parts.whole).size();
  Values total = closeParts(segment.take_front(numWhole), hadTotal);
  syncDealt();
  values.store(sweep.totals, parts.whole, total);
  syncDealt();
  values.storeEntries(parts.selected, segment.drop_front(numWhole));
  memory.closeStates(hadTotal, parts.selected);
  Values fresh = values.identities(parts.whole);
  values.addFreshEntries(parts.selected, fresh);
  return fresh;
}

Values RegisterStates::leave(Values segment) {
  const unsigned numWhole = values.partTypes(parts.whole).size();
  values.storeEntries(parts.selected, ValueRange(segment).drop_front(numWhole));
  segment.truncate(numWhole);
  return segment;
}

/// The total that ends with `segment`.
Values RegisterStates::closeParts(ValueRange segment, Value hadTotal) {
  auto merged = [&] {
    Values all;
    for (const Part &part : parts.whole)
      all.append(states.merge(part.reduction, part.point, states.in(sweep.totals), in(segment)));
    return all;
  };
  return b.branch(hadTotal, merged, segment);
}

void RegisterStates::finish(ValueRange segment) {
  memory.finishStates(parts.selected);
  // The total, to which the last segment may still have to be added, or the one segment.
  auto total = [&] { return values.load(sweep.totals, parts.whole); };
  finishParts(row.closesTotal ? b.branch(row.hasTotal, total, segment) : closeParts(segment, row.hasTotal));
}

void RegisterStates::spill(ValueRange segment) {
  StateMemory total = sweep.spilledTotal(), spilled = sweep.spilledSegment();
  syncDealt();
  values.store(spilled, parts.whole, segment);
  sweep.spillTotal(
      [&] {
        for (const Part &part : parts.whole)
          states.copy(sweep.totals, total, part.reduction, part.point);
      },
      [&] {
        for (const Part &part : parts.whole)
          states.reset(total, part.reduction, part.point);
      });
  memory.spillStates(parts.selected);
}

void RegisterStates::bindClosed(ValueRange closed) {
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    SmallVector<Point> points;
    Values results, args;
    for (const Part &part : parts.whole) {
      if (part.reduction != index)
        continue;
      if (plan.end == EndPlace::Memory) {
        sweep.storeFinished(index, part.point, in(closed));
        continue;
      }
      Values result = states.finish(index, part.point, in(closed));
      points.push_back(part.point);
      results.push_back(result[0]);
      if (reduction.keepsArg)
        args.push_back(result[1]);
    }
    if (points.empty())
      continue;
    fields.bind(reduction.result, points, results);
    if (reduction.keepsArg)
      fields.bind(argOf(reduction.result), points, args);
  }
  if (plan.end != EndPlace::Tiles)
    sweep.bindFinished();
}

void RegisterStates::reduceParts(llvm::function_ref<SmallVector<Point>(FieldType)> pointsOf,
                                 llvm::function_ref<void(ValueRange)> finish) {
  parts = values.partsOf(pointsOf);
  finishParts = finish;
  sweep.sweepRow(*this);
}

void RegisterStates::sweepRow() {
  const bool endsAfterParts = fields.points.isInParts() && plan.end != EndPlace::Registers;
  fields.points.forEachPart([&] {
    reduceParts([&](FieldType type) { return fields.points.all(type); },
                [&](ValueRange closed) {
                  bindClosed(closed);
                  if (!endsAfterParts)
                    sweep.emitEnd();
                });
  });
  if (endsAfterParts)
    b.branch(row.isLast, [&] {
      sweep.bindFinished();
      sweep.emitEnd();
    });
}

} // namespace gnnc
