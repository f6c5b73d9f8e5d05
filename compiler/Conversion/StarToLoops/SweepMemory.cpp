//===- SweepMemory.cpp - Sweeps with states in memory ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States in buffers, updated by nests of loops inside the loop over edges.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// The elements of every state in memory, in a row, once what all threads did before is done; of softmax sums that look
/// up their normaliser, by dimension.
void SweepEmitter::forEachState(Walk walk, llvm::function_ref<void(unsigned, const Point &)> body) {
  llvm::SaveAndRestore<bool> unrolled(fields.points.unrolled, false);
  SmallVector<std::pair<FieldType, SmallVector<unsigned>>> loops;
  for (unsigned index : states.mergeOrder()) {
    const Reduction &reduction = layout.reductions[index];
    if (!isInMemory(reduction))
      continue;
    FieldType flat = reduction.type;
    if (flat.getRank() > 0 && (walk.together || !reduction.softmaxSum))
      flat = flat.withDims(b.builder().getStringAttr(flat.getNumElements().str()));
    auto same = llvm::find_if(loops, [&](const auto &loop) { return walk.together && loop.first == flat; });
    if (same == loops.end())
      same = loops.insert(same, {flat, {}});
    same->second.push_back(index);
  }
  function.syncGroup();
  for (const auto &[type, indices] : loops) {
    fields.points.forEachPoint(type, walk.scalar, [&, &indices = indices](const Point &point) {
      for (unsigned index : indices)
        body(index, point);
    });
    function.syncGroup(); // the next one may need this one as it is, and other threads may have other elements
  }
}

// Code that only rows of several segments or several blocks need goes element by element, which is less code with the
// same bits.

void SweepEmitter::copy(EachState each, const StateMemory &from, const StateMemory &to) {
  each({/*scalar=*/true, /*together=*/true},
       [&](unsigned index, const Point &point) { states.store(to, index, point, states.load(from, index, point)); });
}

void SweepEmitter::reset(EachState each, const StateMemory &memory, bool scalar) {
  each({scalar, /*together=*/true}, [&](unsigned index, const Point &point) {
    states.store(memory, index, point, states.identity(layout.reductions[index], point));
  });
}

SmallVector<Value> SweepEmitter::merged(unsigned reduction, const Point &point) {
  auto in = [&](const StateMemory &memory) {
    return [&](unsigned index, const Point &at) { return states.load(memory, index, at); };
  };
  return states.merge(reduction, point, in(totals), in(segments));
}

/// The states in memory at the start of a row.
void SweepEmitter::startMemory() {
  if (!anyInMemory)
    return;
  auto each = [&](Walk walk, auto body) { forEachState(walk, body); };
  b.branch(
      isFirst, [&] { reset(each, segments, /*scalar=*/false); },
      [&] {
        StateMemory total = spilledTotal();
        b.branch(
            startsWithTotal, [&] { copy(each, total, totals); }, [] {});
        copy(each, spilledSegment(), segments);
      });
}

void SweepEmitter::endSegmentInMemory(EachState each, Value hadTotal) {
  if (!anyInMemory)
    return;
  b.branch(
      hadTotal,
      [&] {
        each({/*scalar=*/true, /*together=*/false},
             [&](unsigned index, const Point &point) { states.store(totals, index, point, merged(index, point)); });
      },
      [&] { copy(each, segments, totals); });
  reset(each, segments, /*scalar=*/true);
}

/// A segment has room for entries that a total has not.
Value SweepEmitter::ofAnySize(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.hasStaticShape())
    return memref;
  auto any = MemRefType::get({ShapedType::kDynamic}, type.getElementType(), type.getLayout(), type.getMemorySpace());
  return b.create<memref::CastOp>(any, memref);
}

