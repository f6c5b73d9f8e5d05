//===- RegisterStates.cpp - States in registers ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/StateHomes.h"

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
void RegisterStates::readEdge(const Parts &parts) {
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

/// Folds the edges from `from` to `to`, of one segment, into the states of `parts`, which are carried as `Parts` says.
SmallVector<Value> RegisterStates::foldParts(const Parts &parts, Value from, Value to, ValueRange carried) {
  const unsigned numWhole = values.partTypes(parts.whole).size();
  auto fold = [&](ValueRange state) {
    SmallVector<Value> entries = llvm::to_vector(state.drop_front(numWhole));
    values.exchangeEntries(parts.selected, entries);
    SmallVector<Value> next = values.stepParts(parts.whole, state.take_front(numWhole));
    for (auto [index, part] : llvm::enumerate(parts.selected))
      next.append(sweep.stepState(part.reduction, part.point, values.stateOf(parts.selected, index, entries)));
    next.append(entries.end() - layout.selectors.size(), entries.end());
    sweep.stepPlan.emit(fields, Rate::Edge, sweep.edgeSinks());
    return next;
  };
  return sweep.edges.fold(from, to, carried, {[&] { readEdge(parts); }, fold});
}

/// Folds the edges of the row into the segment states of `parts`; gives those of the whole ones.
SmallVector<Value> RegisterStates::sweepParts(const Parts &parts) {
  ArrayRef<Part> whole = parts.whole, selected = parts.selected;
  SmallVector<Value> carried = b.branch(
      call.isFirst, values.partTypes(whole), [&] { return values.identities(whole); },
      [&] {
        SmallVector<Value> all;
        StateMemory total = sweep.spilledTotal(), spilled = sweep.spilledSegment();
        b.branch(
            row.startsWithTotal,
            [&] {
              syncDealt(); // other threads may still read the totals of the row before
              for (const Part &part : whole)
                states.store(sweep.totals, part.reduction, part.point, states.load(total, part.reduction, part.point));
              syncDealt();
            },
            [] {});
        for (const Part &part : whole)
          all.append(states.load(spilled, part.reduction, part.point));
        return all;
      });
  const unsigned numWhole = carried.size();
  auto eachEntry = [&](MemoryStates::Walk, auto body) { values.forEachEntry(selected, body); };
  values.addFreshEntries(selected, carried);
  sweep.stepSegments(
      carried, [&](Value from, Value to, ValueRange before) { return foldParts(parts, from, to, before); },
      [&](ValueRange folded, Value hadTotal) {
        SmallVector<Value> total = closeParts(whole, folded.take_front(numWhole), hadTotal);
        syncDealt();
        for (auto [index, part] : llvm::enumerate(whole))
          states.store(sweep.totals, part.reduction, part.point, values.stateOf(whole, index, total));
        syncDealt();
        values.storeEntries(selected, folded.drop_front(numWhole));
        memory.closeSegment(eachEntry, hadTotal);
        SmallVector<Value> fresh = values.identities(whole);
        values.addFreshEntries(selected, fresh);
        return fresh;
      });
  values.storeEntries(selected, ValueRange(carried).drop_front(numWhole));
  carried.truncate(numWhole);
  return carried;
}

/// The total that ends with `segment`.
SmallVector<Value> RegisterStates::closeParts(ArrayRef<Part> parts, ValueRange segment, Value hadTotal) {
  return b.branch(
      hadTotal, segment.getTypes(),
      [&] {
        SmallVector<Value> all;
        for (const Part &part : parts) {
          auto total = [&](unsigned reduction, const Point &point) {
            return states.load(sweep.totals, reduction, point);
          };
          auto last = [&](unsigned reduction, const Point &point) {
            return values.partState(parts, segment, reduction, point);
          };
          all.append(states.merge(part.reduction, part.point, total, last));
        }
        return all;
      },
      [&] { return llvm::to_vector(segment); });
}

/// The states of a row that ends here: its total, to which its last segment may still have to be added, or its one
/// segment.
SmallVector<Value> RegisterStates::closedParts(ArrayRef<Part> parts, ValueRange segment) {
  if (!row.closesTotal)
    return closeParts(parts, segment, row.hasTotal);
  return b.branch(
      row.hasTotal, segment.getTypes(),
      [&] {
        SmallVector<Value> all;
        for (const Part &part : parts)
          all.append(states.load(sweep.totals, part.reduction, part.point));
        return all;
      },
      [&] { return llvm::to_vector(segment); });
}

void RegisterStates::spillParts(ArrayRef<Part> parts, ValueRange segment) {
  StateMemory total = sweep.spilledTotal(), spilled = sweep.spilledSegment();
  syncDealt();
  for (auto [index, part] : llvm::enumerate(parts))
    states.store(spilled, part.reduction, part.point, values.stateOf(parts, index, segment));
  b.branch(
      row.hasTotal,
      [&] {
        for (const Part &part : parts)
          states.store(total, part.reduction, part.point, states.load(sweep.totals, part.reduction, part.point));
      },
      [&] {
        b.branch(
            call.hasEveryTotal,
            [&] {
              for (const Part &part : parts)
                states.store(total, part.reduction, part.point,
                             states.identity(layout.reductions[part.reduction], part.point));
            },
            [] {});
      });
}

/// Makes the results of `parts` known to `end`. `closed`: the states of the whole ones.
void RegisterStates::bindClosed(const Parts &parts, ValueRange closed) {
  struct Results {
    SmallVector<Point> points;
    SmallVector<Value> values, args;
  };
  std::vector<Results> results(layout.reductions.size());
  auto state = [&](unsigned reduction, const Point &point) {
    return values.partState(parts.whole, closed, reduction, point);
  };
  for (const Part &part : parts.whole) {
    if (!plan.smallEnd && !plan.endInTiles) {
      sweep.storeFinished(part.reduction, part.point, state);
      continue;
    }
    SmallVector<Value> result = states.finish(part.reduction, part.point, state);
    results[part.reduction].points.push_back(part.point);
    results[part.reduction].values.push_back(result[0]);
    if (result.size() > 1)
      results[part.reduction].args.push_back(result[1]);
  }
  for (auto [reduction, result] : llvm::zip_equal(layout.reductions, results)) {
    if (result.points.empty())
      continue;
    fields.bind(reduction.result, result.points, result.values);
    if (reduction.keepsArg)
      fields.bind(kernel.getEnd().getArgument(cast<BlockArgument>(reduction.result).getArgNumber() + 1), result.points,
                  result.args);
  }
  if (!plan.endInTiles)
    sweep.bindFinished();
}

/// Folds the edges of a row into registers for the points that `pointsOf` gives of each reduction, and spills what they
/// hold or hands it, closed, to `finish`.
void RegisterStates::reduceParts(llvm::function_ref<SmallVector<Point>(FieldType)> pointsOf,
                                 llvm::function_ref<void(const Parts &, ValueRange)> finish) {
  const Parts parts = values.partsOf(pointsOf);
  SmallVector<Value> segment = sweepParts(parts);
  auto eachEntry = [&](MemoryStates::Walk, auto body) { values.forEachEntry(parts.selected, body); };
  b.branch(
      row.isLast,
      [&] {
        memory.finish(eachEntry);
        finish(parts, closedParts(parts.whole, segment));
      },
      [&] {
        spillParts(parts.whole, segment);
        memory.spill(eachEntry);
      });
}

void RegisterStates::sweepRow() {
  const bool endsAfterParts = fields.points.isInParts() && !plan.smallEnd;
  fields.points.forEachPart([&] {
    reduceParts([&](FieldType type) { return fields.points.all(type); },
                [&](const Parts &parts, ValueRange closed) {
                  bindClosed(parts, closed);
                  if (!endsAfterParts)
                    sweep.emitEnd();
                });
  });
  if (endsAfterParts)
    b.branch(
        row.isLast,
        [&] {
          sweep.bindFinished();
          sweep.emitEnd();
        },
        [] {});
}

} // namespace gnnc
