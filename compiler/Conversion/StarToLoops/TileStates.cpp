//===- TileStates.cpp - States in registers, a tile at a time -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/KernelElements.h"
#include "compiler/Conversion/StarToLoops/StateHomes.h"
#include "gnn/program.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// How many vectors of the last dimension a loop over edges keeps for each reduction, `usual` ones if no schedule says:
/// a power of two that leaves registers for what a step computes.
unsigned TileStates::tileVectors(unsigned lanes, unsigned usual) {
  constexpr unsigned most = 8;
  unsigned budget = function.machine().maxVectors, components = 0;
  for (const Reduction &reduction : layout.reductions)
    components += reduction.componentTypes.size();
  star::ScheduleAttr schedule = kernel.getScheduleAttr();
  unsigned wanted = schedule && schedule.getTile() ? schedule.getTile() / lanes : usual;
  return llvm::bit_floor(std::clamp(wanted, 1u, std::clamp(budget / components, 1u, most)));
}

/// Ends a tile from registers.
void TileStates::emitEndOfTile(ArrayRef<Point> points) {
  for (auto [index, value] : llvm::enumerate(sweep.yielded)) {
    Sink sink = sweep.outputSink(index, value, fields.position.row);
    for (const Point &point : points)
      sink.put(point, fields.element(value, point));
  }
}

/// Finishes the states of a tile of a row that ends with them.
void TileStates::finishTile(ArrayRef<Point> points, const Parts &parts, ValueRange closed) {
  if (plan.endInTiles) {
    registers.bindClosed(parts, closed);
    return emitEndOfTile(points);
  }
  for (const Part &part : parts.whole)
    sweep.storeFinished(part.reduction, part.point, [&](unsigned reduction, const Point &point) {
      return values.partState(parts.whole, closed, reduction, point);
    });
}

void TileStates::sweepTile(ArrayRef<Point> points) {
  auto pointsOf = [&](FieldType) { return llvm::to_vector(points); };
  if (plan.foldsBySegment)
    return foldTile(points, values.partsOf(pointsOf));
  registers.reduceParts(pointsOf, [&](ValueRange closed) { finishTile(points, registers.parts, closed); });
}

/// Goes over elements [from, to) in tiles of `vectors` vectors.
void TileStates::sweepRange(ArrayRef<Index> outer, Index from, Index to, int64_t vectors, bool masked) {
  FieldType type = layout.reductions[0].contributed;
  if (known(from) && known(to) && *known(from) >= *known(to))
    return;
  b.forLoop(from, to, b.constant(vectors * fields.points.lanes(type)), [&](Value start) {
    sweep.edges.tile = {llvm::to_vector(outer), unsigned(vectors), masked, layout.reductions[0].contributed};
    sweep.edges.tile.coords.push_back(start);
    sweepTile(fields.points.tile(type, sweep.edges.tile.coords, sweep.edges.tile.vectors, sweep.edges.tile.masked));
  });
}

/// Sweeps elements from `from` on in as many whole tiles as end before `end`; returns where the last of these ends. A
/// tile counts as whole if up to `missing` elements of its vectors lie beyond `end`.
Index TileStates::sweepWholeTiles(ArrayRef<Index> outer, Index from, Index end, int64_t vectors, int64_t missing) {
  Index elements = b.constant(vectors * fields.points.lanes(layout.reductions[0].contributed));
  Index left = b.add(b.sub(end, from), b.constant(missing));
  Index to = b.add(from, b.mul(b.div(left, elements), elements));
  sweepRange(outer, from, to, vectors, /*masked=*/missing > 0);
  return to;
}

/// Where the elements that a call folds begin and end.
std::pair<Index, Index> TileStates::lastDimension() {
  FieldType type = layout.reductions[0].contributed;
  if (layout.inPasses)
    return {function.index("pass_begin"), function.index("pass_end")};
  return {b.constant(0), function.extent(type.getDim(type.getRank() - 1))};
}

/// Tiles of as many whole vectors as there are registers for, and what is left of them.
void TileStates::sweepLastDimension(ArrayRef<Index> outer) {
  FieldType type = layout.reductions[0].contributed;
  auto [from, end] = lastDimension();
  if (auto number = known(function.extent(type.getDim(type.getRank() - 1))))
    sweepKnownWidth(outer, from, end, *number);
  else
    sweepOpenWidth(outer, from, end);
}

