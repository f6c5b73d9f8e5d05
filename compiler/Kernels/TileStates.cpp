//===- TileStates.cpp - States in registers, a tile at a time -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelElements.h"
#include "compiler/Kernels/StateHomes.h"
#include "gnn/program.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// How many vectors of the last dimension a loop over edges keeps for each reduction, `usual` ones if no schedule says:
/// a power of two that leaves registers for what a step computes.
unsigned TileStates::tileVectors(unsigned usual) {
  constexpr unsigned most = 8;
  unsigned budget = function.machine().maxVectors, components = 0;
  for (const Reduction &reduction : layout.reductions)
    components += reduction.componentTypes.size();
  star::ScheduleAttr schedule = kernel.getScheduleAttr();
  unsigned wanted = schedule && schedule.getTile() ? schedule.getTile() / lanes() : usual;
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
void TileStates::finishTile(ArrayRef<Point> points, ValueRange closed) {
  if (plan.end == EndPlace::Tiles) {
    registers.bindClosed(closed);
    return emitEndOfTile(points);
  }
  for (const Part &part : registers.parts.whole)
    sweep.storeFinished(part.reduction, part.point, registers.in(closed));
}

void TileStates::sweepTile(ArrayRef<Point> points) {
  auto pointsOf = [&](FieldType) { return llvm::to_vector(points); };
  if (!plan.foldsBySegment)
    return registers.reduceParts(pointsOf, [&](ValueRange closed) { finishTile(points, closed); });
  registers.parts = values.partsOf(pointsOf);
  foldTile(points);
}

/// Goes over elements [from, to) in tiles of `vectors` vectors.
void TileStates::sweepRange(Index from, Index to, int64_t vectors, bool masked) {
  if (known(from) && known(to) && *known(from) >= *known(to))
    return;
  b.forLoop(from, to, b.constant(vectors * lanes()), [&](Value start) {
    sweepTile(fields.points.tile(type(), sweep.edges.placeTile(outer, start, vectors, type()), vectors, masked));
  });
}

/// Sweeps elements from `from` on in as many whole tiles as end before `end`; returns where the last of these ends. A
/// tile counts as whole if up to `missing` elements of its vectors lie beyond `end`.
Index TileStates::sweepWholeTiles(Index from, Index end, int64_t vectors, int64_t missing) {
  Index elements = b.constant(vectors * lanes());
  Index left = b.add(b.sub(end, from), b.constant(missing));
  Index to = b.add(from, b.mul(b.div(left, elements), elements));
  sweepRange(from, to, vectors, /*masked=*/missing > 0);
  return to;
}

/// Where the elements that a call folds begin and end.
std::pair<Index, Index> TileStates::lastDimension() {
  if (layout.inPasses)
    return {function.index("pass_begin"), function.index("pass_end")};
  return {b.constant(0), function.extent(lastDim(type()))};
}

/// Tiles of as many whole vectors as there are registers for. The rest after the last of them is one tile, unless a
/// pass ends within a tile: then narrower tiles follow.
void TileStates::sweepKnownWidth(Index from, Index end, int64_t width) {
  const int64_t lanes = this->lanes();
  int64_t vectors = tileVectors();
  const int64_t left = width % (vectors * lanes);
  if (width >= vectors * lanes)
    from = sweepWholeTiles(from, end, vectors);
  auto sweepRest = [&](int64_t elements) {
    if (elements > 0)
      sweepRange(from, end, llvm::divideCeil(elements, lanes), /*masked=*/elements % lanes != 0);
  };
  if (!layout.inPasses || isAtMostOnePass(layout) || vectors * lanes <= GNN_PASS_ELEMENTS)
    return sweepRest(left);
  Value rest = b.value(b.sub(end, from));
  Value isRestOfRow = b.isEqual(rest, b.constant(left));
  b.branch(
      isRestOfRow, [&] { sweepRest(left); },
      [&] {
        while (vectors * lanes > GNN_PASS_ELEMENTS)
          from = sweepWholeTiles(from, end, vectors /= 2);
        sweepRest(width % (vectors * lanes));
      });
}

/// Tiles of half as many vectors each time, from two on masked.
void TileStates::sweepOpenWidth(Index from, Index end) {
  if (!function.machine().hasMasks)
    return sweepWithoutMasks(from, end);
  int64_t vectors = tileVectors();
  for (from = sweepWholeTiles(from, end, vectors), vectors /= 2; vectors > 2; vectors /= 2)
    from = sweepWholeTiles(from, end, vectors);
  if (vectors == 2) // as many pairs as have an element of their second vector
    from = sweepWholeTiles(from, end, vectors, lanes() - 1);
  sweepRange(from, end, 1, /*masked=*/true);
}

/// Tiles of four vectors, of one, and single elements: less code than for other processors, as few have no masks.
void TileStates::sweepWithoutMasks(Index from, Index end) {
  const int64_t vectors = tileVectors(/*usual=*/4);
  if (vectors > 1)
    from = sweepWholeTiles(from, end, vectors);
  from = sweepWholeTiles(from, end, 1);
  b.forLoop(from, end, b.constant(1), [&](Value element) {
    sweepTile(Point{sweep.edges.placeTile(outer, element, 1, type()), 0});
  });
}

/// Calls `body` for all values of `outer`.
void TileStates::forEachOuter(llvm::function_ref<void()> body) {
  if (outer.size() + 1 == type().getRank())
    return body();
  b.forLoop(b.constant(0), function.extent(type().getDim(outer.size())), b.constant(1), [&](Value iv) {
    outer.push_back(iv);
    forEachOuter(body);
    outer.pop_back();
  });
}

void TileStates::endRow() {
  if (plan.end == EndPlace::Tiles)
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
  const int64_t lanes = this->lanes();
  auto endVectors = [&](Index first, Index last, int64_t step, bool masked) {
    b.forLoop(first, last, b.constant(step), [&](Value iv) {
      emitEndOfTile(step < lanes ? SmallVector<Point>{{{iv}, 0}} : fields.points.tile(type(), {iv}, 1, masked));
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
  auto [from, end] = lastDimension();
  const bool scalar = !function.machine().hasMasks;
  forEachOuter([&, from = from, end = end] {
    b.forLoop(from, end, b.constant(scalar ? 1 : lanes()), [&](Value iv) {
      Point element{outer, 0};
      element.coords.push_back(iv);
      body(scalar ? element : fields.points.tile(type(), element.coords, 1, /*masked=*/true)[0]);
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
  return states.choose(row.isLast, sweep.segments, sweep.spilledSegment(),
                       [&](const Reduction &reduction) { return !sweep.isInMemory(reduction); });
}

/// Folds the edges of the segment at hand into a tile.
void TileStates::foldTile(ArrayRef<Point> points) {
  const Parts &parts = registers.parts;
  Values carried = b.branch(
      segment.isFresh, values.partTypes(parts.whole), [&] { return values.identities(parts.whole); },
      [&] { return values.load(sweep.spilledSegment(), parts.whole); });
  values.addFreshEntries(parts.selected, carried);
  carried = registers.leave(registers.fold(Value(), segment.from, segment.to, carried));
  b.branch(
      endsInSegment, [&] { finishTile(points, carried); }, [&] { values.store(openSegment(), parts.whole, carried); });
}

Values TileStates::open() {
  endsInSegment = b.both(row.isLast, b.isNot(row.hasTotal));
  b.branch(row.startsWithTotal, [&] { copy(sweep.spilledTotal(), sweep.totals); });
  return {};
}

Values TileStates::fold(Value isLater, Value from, Value to, ValueRange) {
  segment = {from, to, b.either(call.isFirst, isLater)};
  forEachOuter([&] {
    auto [begin, end] = lastDimension();
    if (auto width = known(function.extent(lastDim(type()))))
      sweepKnownWidth(begin, end, *width);
    else
      sweepOpenWidth(begin, end);
  });
  return {};
}

Values TileStates::close(ValueRange, Value hadTotal) {
  StateMemory open = openSegment();
  forEachTileState([&](unsigned index, const Point &point) {
    Values ended = states.load(open, index, point);
    auto merged = [&] {
      return states.merge(index, point, states.in(sweep.totals), [&](unsigned, const Point &) { return ended; });
    };
    Values total = b.branch(hadTotal, merged, ended);
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
    if (plan.end != EndPlace::Tiles)
      return;
    sweep.bindFinished();
    forEachVector([&](const Point &point) { emitEndOfTile(point); });
  });
  memory.finishStates();
  endRow();
}

void TileStates::spill(ValueRange) {
  sweep.spillTotal([&] { copy(sweep.totals, sweep.spilledTotal()); },
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
  const ThreadGroup &group = function.threads.group();
  SmallVector<Point> points;
  for (int64_t part = 0; part < parts; ++part) {
    Index before = b.constant(part * group.threads), number = b.add(b.add(first, group.thread), before);
    Value isInRange;
    if (count && known(b.sub(count, b.add(first, before))).value_or(0) < group.threads)
      b.at(b.scopeOf(number), [&] {
        isInRange = b.isBelow(number, count);
        number = b.minUnsigned(number, b.sub(count, b.constant(1)));
        return number;
      });
    points.push_back(fields.points.vectorAt(type(), /*scalar=*/false, number));
    points.back().isOwner = isInRange;
  }
  sweepTile(points);
}

/// Walks of up to `maxParts` vectors of each thread.
void TileStates::walkTiles(int64_t maxParts) {
  const int64_t threads = function.threads.group().threads, wide = maxParts * threads;
  Index count = fields.points.numVectors(type(), /*scalar=*/false);
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
  DimExpr last = lastDim(type());
  bool folds = llvm::any_of(kernel.getStep().front(), [](Operation &op) { return traitsOf(&op).isFold; });
  auto closeRow = [&] { b.branch(row.isLast, [&] { endRow(); }); };
  if (last.constant() || folds) {
    walkTiles(last.constant() ? maxParts : maxOpenParts);
    return closeRow();
  }
  Index rest = b.rem(function.extent(last), b.constant(fields.points.shape.maxLanes));
  Value isAligned = b.at(0, [&] { return b.isEqual(rest, b.constant(0)); });
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
