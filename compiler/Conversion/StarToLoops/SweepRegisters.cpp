//===- SweepRegisters.cpp - Sweeps with states in registers ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States as values that the loop over edges carries: all of them, or a tile at a time.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

//===----------------------------------------------------------------------===//
// States in registers
//===----------------------------------------------------------------------===//

ValueRange SweepEmitter::stateOf(ArrayRef<Part> parts, unsigned part, ValueRange values) const {
  unsigned start = 0;
  for (const Part &before : parts.take_front(part))
    start += layout.reductions[before.reduction].componentTypes.size();
  return values.slice(start, layout.reductions[parts[part].reduction].componentTypes.size());
}

SmallVector<Type> SweepEmitter::partTypes(ArrayRef<Part> parts) const {
  SmallVector<Type> types;
  for (const Part &part : parts)
    for (Type component : layout.reductions[part.reduction].componentTypes)
      types.push_back(part.point.lanes ? Type(VectorType::get({part.point.lanes}, component)) : component);
  return types;
}

/// Folds the edges of the row into the segment states of `parts`.
SmallVector<Value> SweepEmitter::sweepParts(ArrayRef<Part> parts, Value &hasTotal) {
  SmallVector<Value> segment = b.branch(
      isFirst, partTypes(parts),
      [&] {
        SmallVector<Value> all;
        for (const Part &part : parts)
          all.append(states.identity(layout.reductions[part.reduction], part.point));
        return all;
      },
      [&] {
        SmallVector<Value> all;
        StateMemory total = states.spilledTotal("state", fields.position.row);
        StateMemory spilled = states.spilledSegment("state", fields.position.row);
        for (const Part &part : parts) {
          states.store(totals, part.reduction, part.point, states.load(total, part.reduction, part.point));
          all.append(states.load(spilled, part.reduction, part.point));
        }
        return all;
      });
  hasTotal = stepSegments(
      segment,
      [&](ValueRange state) {
        SmallVector<Value> next;
        for (auto [index, part] : llvm::enumerate(parts))
          next.append(stepState(part.reduction, part.point, stateOf(parts, index, state)));
        stepPlan.emit(fields, Rate::Edge, edgeSinks());
        return next;
      },
      [&](ValueRange folded, Value hadTotal) {
        SmallVector<Value> total = closeParts(parts, folded, hadTotal), fresh;
        for (auto [index, part] : llvm::enumerate(parts)) {
          states.store(totals, part.reduction, part.point, stateOf(parts, index, total));
          fresh.append(states.identity(layout.reductions[part.reduction], part.point));
        }
        return fresh;
      });
  return segment;
}

/// The total that ends with `segment`.
SmallVector<Value> SweepEmitter::closeParts(ArrayRef<Part> parts, ValueRange segment, Value hasTotal) {
  return b.branch(
      hasTotal, segment.getTypes(),
      [&] {
        SmallVector<Value> all;
        for (auto [index, part] : llvm::enumerate(parts)) {
          SmallVector<Value> total = states.load(totals, part.reduction, part.point);
          all.append(states.merge(layout.reductions[part.reduction], total, stateOf(parts, index, segment)));
        }
        return all;
      },
      [&] { return llvm::to_vector(segment); });
}

void SweepEmitter::spillParts(ArrayRef<Part> parts, ValueRange segment, Value hasTotal) {
  StateMemory total = states.spilledTotal("state", fields.position.row);
  StateMemory spilled = states.spilledSegment("state", fields.position.row);
  for (auto [index, part] : llvm::enumerate(parts))
    states.store(spilled, part.reduction, part.point, stateOf(parts, index, segment));
  b.branch(
      hasTotal,
      [&] {
        for (const Part &part : parts)
          states.store(total, part.reduction, part.point, states.load(totals, part.reduction, part.point));
      },
      [&] {
        for (const Part &part : parts)
          states.store(total, part.reduction, part.point,
                       states.identity(layout.reductions[part.reduction], part.point));
      });
}

