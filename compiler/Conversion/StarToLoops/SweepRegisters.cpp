//===- SweepRegisters.cpp - Sweeps with states in registers ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States as values that the loop over edges carries: all of them, or a tile at a time.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

ValueRange SweepEmitter::stateOf(ArrayRef<Part> parts, unsigned part, ValueRange values) const {
  unsigned start = 0;
  for (const Part &before : parts.take_front(part))
    start += layout.reductions[before.reduction].componentTypes.size();
  return values.slice(start, layout.reductions[parts[part].reduction].componentTypes.size());
}

/// The state of a reduction at one of the points of `parts`, or at one lane of one.
SmallVector<Value> SweepEmitter::partState(ArrayRef<Part> parts, ValueRange values, unsigned reduction,
                                           const Point &point) {
  for (auto [index, part] : llvm::enumerate(parts)) {
    if (part.reduction != reduction)
      continue;
    if (part.point == point)
      return llvm::to_vector(stateOf(parts, index, values));
    if (point.lanes || part.point.lanes == 0 || point.coords.empty() ||
        ArrayRef(part.point.coords).drop_back() != ArrayRef(point.coords).drop_back())
      continue;
    int64_t lane = *known(point.coords.back()) - *known(part.point.coords.back());
    if (lane < 0 || lane >= part.point.lanes)
      continue;
    return llvm::map_to_vector(stateOf(parts, index, values),
                               [&](Value component) -> Value { return b.create<vector::ExtractOp>(component, lane); });
  }
  llvm_unreachable("a state that no part holds");
}

SmallVector<Type> SweepEmitter::partTypes(ArrayRef<Part> parts) const {
  SmallVector<Type> types;
  for (const Part &part : parts)
    for (Type component : layout.reductions[part.reduction].componentTypes)
      types.push_back(part.point.lanes ? Type(VectorType::get({part.point.lanes}, component)) : component);
  return types;
}

SmallVector<Value> SweepEmitter::identities(ArrayRef<Part> parts) {
  SmallVector<Value> all;
  for (const Part &part : parts)
    all.append(states.identity(layout.reductions[part.reduction], part.point));
  return all;
}

/// Between reads and writes of a row's states in memory, of which threads have some elements in common.
void SweepEmitter::syncDealt() {
  if (fields.points.isDealt())
    function.syncGroup();
}

/// The states of `parts` after the edge at hand.
SmallVector<Value> SweepEmitter::stepParts(ArrayRef<Part> parts, ValueRange before) {
  fields.runningMax = [&](unsigned reduction, const Point &point) {
    return partState(parts, before, reduction, point)[0];
  };
  SmallVector<Value> next;
  for (auto [index, part] : llvm::enumerate(parts))
    next.append(stepState(part.reduction, part.point, stateOf(parts, index, before)));
  return next;
}

/// Appends to the states of whole parts those of entries that no edge belongs to.
void SweepEmitter::addFreshEntries(ArrayRef<Part> selected, SmallVector<Value> &carried) {
  carried.append(identities(selected));
  for (const Selector &of : layout.selectors)
    carried.push_back(b.value(function.extent(of.entries)));
}

/// Folds the edges from `from` to `to`, of one segment, into the states of `parts`, which are carried as `Parts` says.
SmallVector<Value> SweepEmitter::foldParts(const Parts &parts, Value from, Value to, ValueRange carried) {
  const unsigned numWhole = partTypes(parts.whole).size();
  auto fold = [&](ValueRange state) {
    SmallVector<Value> entries = llvm::to_vector(state.drop_front(numWhole));
    exchangeEntries(parts.selected, entries);
    SmallVector<Value> next = stepParts(parts.whole, state.take_front(numWhole));
    for (auto [index, part] : llvm::enumerate(parts.selected))
      next.append(stepState(part.reduction, part.point, stateOf(parts.selected, index, entries)));
    next.append(entries.end() - layout.selectors.size(), entries.end());
    stepPlan.emit(fields, Rate::Edge, edgeSinks());
    return next;
  };
  return foldEdges(from, to, carried, {[&] { readEdge(parts); }, fold});
}

/// Folds the edges of the row into the segment states of `parts`; gives those of the whole ones.
SmallVector<Value> SweepEmitter::sweepParts(const Parts &parts) {
  ArrayRef<Part> whole = parts.whole, selected = parts.selected;
  SmallVector<Value> carried = b.branch(
      isFirst, partTypes(whole), [&] { return identities(whole); },
      [&] {
        SmallVector<Value> all;
        StateMemory total = spilledTotal(), spilled = spilledSegment();
        b.branch(
            startsWithTotal,
            [&] {
              syncDealt(); // other threads may still read the totals of the row before
              for (const Part &part : whole)
                states.store(totals, part.reduction, part.point, states.load(total, part.reduction, part.point));
              syncDealt();
            },
            [] {});
        for (const Part &part : whole)
          all.append(states.load(spilled, part.reduction, part.point));
        return all;
      });
  const unsigned numWhole = carried.size();
  auto eachEntry = [&](Walk, auto body) { forEachEntry(selected, body); };
  addFreshEntries(selected, carried);
  stepSegments(
      carried, [&](Value from, Value to, ValueRange before) { return foldParts(parts, from, to, before); },
      [&](ValueRange folded, Value hadTotal) {
        SmallVector<Value> total = closeParts(whole, folded.take_front(numWhole), hadTotal);
        syncDealt();
        for (auto [index, part] : llvm::enumerate(whole))
          states.store(totals, part.reduction, part.point, stateOf(whole, index, total));
        syncDealt();
        storeEntries(selected, folded.drop_front(numWhole));
        endSegmentInMemory(eachEntry, hadTotal);
        SmallVector<Value> fresh = identities(whole);
        addFreshEntries(selected, fresh);
        return fresh;
      });
  storeEntries(selected, ValueRange(carried).drop_front(numWhole));
  carried.truncate(numWhole);
  return carried;
}

