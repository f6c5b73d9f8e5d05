//===- SweepTiles.cpp - Sweeps a tile of the last dimension at a time -----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop over tiles is around the loop over edges: states stay in registers however wide a row is.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"
#include "gnn/program.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

bool foldsInTiles(star::KernelOp kernel, const StateLayout &layout, const RegionPlan &stepPlan) {
  ArrayRef<Reduction> reductions = layout.reductions;
  return !reductions.empty() && reductions[0].contributed.getRank() > 0 &&
         llvm::all_of(reductions,
                      [&](const Reduction &reduction) {
                        return !reduction.softmaxSum &&
                               reduction.contributed.getDims() == reductions[0].contributed.getDims();
                      }) &&
         kernel.getContribute().getEdges().empty() && stepPlan.buffers(Rate::Edge).empty();
}

bool endsInTiles(star::KernelOp kernel, const StateLayout &layout, const RegionPlan &endPlan) {
  auto ofTile = [&](Value value) { return fieldType(value).getDims() == layout.reductions[0].type.getDims(); };
  return layout.selectors.empty() && llvm::all_of(kernel.getYield().getValues(), ofTile) &&
         endPlan.buffers(Rate::Row).empty() && endPlan.buffers(Rate::Call).empty() &&
         llvm::all_of(kernel.getEnd().front().without_terminator(), [](Operation &op) {
           return isa<ElementwiseOpInterface, gnn::ConstantOp, ExtentOp, gnn::BroadcastOp, DropoutMaskOp, VertexIdOp>(
               op);
         });
}

bool takesPasses(star::KernelOp kernel, const StateLayout &layout) {
  RegionPlan stepPlan(kernel.getStep(), llvm::to_vector(kernel.getContribute()->getOperands()));
  RegionPlan endPlan(kernel.getEnd(), llvm::to_vector(kernel.getYield().getValues()));
  return foldsInTiles(kernel, layout, stepPlan) && layout.reductions[0].type.getRank() == 1 &&
         stepPlan.buffers(Rate::Row).empty() && endsInTiles(kernel, layout, endPlan);
}

/// How many vectors of the last dimension a loop over edges keeps for each reduction, `usual` ones if no schedule says:
/// a power of two that leaves registers for what a step computes.
unsigned SweepEmitter::tileVectors(unsigned lanes, unsigned usual) {
  constexpr unsigned most = 8;
  unsigned budget = function.machine().maxVectors, components = 0;
  for (const Reduction &reduction : layout.reductions)
    components += reduction.componentTypes.size();
  star::ScheduleAttr schedule = kernel.getScheduleAttr();
  unsigned wanted = schedule && schedule.getTile() ? schedule.getTile() / lanes : usual;
  return llvm::bit_floor(std::clamp(wanted, 1u, std::clamp(budget / components, 1u, most)));
}

/// Ends a tile from registers.
void SweepEmitter::emitEndOfTile(ArrayRef<Point> points) {
  for (auto [index, value] : llvm::enumerate(yielded)) {
    Sink sink = outputSink(index, value, fields.position.row);
    for (const Point &point : points)
      sink.put(point, fields.element(value, point));
  }
}

/// Finishes the states of a tile of a row that ends with them.
void SweepEmitter::finishTile(ArrayRef<Point> points, const Parts &parts, ValueRange closed) {
  if (endInTiles) {
    bindClosed(parts, closed);
    return emitEndOfTile(points);
  }
  for (const Part &part : parts.whole)
    storeFinished(part.reduction, part.point, [&](unsigned reduction, const Point &point) {
      return partState(parts.whole, closed, reduction, point);
    });
}

void SweepEmitter::sweepTile(ArrayRef<Point> points) {
  auto pointsOf = [&](FieldType) { return llvm::to_vector(points); };
  if (foldsBySegment())
    return foldTile(points, partsOf(pointsOf));
  reduceParts(pointsOf, [&](const Parts &parts, ValueRange closed) { finishTile(points, parts, closed); });
}

/// Goes over elements [from, to) in tiles of `vectors` vectors.
void SweepEmitter::sweepRange(ArrayRef<Index> outer, Index from, Index to, int64_t vectors, bool masked) {
  FieldType type = layout.reductions[0].contributed;
  if (known(from) && known(to) && *known(from) >= *known(to))
    return;
  b.forLoop(from, to, b.constant(vectors * fields.points.lanes(type)), [&](Value start) {
    tile = {llvm::to_vector(outer), unsigned(vectors), masked};
    tile.coords.push_back(start);
    sweepTile(fields.points.tile(type, tile.coords, tile.vectors, tile.masked));
  });
}