/// The states in memory of a row that ends here: its total, to which its last segment has been added, or its one
/// segment.
StateMemory SweepEmitter::closedStates() {
  StateMemory closed = segments;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    if (!isInMemory(reduction))
      continue;
    for (auto [memory, total] : llvm::zip_equal(closed[index], totals[index]))
      memory.memref = b.create<arith::SelectOp>(hasTotal, ofAnySize(total.memref), ofAnySize(memory.memref));
  }
  return closed;
}

void SweepEmitter::finishMemory(EachState each) {
  if (!anyInMemory)
    return;
  auto finish = [&](bool scalar, StateAt state) {
    each({scalar, /*together=*/false}, [&](unsigned index, const Point &point) { storeFinished(index, point, state); });
  };
  auto in = [&](const StateMemory &memory) {
    return [&](unsigned of, const Point &at) { return states.load(memory, of, at); };
  };
  if (closesTotal)
    return finish(/*scalar=*/false, in(closedStates()));
  b.branch(
      hasTotal, [&] { finish(/*scalar=*/true, [&](unsigned of, const Point &at) { return merged(of, at); }); },
      [&] { finish(/*scalar=*/false, in(segments)); });
}

void SweepEmitter::spillMemory(EachState each) {
  if (!anyInMemory)
    return;
  StateMemory total = spilledTotal();
  copy(each, segments, spilledSegment());
  b.branch(
      hasTotal, [&] { copy(each, totals, total); },
      [&] {
        b.branch(
            hasEveryTotal, [&] { reset(each, total, /*scalar=*/true); }, [] {});
      });
}

void SweepEmitter::storeFinished(unsigned reduction, const Point &point, StateAt state) {
  SmallVector<Value> values = states.finish(reduction, point, state);
  for (auto [memory, value] : llvm::zip_equal(finished[reduction], values))
    fields.memory.store(memory, layout.reductions[reduction].type, point, value);
}

void SweepEmitter::bindFinished() {
  for (auto [reduction, memories] : llvm::zip_equal(layout.reductions, finished))
    for (auto [index, memory] : llvm::enumerate(memories))
      fields.bind(kernel.getEnd().getArgument(cast<BlockArgument>(reduction.result).getArgNumber() + index), memory,
                  b.top());
}

/// The sinks of an edge: its results, and its steps of the states in memory.
SmallVector<Sink> SweepEmitter::stepSinks() {
  SmallVector<Sink> sinks = edgeSinks();
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    Index entry = reduction.selector ? Index(entryOf(*reduction.selector)) : Index();
    // All threads have the one number of an edge, but share the states of its entries.
    bool isOfOne = reduction.selector && reduction.contributed.getRank() == 0;
    sinks.push_back({contributed(index), reduction.contributed,
                     [this, index = index, entry, isOfOne](const Point &point, Value) {
                       Point at = stateAt(layout.reductions[index], point, entry);
                       auto update = [&] {
                         states.store(segments, index, at, stepState(index, point, states.load(segments, index, at)));
                       };
                       isOfOne ? function.onFirstThread(update) : update();
                     },
                     Value()});
  }
  return sinks;
}

void SweepEmitter::sweepInMemory() {
  fields.runningMax = [&](unsigned index, const Point &point) { return states.load(segments, index, point)[0]; };
  auto each = [&](Walk walk, auto body) { forEachState(walk, body); };
  SmallVector<Value> nothing;
  stepSegments(
      nothing,
      [&](Value from, Value to, ValueRange) {
        if (where == Where::Panels)
          b.forLoop(from, to, b.constant(panelEdges), [&](Value start) { foldPanel(start, to); });
        else
          foldInMemory(from, to);
        return SmallVector<Value>();
      },
      [&](ValueRange, Value hadTotal) {
        endSegmentInMemory(each, hadTotal);
        return SmallVector<Value>();
      });
  b.branch(
      isLast,
      [&] {
        finishMemory(each);
        bindFinished();
        emitEnd();
      },
      [&] { spillMemory(each); });
}

} // namespace gnnc