/// The rest after the last whole tile is one tile, unless a pass ends within a tile: then narrower tiles follow.
void TileStates::sweepKnownWidth(ArrayRef<Index> outer, Index from, Index end, int64_t width) {
  const int64_t lanes = fields.points.lanes(layout.reductions[0].contributed);
  int64_t vectors = tileVectors(lanes);
  const int64_t left = width % (vectors * lanes);
  if (width >= vectors * lanes)
    from = sweepWholeTiles(outer, from, end, vectors);
  auto sweepRest = [&](int64_t elements) {
    if (elements > 0)
      sweepRange(outer, from, end, llvm::divideCeil(elements, lanes), /*masked=*/elements % lanes != 0);
  };
  if (!layout.inPasses || isAtMostOnePass(layout) || vectors * lanes <= GNN_PASS_ELEMENTS)
    return sweepRest(left);
  Value rest = b.value(b.sub(end, from));
  Value isRestOfRow = b.compare(arith::CmpIPredicate::eq, rest, b.constant(left));
  b.branch(
      isRestOfRow, [&] { sweepRest(left); },
      [&] {
        while (vectors * lanes > GNN_PASS_ELEMENTS)
          from = sweepWholeTiles(outer, from, end, vectors /= 2);
        sweepRest(width % (vectors * lanes));
      });
}

/// Tiles of half as many vectors each time, from two on masked.
void TileStates::sweepOpenWidth(ArrayRef<Index> outer, Index from, Index end) {
  if (!function.machine().hasMasks)
    return sweepWithoutMasks(outer, from, end);
  const int64_t lanes = fields.points.lanes(layout.reductions[0].contributed);
  int64_t vectors = tileVectors(lanes);
  for (from = sweepWholeTiles(outer, from, end, vectors), vectors /= 2; vectors > 2; vectors /= 2)
    from = sweepWholeTiles(outer, from, end, vectors);
  if (vectors == 2) // as many pairs as have an element of their second vector
    from = sweepWholeTiles(outer, from, end, vectors, lanes - 1);
  sweepRange(outer, from, end, 1, /*masked=*/true);
}

/// Tiles of four vectors, of one, and single elements: less code than for other processors, as few have no masks.
void TileStates::sweepWithoutMasks(ArrayRef<Index> outer, Index from, Index end) {
  const int64_t vectors = tileVectors(fields.points.lanes(layout.reductions[0].contributed), /*usual=*/4);
  if (vectors > 1)
    from = sweepWholeTiles(outer, from, end, vectors);
  from = sweepWholeTiles(outer, from, end, 1);
  b.forLoop(from, end, b.constant(1), [&](Value element) {
    sweep.edges.tile = {llvm::to_vector(outer), 1, /*masked=*/false, layout.reductions[0].contributed};
    sweep.edges.tile.coords.push_back(element);
    sweepTile(Point{SmallVector<Index, 3>(sweep.edges.tile.coords.begin(), sweep.edges.tile.coords.end()), 0});
  });
}

/// Calls `body` with all but the last coordinate of what a tile is a part of.
void TileStates::forEachOuter(llvm::function_ref<void(ArrayRef<Index>)> body) {
  FieldType type = layout.reductions[0].contributed;
  SmallVector<Index> coords;
  std::function<void()> nest = [&] {
    if (coords.size() + 1 == type.getRank())
      return body(coords);
    b.forLoop(b.constant(0), function.extent(type.getDim(coords.size())), b.constant(1), [&](Value iv) {
      coords.push_back(iv);
      nest();
      coords.pop_back();
    });
  };
  nest();
}

void TileStates::endRow() {
  if (plan.endInTiles)
    return;
  sweep.bindFinished();
  if (layout.inPasses && plan.foldsBySegment)
    endPass();
  else
    sweep.emitEnd();
}

