//===- MemoryStates.cpp - States in memory --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/StateHomes.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// The elements of every state in memory, in a row, once what all threads did before is done; of softmax sums that look
/// up their normaliser, by dimension.
void MemoryStates::forEachState(ArrayRef<Part> parts, Walk walk, Body body) {
  if (!parts.empty())
    return values.forEachEntry(parts, body);
  llvm::SaveAndRestore<bool> unrolled(fields.points.unrolled, false);
  SmallVector<std::pair<FieldType, SmallVector<unsigned>>> loops;
  for (unsigned index : layout.mergeOrder) {
    const Reduction &reduction = layout.reductions[index];
    if (!sweep.isInMemory(reduction))
      continue;
    FieldType flat = reduction.type;
    if (flat.getRank() > 0 && (walk.together || !reduction.softmaxSum))
      flat = flat.withDims(b.builder().getStringAttr(flat.getNumElements().str()));
    auto same = llvm::find_if(loops, [&](const auto &loop) { return walk.together && loop.first == flat; });
    if (same == loops.end())
      same = loops.insert(same, {flat, {}});
    same->second.push_back(index);
  }
  function.threads.sync();
  for (const auto &[type, indices] : loops) {
    fields.points.forEachPoint(type, walk.scalar, [&, &indices = indices](const Point &point) {
      for (unsigned index : indices)
        body(index, point);
    });
    function.threads.sync(); // the next one may need this one as it is, and other threads may have other elements
  }
}

// Code that only rows of several segments or several blocks need goes element by element, which is less code with the
// same bits.

void MemoryStates::copy(ArrayRef<Part> parts, const StateMemory &from, const StateMemory &to) {
  forEachState(parts, {/*scalar=*/true, /*together=*/true},
               [&](unsigned index, const Point &point) { states.copy(from, to, index, point); });
}

void MemoryStates::reset(ArrayRef<Part> parts, const StateMemory &memory, bool scalar) {
  forEachState(parts, {scalar, /*together=*/true},
               [&](unsigned index, const Point &point) { states.reset(memory, index, point); });
}

void MemoryStates::start() {
  if (!sweep.anyInMemory())
    return;
  b.branch(
      call.isFirst, [&] { reset({}, sweep.segments, /*scalar=*/false); },
      [&] {
        StateMemory total = sweep.spilledTotal();
        b.branch(row.startsWithTotal, [&] { copy({}, total, sweep.totals); });
        copy({}, sweep.spilledSegment(), sweep.segments);
      });
}

void MemoryStates::closeStates(Value hadTotal, ArrayRef<Part> parts) {
  if (!sweep.anyInMemory())
    return;
  b.branch(
      hadTotal,
      [&] {
        forEachState(parts, {/*scalar=*/true, /*together=*/false}, [&](unsigned index, const Point &point) {
          states.store(sweep.totals, index, point, merged(index, point));
        });
      },
      [&] { copy(parts, sweep.segments, sweep.totals); });
  reset(parts, sweep.segments, /*scalar=*/true);
}

void MemoryStates::finishStates(ArrayRef<Part> parts) {
  if (!sweep.anyInMemory())
    return;
  auto finish = [&](bool scalar, StateAt state) {
    forEachState(parts, {scalar, /*together=*/false},
                 [&](unsigned index, const Point &point) { sweep.storeFinished(index, point, state); });
  };
  if (row.closesTotal) {
    // Its total, to which its last segment has been added, or its one segment.
    const StateMemory memory = states.choose(row.hasTotal, sweep.totals, sweep.segments,
                                             [&](const Reduction &of) { return sweep.isInMemory(of); });
    return finish(/*scalar=*/false, states.in(memory));
  }
  b.branch(
      row.hasTotal, [&] { finish(/*scalar=*/true, [&](unsigned of, const Point &at) { return merged(of, at); }); },
      [&] { finish(/*scalar=*/false, states.in(sweep.segments)); });
}

void MemoryStates::spillStates(ArrayRef<Part> parts) {
  if (!sweep.anyInMemory())
    return;
  StateMemory total = sweep.spilledTotal();
  copy(parts, sweep.segments, sweep.spilledSegment());
  sweep.spillTotal([&] { copy(parts, sweep.totals, total); }, [&] { reset(parts, total, /*scalar=*/true); });
}

SmallVector<Sink> MemoryStates::stepSinks() {
  SmallVector<Sink> sinks = sweep.edgeSinks();
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    Index entry = reduction.selector ? Index(entryOf(fields, layout.selectors[*reduction.selector])) : Index();
    // All threads have the one number of an edge, but share the states of its entries.
    bool isOfOne = reduction.selector && reduction.contributed.getRank() == 0;
    auto put = [this, index = index, entry, isOfOne](const Point &point, Value) {
      Point at = entry ? point.withCoord(0, entry) : point;
      auto update = [&] {
        states.store(sweep.segments, index, at, sweep.stepState(index, point, states.load(sweep.segments, index, at)));
      };
      isOfOne ? function.threads.onFirstThread(update) : update();
    };
    sinks.push_back({sweep.contributed(index), reduction.contributed, put, Value(), sweep.contribute.getFilter(index)});
  }
  return sinks;
}

/// Folds edges of one segment into the states in memory: in the first version that the sizes of the model allow.
Values MemoryStates::fold(Value, Value from, Value to, ValueRange) {
  std::function<void(ArrayRef<Bounds>)> choose = [&](ArrayRef<Bounds> left) {
    if (left.empty()) {
      llvm::SaveAndRestore<int64_t> several(fields.points.vectorsAtOnce, 4);
      auto step = [&](ValueRange) {
        sweep.stepPlan.emit(fields, Rate::Edge, stepSinks());
        return Values();
      };
      sweep.edges.fold(from, to, {}, {[] {}, step});
      return;
    }
    Value isWithin = b.at(0, [&]() -> Value {
      Value all;
      for (const auto &[dim, most] : left.front().dims) {
        Value holds = b.compare(arith::CmpIPredicate::ule, function.extent(dim), b.constant(most));
        all = all ? b.both(all, holds) : holds;
      }
      return all;
    });
    b.branch(
        isWithin, [&] { foldWithin(left.front(), from, to); }, [&] { choose(left.drop_front()); });
  };
  choose(plan.smallVersions);
  return {};
}

/// Folds edges of one segment, in registers, where no open dimension has more elements than `bounds` allow.
void MemoryStates::foldWithin(const Bounds &bounds, Value from, Value to) {
  llvm::SaveAndRestore<bool> unrolled(fields.points.unrolled, true);
  llvm::SaveAndRestore<Bounds> within(fields.points.bounds, bounds);
  llvm::SaveAndRestore<unsigned> outermost(fields.outermost, b.top());
  auto inMemory = fields.runningMax;
  const SmallVector<Part> parts = values.partsOf([&](FieldType type) { return fields.points.all(type); }).whole;
  Values carried = sweep.edges.fold(from, to, values.load(sweep.segments, parts),
                                    {[] {}, [&](ValueRange state) { return values.stepParts(parts, state); }});
  values.store(sweep.segments, parts, carried);
  fields.runningMax = inMemory;
}

Values MemoryStates::open() {
  fields.runningMax = [&](unsigned index, const Point &point) { return states.load(sweep.segments, index, point)[0]; };
  return {};
}

void MemoryStates::finish(ValueRange) {
  finishStates();
  sweep.bindFinished();
  sweep.emitEnd();
}

} // namespace gnnc
