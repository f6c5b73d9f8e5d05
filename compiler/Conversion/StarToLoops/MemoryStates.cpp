//===- MemoryStates.cpp - States in memory --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/StateHomes.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// The elements of every state in memory, in a row, once what all threads did before is done; of softmax sums that look
/// up their normaliser, by dimension.
void MemoryStates::forEachState(Walk walk, llvm::function_ref<void(unsigned, const Point &)> body) {
  llvm::SaveAndRestore<bool> unrolled(fields.points.unrolled, false);
  SmallVector<std::pair<FieldType, SmallVector<unsigned>>> loops;
  for (unsigned index : states.mergeOrder()) {
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

void MemoryStates::copy(EachState each, const StateMemory &from, const StateMemory &to) {
  each({/*scalar=*/true, /*together=*/true},
       [&](unsigned index, const Point &point) { states.store(to, index, point, states.load(from, index, point)); });
}

void MemoryStates::reset(EachState each, const StateMemory &memory, bool scalar) {
  each({scalar, /*together=*/true}, [&](unsigned index, const Point &point) {
    states.store(memory, index, point, states.identity(layout.reductions[index], point));
  });
}

SmallVector<Value> MemoryStates::merged(unsigned reduction, const Point &point) {
  auto in = [&](const StateMemory &memory) {
    return [&](unsigned index, const Point &at) { return states.load(memory, index, at); };
  };
  return states.merge(reduction, point, in(sweep.totals), in(sweep.segments));
}

/// The states in memory at the start of a row.
void MemoryStates::start() {
  if (!sweep.anyInMemory())
    return;
  auto each = [&](Walk walk, auto body) { forEachState(walk, body); };
  b.branch(
      call.isFirst, [&] { reset(each, sweep.segments, /*scalar=*/false); },
      [&] {
        StateMemory total = sweep.spilledTotal();
        b.branch(
            row.startsWithTotal, [&] { copy(each, total, sweep.totals); }, [] {});
        copy(each, sweep.spilledSegment(), sweep.segments);
      });
}

void MemoryStates::closeSegment(EachState each, Value hadTotal) {
  if (!sweep.anyInMemory())
    return;
  b.branch(
      hadTotal,
      [&] {
        each({/*scalar=*/true, /*together=*/false}, [&](unsigned index, const Point &point) {
          states.store(sweep.totals, index, point, merged(index, point));
        });
      },
      [&] { copy(each, sweep.segments, sweep.totals); });
  reset(each, sweep.segments, /*scalar=*/true);
}

/// A segment has room for entries that a total has not.
Value MemoryStates::ofAnySize(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.hasStaticShape())
    return memref;
  auto any = MemRefType::get({ShapedType::kDynamic}, type.getElementType(), type.getLayout(), type.getMemorySpace());
  return b.create<memref::CastOp>(any, memref);
}

/// The states in memory of a row that ends here: its total, to which its last segment has been added, or its one
/// segment.
StateMemory MemoryStates::closed() {
  StateMemory closed = sweep.segments;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    if (!sweep.isInMemory(reduction))
      continue;
    for (auto [memory, total] : llvm::zip_equal(closed[index], sweep.totals[index]))
      memory.memref = b.create<arith::SelectOp>(row.hasTotal, ofAnySize(total.memref), ofAnySize(memory.memref));
  }
  return closed;
}

void MemoryStates::finish(EachState each) {
  if (!sweep.anyInMemory())
    return;
  auto finish = [&](bool scalar, StateAt state) {
    each({scalar, /*together=*/false},
         [&](unsigned index, const Point &point) { sweep.storeFinished(index, point, state); });
  };
  auto in = [&](const StateMemory &memory) {
    return [&](unsigned of, const Point &at) { return states.load(memory, of, at); };
  };
  if (row.closesTotal)
    return finish(/*scalar=*/false, in(closed()));
  b.branch(
      row.hasTotal, [&] { finish(/*scalar=*/true, [&](unsigned of, const Point &at) { return merged(of, at); }); },
      [&] { finish(/*scalar=*/false, in(sweep.segments)); });
}

void MemoryStates::spill(EachState each) {
  if (!sweep.anyInMemory())
    return;
  StateMemory total = sweep.spilledTotal();
  copy(each, sweep.segments, sweep.spilledSegment());
  b.branch(
      row.hasTotal, [&] { copy(each, sweep.totals, total); },
      [&] {
        b.branch(
            call.hasEveryTotal, [&] { reset(each, total, /*scalar=*/true); }, [] {});
      });
}