void SweepEmitter::sweepInRegisters() {
  SmallVector<Part> parts;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions))
    for (const Point &point : fields.points(reduction.type))
      parts.push_back({static_cast<unsigned>(index), point});
  Value hasTotal;
  SmallVector<Value> segment = sweepParts(parts, hasTotal);
  b.branch(
      isLast,
      [&] {
        SmallVector<Value> closed = closeParts(parts, segment, hasTotal);
        for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
          SmallVector<Point> points;
          SmallVector<Value> values, args;
          for (unsigned i = 0; i < parts.size(); ++i) {
            if (parts[i].reduction != index)
              continue;
            if (!smallEnd) {
              storeFinished(index, parts[i].point, stateOf(parts, i, closed));
              continue;
            }
            SmallVector<Value> result = states.finish(reduction, stateOf(parts, i, closed));
            points.push_back(parts[i].point);
            values.push_back(result[0]);
            if (result.size() > 1)
              args.push_back(result[1]);
          }
          if (!smallEnd)
            continue;
          fields.bind(reduction.result, points, values);
          if (reduction.aggregator.tracksArg())
            fields.bind(kernel.getEnd().getArgument(cast<BlockArgument>(reduction.result).getArgNumber() + 1), points,
                        args);
        }
        if (!smallEnd)
          bindFinished();
        emitEnd(smallEnd);
      },
      [&] { spillParts(parts, segment, hasTotal); });
}

//===----------------------------------------------------------------------===//
// Tiles in registers
//===----------------------------------------------------------------------===//

void SweepEmitter::sweepTile(ArrayRef<Index> coords, unsigned count, bool masked) {
  SmallVector<Part> parts;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions))
    for (const Point &point : fields.tile(reduction.type, coords, count, masked))
      parts.push_back({static_cast<unsigned>(index), point});
  Value hasTotal;
  SmallVector<Value> segment = sweepParts(parts, hasTotal);
  b.branch(
      isLast,
      [&] {
        SmallVector<Value> closed = closeParts(parts, segment, hasTotal);
        for (auto [index, part] : llvm::enumerate(parts))
          storeFinished(part.reduction, part.point, stateOf(parts, index, closed));
      },
      [&] { spillParts(parts, segment, hasTotal); });
}

void SweepEmitter::sweepTiles() {
  FieldType type = layout.reductions[0].type;
  unsigned lanes = fields.lanes(type), wide = 4 * lanes;
  SmallVector<Index> coords;
  auto divided = [&](Index size, int64_t by) -> Index {
    if (auto number = known(size))
      return b.constant(*number / by);
    return b.at(b.scopeOf(size),
                [&] { return Index(b.create<arith::DivUIOp>(b.value(size), b.value(b.constant(by))).getResult()); });
  };
  // Tiles of four whole vectors; then, where masks are cheap, of two; then of one.
  auto emitLast = [&] {
    Index size = function.extent(type.getDim(type.getRank() - 1));
    auto run = [&](Index from, Index to, unsigned count, bool masked) {
      if (known(from) && known(to) && *known(from) >= *known(to))
        return;
      b.forLoop(from, to, b.constant(count * lanes), [&](Value start) {
        coords.push_back(start);
        sweepTile(coords, count, masked);
        coords.pop_back();
      });
    };
    Index wideEnd = b.mul(divided(size, wide), b.constant(wide));
    run(b.constant(0), wideEnd, 4, false);
    Index restFrom;
    if (isa == Isa::X86_64_V2) {
      restFrom = b.mul(divided(size, lanes), b.constant(lanes));
      run(wideEnd, restFrom, 1, false);
    } else {
      Index pairs = divided(b.add(b.sub(size, wideEnd), b.constant(lanes - 1)), 2 * lanes);
      restFrom = b.add(wideEnd, b.mul(pairs, b.constant(2 * lanes)));
      run(wideEnd, restFrom, 2, true);
    }
    run(restFrom, size, 1, true);
  };
  std::function<void()> nest = [&] {
    if (coords.size() + 1 == type.getRank())
      return emitLast();
    b.forLoop(b.constant(0), function.extent(type.getDim(coords.size())), b.constant(1), [&](Value iv) {
      coords.push_back(iv);
      nest();
      coords.pop_back();
    });
  };
  nest();
  b.branch(
      isLast,
      [&] {
        bindFinished();
        emitEnd(/*small=*/false);
      },
      [] {});
}

} // namespace gnnc