/// Sweeps elements from `from` on in as many whole tiles as end before `end`; returns where the last of these ends. A
/// tile counts as whole if up to `missing` elements of its vectors lie beyond `end`.
Index SweepEmitter::sweepWholeTiles(ArrayRef<Index> outer, Index from, Index end, int64_t vectors, int64_t missing) {
  Index elements = b.constant(vectors * fields.points.lanes(layout.reductions[0].contributed));
  Index left = b.add(b.sub(end, from), b.constant(missing));
  Index tiles = known(left) ? b.constant(*known(left) / *known(elements)) : b.at(b.scopeOf(left), [&] {
    return Index(b.create<arith::DivUIOp>(b.value(left), b.value(elements)).getResult());
  });
  Index to = b.add(from, b.mul(tiles, elements));
  sweepRange(outer, from, to, vectors, /*masked=*/missing > 0);
  return to;
}

/// Where the elements that a call folds begin and end.
std::pair<Index, Index> SweepEmitter::lastDimension() {
  FieldType type = layout.reductions[0].contributed;
  if (layout.inPasses)
    return {function.passBegin(), function.passEnd()};
  return {b.constant(0), function.extent(type.getDim(type.getRank() - 1))};
}

/// Tiles of as many whole vectors as there are registers for, and what is left of them.
void SweepEmitter::sweepLastDimension(ArrayRef<Index> outer) {
  FieldType type = layout.reductions[0].contributed;
  auto [from, end] = lastDimension();
  if (auto number = known(function.extent(type.getDim(type.getRank() - 1))))
    sweepKnownWidth(outer, from, end, *number);
  else
    sweepOpenWidth(outer, from, end);
}

/// The rest after the last whole tile is one tile, unless a pass ends within a tile: then narrower tiles follow.
void SweepEmitter::sweepKnownWidth(ArrayRef<Index> outer, Index from, Index end, int64_t width) {
  const int64_t lanes = fields.points.lanes(layout.reductions[0].contributed);
  int64_t vectors = tileVectors(lanes);
  const int64_t left = width % (vectors * lanes);
  if (width >= vectors * lanes)
    from = sweepWholeTiles(outer, from, end, vectors);
  auto sweepRest = [&](int64_t elements) {
    if (elements > 0)
      sweepRange(outer, from, end, llvm::divideCeil(elements, lanes), /*masked=*/elements % lanes != 0);
  };
  if (!layout.inPasses || isAtMostOnePass() || vectors * lanes <= GNN_PASS_ELEMENTS)
    return sweepRest(left);
  Value rest = b.value(b.sub(end, from));
  Value isRestOfRow = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, rest, b.value(b.constant(left)));
  b.branch(
      isRestOfRow, [&] { sweepRest(left); },
      [&] {
        while (vectors * lanes > GNN_PASS_ELEMENTS)
          from = sweepWholeTiles(outer, from, end, vectors /= 2);
        sweepRest(width % (vectors * lanes));
      });
}

/// Tiles of half as many vectors each time, from two on masked.
void SweepEmitter::sweepOpenWidth(ArrayRef<Index> outer, Index from, Index end) {
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
void SweepEmitter::sweepWithoutMasks(ArrayRef<Index> outer, Index from, Index end) {
  const int64_t vectors = tileVectors(fields.points.lanes(layout.reductions[0].contributed), /*usual=*/4);
  if (vectors > 1)
    from = sweepWholeTiles(outer, from, end, vectors);
  from = sweepWholeTiles(outer, from, end, 1);
  b.forLoop(from, end, b.constant(1), [&](Value element) {
    tile = {llvm::to_vector(outer), 1, /*masked=*/false};
    tile.coords.push_back(element);
    sweepTile(Point{SmallVector<Index, 3>(tile.coords.begin(), tile.coords.end()), 0});
  });
}

/// Calls `body` with all but the last coordinate of what a tile is a part of.
void SweepEmitter::forEachOuter(llvm::function_ref<void(ArrayRef<Index>)> body) {
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

/// Emits the code after the states of all tiles are closed.
void SweepEmitter::endTiles() {
  b.branch(
      isLast, [&] { endRow(); }, [] {});
}

void SweepEmitter::endRow() {
  if (endInTiles)
    return;
  bindFinished();
  if (layout.inPasses && foldsBySegment())
    endPass();
  else
    emitEnd();
}

/// Ends the elements of a pass, vector by vector.
void SweepEmitter::endPass() {
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

} // namespace gnnc