/// The sinks of an edge: its results, and its steps of the states in memory.
SmallVector<Sink> MemoryStates::stepSinks() {
  SmallVector<Sink> sinks = sweep.edgeSinks();
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    Index entry = reduction.selector ? Index(values.entryOf(*reduction.selector)) : Index();
    // All threads have the one number of an edge, but share the states of its entries.
    bool isOfOne = reduction.selector && reduction.contributed.getRank() == 0;
    sinks.push_back({sweep.contributed(index), reduction.contributed,
                     [this, index = index, entry, isOfOne](const Point &point, Value) {
                       Point at = values.stateAt(layout.reductions[index], point, entry);
                       auto update = [&] {
                         states.store(sweep.segments, index, at,
                                      sweep.stepState(index, point, states.load(sweep.segments, index, at)));
                       };
                       isOfOne ? function.threads.onFirstThread(update) : update();
                     },
                     Value(), sweep.contribute.getFilter(index)});
  }
  return sinks;
}

/// Folds edges of one segment into the states in memory: in the first version that the sizes of the model allow.
void MemoryStates::foldEdges(Value from, Value to) {
  std::function<void(ArrayRef<Bounds>)> choose = [&](ArrayRef<Bounds> left) {
    if (left.empty()) {
      llvm::SaveAndRestore<int64_t> several(fields.points.vectorsAtOnce, 4);
      sweep.edges.fold(from, to, {},
                       {[] {},
                        [&](ValueRange) {
                          sweep.stepPlan.emit(fields, Rate::Edge, stepSinks());
                          return SmallVector<Value>();
                        }});
      return;
    }
    Value isWithin = b.at(0, [&]() -> Value {
      Value all;
      for (const auto &[dim, most] : left.front().dims) {
        Value holds = b.create<arith::CmpIOp>(arith::CmpIPredicate::ule, b.value(function.extent(dim)),
                                              b.value(b.constant(most)));
        all = all ? b.create<arith::AndIOp>(all, holds) : holds;
      }
      return all;
    });
    b.branch(
        isWithin, [&] { foldWithin(left.front(), from, to); }, [&] { choose(left.drop_front()); });
  };
  choose(plan.smallVersions);
}

/// Folds edges of one segment, in registers, where no open dimension has more elements than `bounds` allow.
void MemoryStates::foldWithin(const Bounds &bounds, Value from, Value to) {
  llvm::SaveAndRestore<bool> unrolled(fields.points.unrolled, true);
  llvm::SaveAndRestore<Bounds> within(fields.points.bounds, bounds);
  llvm::SaveAndRestore<unsigned> outermost(fields.outermost, b.top());
  auto inMemory = fields.runningMax;
  SmallVector<Part> parts;
  SmallVector<Value> carried;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions))
    for (const Point &point : fields.points.all(reduction.contributed)) {
      parts.push_back({unsigned(index), point});
      carried.append(states.load(sweep.segments, index, point));
    }
  carried =
      sweep.edges.fold(from, to, carried, {[] {}, [&](ValueRange state) { return values.stepParts(parts, state); }});
  for (auto [index, part] : llvm::enumerate(parts))
    states.store(sweep.segments, part.reduction, part.point, values.stateOf(parts, index, carried));
  fields.runningMax = inMemory;
}

void MemoryStates::sweepRow(llvm::function_ref<void(Value from, Value to)> foldEdges) {
  fields.runningMax = [&](unsigned index, const Point &point) { return states.load(sweep.segments, index, point)[0]; };
  auto each = [&](Walk walk, auto body) { forEachState(walk, body); };
  SmallVector<Value> nothing;
  sweep.stepSegments(
      nothing,
      [&](Value from, Value to, ValueRange) {
        foldEdges(from, to);
        return SmallVector<Value>();
      },
      [&](ValueRange, Value hadTotal) {
        closeSegment(each, hadTotal);
        return SmallVector<Value>();
      });
  b.branch(
      row.isLast,
      [&] {
        finish(each);
        sweep.bindFinished();
        sweep.emitEnd();
      },
      [&] { spill(each); });
}

} // namespace gnnc