/// Ends the elements of a pass, vector by vector.
void TileStates::endPass() {
  auto [from, end] = lastDimension();
  FieldType type = layout.reductions[0].contributed;
  const int64_t lanes = fields.points.lanes(type);
  auto endVectors = [&](Index first, Index last, int64_t step, bool masked) {
    b.forLoop(first, last, b.constant(step), [&](Value iv) {
      emitEndOfTile(step < lanes ? SmallVector<Point>{{{iv}, 0}} : fields.points.tile(type, {iv}, 1, masked));
    });
  };
  Index whole = b.add(from, b.mul(b.div(b.sub(end, from), b.constant(lanes)), b.constant(lanes)));
  endVectors(from, whole, lanes, /*masked=*/false);
  endVectors(whole, end, function.machine().hasMasks ? lanes : 1, /*masked=*/true);
}

//===----------------------------------------------------------------------===//
// Tiles of a segment
//===----------------------------------------------------------------------===//
/// Calls `body` in a loop over what all tiles have: vectors, or single elements where there are no masks.
void TileStates::forEachVector(llvm::function_ref<void(const Point &)> body) {
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
void TileStates::forEachTileState(llvm::function_ref<void(unsigned reduction, const Point &point)> body) {
  forEachVector([&](const Point &point) {
    for (auto [index, reduction] : llvm::enumerate(layout.reductions))
      if (!sweep.isInMemory(reduction))
        body(index, point);
  });
}

/// Where the states of an unfinished segment are: that the row goes on with in another call, or the call's own.
StateMemory TileStates::openSegment() {
  StateMemory memory = sweep.spilledSegment();
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    if (sweep.isInMemory(reduction))
      continue;
    for (auto [open, own] : llvm::zip_equal(memory[index], sweep.segments[index])) {
      Value here = own.memref;
      if (here.getType() != open.memref.getType())
        here = b.create<memref::CastOp>(open.memref.getType(), here);
      open.memref = b.create<arith::SelectOp>(row.isLast, here, open.memref);
    }
  }
  return memory;
}

/// Folds the edges of the segment at hand into a tile.
void TileStates::foldTile(ArrayRef<Point> points, const Parts &parts) {
  SmallVector<Value> carried = b.branch(
      segment.isFresh, values.partTypes(parts.whole), [&] { return values.identities(parts.whole); },
      [&] { return values.load(sweep.spilledSegment(), parts.whole); });
  const unsigned numWhole = carried.size();
  values.addFreshEntries(parts.selected, carried);
  carried = registers.foldParts(parts, segment.from, segment.to, carried);
  values.storeEntries(parts.selected, ValueRange(carried).drop_front(numWhole));
  carried.truncate(numWhole);
  b.branch(
      endsInSegment, [&] { finishTile(points, parts, carried); },
      [&] { values.store(openSegment(), parts.whole, carried); });
}

RowStates::State TileStates::open() {
  Value one = b.truth(true);
  endsInSegment = b.create<arith::AndIOp>(row.isLast, b.create<arith::XOrIOp>(row.hasTotal, one));
  b.branch(row.startsWithTotal, [&] {
    StateMemory total = sweep.spilledTotal();
    forEachTileState([&](unsigned index, const Point &point) { states.copy(total, sweep.totals, index, point); });
  });
  return {};
}

RowStates::State TileStates::fold(Value isLater, Value from, Value to, ValueRange) {
  segment = {from, to, b.create<arith::OrIOp>(call.isFirst, isLater)};
  forEachOuter([&](ArrayRef<Index> outer) { sweepLastDimension(outer); });
  return {};
}

RowStates::State TileStates::close(ValueRange, Value hadTotal) {
  StateMemory open = openSegment();
  forEachTileState([&](unsigned index, const Point &point) {
    SmallVector<Value> ended = states.load(open, index, point);
    SmallVector<Value> total = b.branch(
        hadTotal, ValueRange(ended).getTypes(),
        [&] {
          return states.merge(index, point, states.in(sweep.totals), [&](unsigned, const Point &) { return ended; });
        },
        [&] { return ended; });
    states.store(sweep.totals, index, point, total);
    states.reset(open, index, point);
  });
  memory.closeStates(hadTotal);
  return {};
}

void TileStates::finish(ValueRange) {
  b.branch(row.hasTotal, [&] { // several segments or calls, all of which are in the total
    forEachTileState(
        [&](unsigned index, const Point &point) { sweep.storeFinished(index, point, states.in(sweep.totals)); });
    if (!plan.endInTiles)
      return;
    sweep.bindFinished();
    forEachVector([&](const Point &point) { emitEndOfTile(point); });
  });
  memory.finishStates();
  endRow();
}

