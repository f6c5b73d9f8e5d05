//===- SweepSegments.cpp - Sweeps in tiles, a segment after the other -----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On a processor the loop over the segments of a row is around its tiles. Almost all rows begin and end in one segment
// of one call: a tile has their states in registers from the first edge to the end, and touches no other memory. Of
// other rows a tile leaves its states in memory after each segment. What is to be done with those is the same for all
// tiles, and there once, in loops over vectors.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"
#include "gnn/program.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// Calls `body` in a loop over what all tiles have: vectors, or single elements where there are no masks.
void SweepEmitter::forEachVector(llvm::function_ref<void(const Point &)> body) {
  FieldType type = layout.reductions[0].contributed;
  auto [from, end] = lastDimension();
  const bool scalar = !function.machine().hasMasks;
  forEachOuter([&, from = from, end = end](ArrayRef<Index> outer) {
    b.forLoop(from, end, b.constant(scalar ? 1 : fields.points.lanes(type)), [&](Value iv) {
      SmallVector<Index, 3> coords(outer.begin(), outer.end());
      coords.push_back(iv);
      body(scalar ? Point{coords, 0} : fields.points.tile(type, coords, 1, /*masked=*/true)[0]);
    });
  });
}

/// Calls `body` for every vector of every reduction whose states tiles carry from one segment to the next.
void SweepEmitter::forEachTileState(llvm::function_ref<void(unsigned reduction, const Point &point)> body) {
  forEachVector([&](const Point &point) {
    for (auto [index, reduction] : llvm::enumerate(layout.reductions))
      if (!isInMemory(reduction))
        body(index, point);
  });
}

/// Where the states of an unfinished segment are: that the row goes on with in another call, or the call's own.
StateMemory SweepEmitter::openSegment() {
  StateMemory memory = spilledSegment();
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    if (isInMemory(reduction))
      continue;
    for (auto [open, own] : llvm::zip_equal(memory[index], segments[index])) {
      Value here = own.memref;
      if (here.getType() != open.memref.getType())
        here = b.create<memref::CastOp>(open.memref.getType(), here);
      open.memref = b.create<arith::SelectOp>(isLast, here, open.memref);
    }
  }
  return memory;
}

/// Folds the edges of the segment at hand into a tile.
void SweepEmitter::foldTile(ArrayRef<Point> points, const Parts &parts) {
  SmallVector<Value> carried = b.branch(
      segment.isFresh, partTypes(parts.whole), [&] { return identities(parts.whole); },
      [&] {
        SmallVector<Value> all;
        StateMemory spilled = spilledSegment();
        for (const Part &part : parts.whole)
          all.append(states.load(spilled, part.reduction, part.point));
        return all;
      });
  const unsigned numWhole = carried.size();
  addFreshEntries(parts.selected, carried);
  carried = foldParts(parts, segment.from, segment.to, carried);
  storeEntries(parts.selected, ValueRange(carried).drop_front(numWhole));
  carried.truncate(numWhole);
  b.branch(
      endsInSegment, [&] { finishTile(points, parts, carried); },
      [&] {
        StateMemory open = openSegment();
        for (auto [index, part] : llvm::enumerate(parts.whole))
          states.store(open, part.reduction, part.point, stateOf(parts.whole, index, carried));
      });
}

/// The total that earlier calls have left of the row.
void SweepEmitter::loadTotals() {
  b.branch(
      startsWithTotal,
      [&] {
        StateMemory total = spilledTotal();
        forEachTileState([&](unsigned index, const Point &point) {
          states.store(totals, index, point, states.load(total, index, point));
        });
      },
      [] {});
}

/// The total that the row has for later calls.
void SweepEmitter::spillTotals() {
  auto spill = [&](llvm::function_ref<SmallVector<Value>(unsigned, const Point &)> state) {
    StateMemory total = spilledTotal();
    forEachTileState(
        [&](unsigned index, const Point &point) { states.store(total, index, point, state(index, point)); });
  };
  b.branch(
      hasTotal, [&] { spill([&](unsigned index, const Point &point) { return states.load(totals, index, point); }); },
      [&] {
        b.branch(
            hasEveryTotal,
            [&] {
              spill(
                  [&](unsigned index, const Point &point) { return states.identity(layout.reductions[index], point); });
            },
            [] {});
      });
}

/// Adds the segment, which has ended, to the total of the row, and begins another.
void SweepEmitter::closeSegment(Value hadTotal) {
  StateMemory open = openSegment();
  auto load = [&](const StateMemory &memory) {
    return [&](unsigned index, const Point &point) { return states.load(memory, index, point); };
  };
  forEachTileState([&](unsigned index, const Point &point) {
    SmallVector<Value> ended = states.load(open, index, point);
    SmallVector<Value> total = b.branch(
        hadTotal, ValueRange(ended).getTypes(),
        [&] { return states.merge(index, point, load(totals), [&](unsigned, const Point &) { return ended; }); },
        [&] { return ended; });
    states.store(totals, index, point, total);
    states.store(open, index, point, states.identity(layout.reductions[index], point));
  });
  endSegmentInMemory([&](Walk walk, auto body) { forEachState(walk, body); }, hadTotal);
}

/// Ends a row of several segments or calls, all of which are in its total.
void SweepEmitter::finishTotals() {
  forEachTileState([&](unsigned index, const Point &point) {
    storeFinished(index, point, [&](unsigned of, const Point &at) { return states.load(totals, of, at); });
  });
  if (!endInTiles)
    return;
  bindFinished();
  forEachVector([&](const Point &point) { emitEndOfTile(point); });
}

void SweepEmitter::sweepSegments() {
  auto each = [&](Walk walk, auto body) { forEachState(walk, body); };
  Value one = b.create<arith::ConstantOp>(b.builder().getBoolAttr(true));
  endsInSegment = b.create<arith::AndIOp>(isLast, b.create<arith::XOrIOp>(hasTotal, one));
  loadTotals();
  Value length = b.value(b.constant(GNN_SEGMENT_LENGTH)), first = b.value(firstEdge), end = b.value(endEdge);
  // A row without edges has a segment, too.
  Value afterFirst = b.create<arith::AddIOp>(firstStart, b.value(b.constant(1)));
  b.forLoop(firstStart, b.create<arith::MaxSIOp>(endOfSegments(), afterFirst).getResult(), length, [&](Value start) {
    Value isLater = b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, start, firstStart);
    Value next = b.create<arith::AddIOp>(start, length);
    segment.from = b.create<arith::MaxSIOp>(start, first);
    segment.to = b.create<arith::MinSIOp>(next, end);
    segment.isFresh = b.create<arith::OrIOp>(isFirst, isLater);
    forEachOuter([&](ArrayRef<Index> outer) { sweepLastDimension(outer); });
    Value isWhole = b.create<arith::CmpIOp>(arith::CmpIPredicate::sle, next, end);
    b.branch(
        b.create<arith::OrIOp>(isWhole, closesTotal),
        [&] { closeSegment(b.create<arith::OrIOp>(startsWithTotal, isLater)); }, [] {});
  });
  b.branch(
      isLast,
      [&] {
        b.branch(
            hasTotal, [&] { finishTotals(); }, [] {});
        finishMemory(each);
        endRow();
      },
      [&] {
        spillTotals();
        spillMemory(each);
      });
}

} // namespace gnnc