/// The total that ends with `segment`.
SmallVector<Value> SweepEmitter::closeParts(ArrayRef<Part> parts, ValueRange segment, Value hadTotal) {
  return b.branch(
      hadTotal, segment.getTypes(),
      [&] {
        SmallVector<Value> all;
        for (const Part &part : parts) {
          auto total = [&](unsigned reduction, const Point &point) { return states.load(totals, reduction, point); };
          auto last = [&](unsigned reduction, const Point &point) {
            return partState(parts, segment, reduction, point);
          };
          all.append(states.merge(part.reduction, part.point, total, last));
        }
        return all;
      },
      [&] { return llvm::to_vector(segment); });
}

/// The states of a row that ends here: its total, to which its last segment may still have to be added, or its one
/// segment.
SmallVector<Value> SweepEmitter::closedParts(ArrayRef<Part> parts, ValueRange segment) {
  if (!closesTotal)
    return closeParts(parts, segment, hasTotal);
  return b.branch(
      hasTotal, segment.getTypes(),
      [&] {
        SmallVector<Value> all;
        for (const Part &part : parts)
          all.append(states.load(totals, part.reduction, part.point));
        return all;
      },
      [&] { return llvm::to_vector(segment); });
}

void SweepEmitter::spillParts(ArrayRef<Part> parts, ValueRange segment) {
  StateMemory total = spilledTotal(), spilled = spilledSegment();
  syncDealt();
  for (auto [index, part] : llvm::enumerate(parts))
    states.store(spilled, part.reduction, part.point, stateOf(parts, index, segment));
  b.branch(
      hasTotal,
      [&] {
        for (const Part &part : parts)
          states.store(total, part.reduction, part.point, states.load(totals, part.reduction, part.point));
      },
      [&] {
        b.branch(
            hasEveryTotal,
            [&] {
              for (const Part &part : parts)
                states.store(total, part.reduction, part.point,
                             states.identity(layout.reductions[part.reduction], part.point));
            },
            [] {});
      });
}

/// Makes the results of `parts` known to `end`. `closed`: the states of the whole ones.
void SweepEmitter::bindClosed(const Parts &parts, ValueRange closed) {
  struct Results {
    SmallVector<Point> points;
    SmallVector<Value> values, args;
  };
  std::vector<Results> results(layout.reductions.size());
  auto state = [&](unsigned reduction, const Point &point) { return partState(parts.whole, closed, reduction, point); };
  for (const Part &part : parts.whole) {
    if (!smallEnd && !endInTiles) {
      storeFinished(part.reduction, part.point, state);
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
  if (!endInTiles)
    bindFinished();
}

/// The parts of all reductions at the points that `pointsOf` gives of each.
SweepEmitter::Parts SweepEmitter::partsOf(llvm::function_ref<SmallVector<Point>(FieldType)> pointsOf) {
  Parts parts;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions))
    for (const Point &point : pointsOf(reduction.contributed))
      (reduction.selector ? parts.selected : parts.whole).push_back({unsigned(index), point});
  return parts;
}

/// Folds the edges of a row into registers for the points that `pointsOf` gives of each reduction, and spills what they
/// hold or hands it, closed, to `finish`.
void SweepEmitter::reduceParts(llvm::function_ref<SmallVector<Point>(FieldType)> pointsOf,
                               llvm::function_ref<void(const Parts &, ValueRange)> finish) {
  const Parts parts = partsOf(pointsOf);
  SmallVector<Value> segment = sweepParts(parts);
  auto eachEntry = [&](Walk, auto body) { forEachEntry(parts.selected, body); };
  b.branch(
      isLast,
      [&] {
        finishMemory(eachEntry);
        finish(parts, closedParts(parts.whole, segment));
      },
      [&] {
        spillParts(parts.whole, segment);
        spillMemory(eachEntry);
      });
}

void SweepEmitter::sweepInRegisters() {
  const bool endsAfterParts = fields.points.isInParts() && !smallEnd;
  fields.points.forEachPart([&] {
    reduceParts([&](FieldType type) { return fields.points.all(type); },
                [&](const Parts &parts, ValueRange closed) {
                  bindClosed(parts, closed);
                  if (!endsAfterParts)
                    emitEnd();
                });
  });
  if (endsAfterParts)
    endTiles();
}

} // namespace gnnc