void TileStates::spill(ValueRange) {
  sweep.spillTotal(
      [&] {
        StateMemory total = sweep.spilledTotal();
        forEachTileState([&](unsigned index, const Point &point) { states.copy(sweep.totals, total, index, point); });
      },
      [&] {
        StateMemory total = sweep.spilledTotal();
        forEachTileState([&](unsigned index, const Point &point) { states.reset(total, index, point); });
      });
  memory.spillStates();
}

//===----------------------------------------------------------------------===//
// Tiles dealt out to threads
//===----------------------------------------------------------------------===//
/// One walk along the edges, each thread with `parts` vectors of its own from `first` on. Where the row ends among them
/// (`count`, its vectors; null: it does not) all threads walk: one that has none left has the last one again, which it
/// does not store.
void TileStates::walkVectors(Index first, int64_t parts, Index count) {
  FieldType type = layout.reductions[0].contributed;
  const ThreadGroup &group = function.threads.group();
  SmallVector<Point> points;
  for (int64_t part = 0; part < parts; ++part) {
    Index before = b.constant(part * group.threads), number = b.add(b.add(first, group.thread), before);
    Value isInRange;
    if (count && known(b.sub(count, b.add(first, before))).value_or(0) < group.threads)
      b.at(b.scopeOf(number), [&] {
        isInRange = b.compare(arith::CmpIPredicate::ult, number, count);
        number = b.minUnsigned(number, b.sub(count, b.constant(1)));
        return number;
      });
    points.push_back(fields.points.vectorAt(type, /*scalar=*/false, number));
    points.back().isOwner = isInRange;
  }
  sweepTile(points);
}

/// Walks of up to `maxParts` vectors of each thread.
void TileStates::walkTiles(int64_t maxParts) {
  const int64_t threads = function.threads.group().threads, wide = maxParts * threads;
  Index count = fields.points.numVectors(layout.reductions[0].contributed, /*scalar=*/false);
  Index wideEnd = b.mul(b.div(count, b.constant(wide)), b.constant(wide));
  if (known(wideEnd) == wide)
    walkVectors(b.constant(0), maxParts, Index());
  else if (known(wideEnd) != 0)
    b.forLoop(b.constant(0), wideEnd, b.constant(wide), [&](Value first) { walkVectors(first, maxParts, Index()); });
  if (auto number = known(count)) {
    if (const int64_t rest = *number % wide)
      walkVectors(wideEnd, llvm::divideCeil(rest, threads), count);
  } else {
    b.forLoop(wideEnd, count, b.constant(threads), [&](Value first) { walkVectors(first, 1, count); });
  }
}

/// Rows of an open width are aligned for whole vectors or not, which is known when the kernel runs: there is code for
/// either. Folds along a dimension do not know how many vectors it has, and take number by number.
void TileStates::sweepThreadTiles() {
  const int64_t maxParts = fields.points.shape.vectorsIn(4),
                maxOpenParts = fields.points.shape.vectorsIn(2); // open widths take several loops over edges
  FieldType type = layout.reductions[0].contributed;
  DimExpr last = type.getDim(type.getRank() - 1);
  bool folds = llvm::any_of(kernel.getStep().front(), [](Operation &op) { return traitsOf(&op).isFold; });
  auto closeRow = [&] { b.branch(row.isLast, [&] { endRow(); }); };
  if (last.constant() || folds) {
    walkTiles(last.constant() ? maxParts : maxOpenParts);
    return closeRow();
  }
  Index rest = b.rem(function.extent(last), b.constant(fields.points.shape.maxLanes));
  Value isAligned = b.at(0, [&] { return b.compare(arith::CmpIPredicate::eq, rest, b.constant(0)); });
  b.branch(
      isAligned,
      [&] {
        llvm::SaveAndRestore<std::optional<DimExpr>> wide(fields.points.wideDim, last);
        walkTiles(maxOpenParts);
      },
      [&] { walkTiles(maxOpenParts); });
  closeRow();
}

} // namespace gnnc
