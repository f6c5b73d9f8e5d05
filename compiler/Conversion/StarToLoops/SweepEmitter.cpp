//===- SweepEmitter.cpp - Sweeps over edges -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each row, for each segment of its edges, for each edge: one step. Where the states of the reductions are decides the shape of the loops:
//
//   1. in registers, all of them, where every shape is known and small;
//   2. in registers, a tile of the last dimension at a time, in a loop over tiles around the loop over edges, where a step does nothing
//      but the same for every element;
//   3. else in memory, updated by nests of loops inside the loop over edges.
//
// The state of a reduction is (total, segment). The total is always in memory, and only there once a segment has ended (`hasTotal`): the
// rows that almost all are, shorter than a segment, never touch it.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/KernelEmitter.h"
#include "gnn/program.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

namespace {

class SweepEmitter : KernelEmitter {
public:
  SweepEmitter(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function, Isa isa)
      : KernelEmitter(kernel, function, isa), layout(layout), states(fields, layout), contribute(kernel.getContribute()),
        yielded(kernel.getYield().getValues()), stepPlan(kernel.getStep(), llvm::to_vector(contribute->getOperands())),
        endPlan(kernel.getEnd(), yielded) {}

  void emit();

private:
  /// A part of a reduction whose state is in registers.
  struct Part {
    unsigned reduction;
    Point point;
  };
  enum class Where { Registers, Tiles, Memory };

  Where chooseStates();
  bool fitsRegisters() const;

  void emitRow(Value row);
  Index edgeAt(Index row);
  void bindEdge(Value edge);
  void prefetchEdgeInputs(Value edge);
  Value stepSegments(SmallVector<Value> &segment, llvm::function_ref<SmallVector<Value>(ValueRange)> step,
                     llvm::function_ref<SmallVector<Value>(ValueRange, Value)> endSegment);
  SmallVector<Value> stepState(unsigned reduction, const Point &point, ValueRange state);
  SmallVector<Sink> edgeSinks();

  SmallVector<Value> sweepParts(ArrayRef<Part> parts, Value &hasTotal);
  void spillParts(ArrayRef<Part> parts, ValueRange segment, Value hasTotal);
  SmallVector<Value> closeParts(ArrayRef<Part> parts, ValueRange segment, Value hasTotal);
  ValueRange stateOf(ArrayRef<Part> parts, unsigned part, ValueRange values) const;
  SmallVector<Type> partTypes(ArrayRef<Part> parts) const;

  void sweepInRegisters();
  void sweepTiles();
  void sweepTile(ArrayRef<Index> coords, unsigned count, bool masked);
  void sweepInMemory();
  void storeFinished(unsigned reduction, const Point &point, ValueRange state);
  void bindFinished();
  void emitEnd(bool small);
  void forEachState(bool scalar, llvm::function_ref<void(unsigned, const Point &)> body);

  const StateLayout &layout;
  StateEmitter states;
  star::ContributeOp contribute;
  SmallVector<Value> yielded;
  RegionPlan stepPlan, endPlan;
  Where where = Where::Memory;
  bool smallEnd = false;

  Value isFirst, isLast, startsWithTotal;
  StateMemory totals, segments; // of the row
  llvm::SmallVector<llvm::SmallVector<Memory>> finished; // by reduction: value and arg
  Index firstEdge, endEdge; // of the row
  Value lastEdge;           // of the call
};

//===----------------------------------------------------------------------===//
// Where states are
//===----------------------------------------------------------------------===//

bool SweepEmitter::fitsRegisters() const {
  unsigned maxVectors = isa == Isa::X86_64_V4 ? 16 : 8;
  if (!stepPlan.isSmall(fields.getMaxLanes(), maxVectors))
    return false;
  uint64_t vectors = 0;
  for (const Reduction &reduction : layout.reductions) {
    std::optional<int64_t> elements = reduction.type.getNumElements().constant();
    if (!elements)
      return false;
    uint64_t rows = 1;
    for (unsigned i = 0; i + 1 < reduction.type.getRank(); ++i)
      rows *= *reduction.type.getDim(i).constant();
    uint64_t last = reduction.type.getRank() ? *reduction.type.getDim(reduction.type.getRank() - 1).constant() : 1;
    vectors += rows * llvm::divideCeil(last, fields.getMaxLanes()) * reduction.componentTypes.size();
  }
  return vectors <= maxVectors;
}

SweepEmitter::Where SweepEmitter::chooseStates() {
  if (fitsRegisters())
    return Where::Registers;
  llvm::ArrayRef<Reduction> reductions = layout.reductions;
  bool alike = !reductions.empty() && reductions[0].type.getRank() > 0 && llvm::all_of(reductions, [&](const Reduction &reduction) {
    return reduction.type.getDims() == reductions[0].type.getDims();
  });
  return alike && contribute.getEdges().empty() && stepPlan.buffers(Rate::Edge).empty() ? Where::Tiles : Where::Memory;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void SweepEmitter::emit() {
  where = chooseStates();
  constexpr unsigned maxEndPoints = 16;
  smallEnd = where == Where::Registers && endPlan.isSmall(fields.getMaxLanes(), maxEndPoints);
  fields.unrolled = where == Where::Registers;

  Value flags = function.argument("flags", b.builder().getI32Type());
  auto flag = [&](int32_t bit) {
    Value mask = b.create<arith::ConstantOp>(b.builder().getI32IntegerAttr(bit));
    Value zero = b.create<arith::ConstantOp>(b.builder().getI32IntegerAttr(0));
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, b.create<arith::AndIOp>(flags, mask), zero);
  };
  isFirst = flag(GNN_SWEEP_FIRST);
  isLast = flag(GNN_SWEEP_LAST);
  startsWithTotal = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, isFirst,
                                            b.create<arith::ConstantOp>(b.builder().getBoolAttr(false)));
  totals = states.allocate();
  if (where == Where::Memory)
    segments = states.allocate();
  if (!smallEnd)
    for (const Reduction &reduction : layout.reductions) {
      finished.emplace_back();
      finished.back().push_back(function.buffer(reduction.type.getNumElements(), reduction.type.getElement()));
      if (reduction.aggregator.tracksArg())
        finished.back().push_back(function.buffer(reduction.type.getNumElements(), b.builder().getI64Type()));
    }
  bindInputs(kernel.getStep(), star::Access::Whole, b.constant(0));
  bindInputs(kernel.getEnd(), star::Access::Whole, b.constant(0));
  b.contract = true;
  stepPlan.emit(fields, Rate::Call, {});
  {
    llvm::SaveAndRestore<bool> unrolled(fields.unrolled, smallEnd);
    endPlan.emit(fields, Rate::Call, {});
  }
  b.contract = false;
  if (hasInput(star::Access::Edge))
    lastEdge = b.value(b.sub(edgeAt(function.end()), b.constant(1)));
  b.forLoop(function.begin(), function.end(), b.constant(1), [&](Value row) { emitRow(row); });
}

/// The first edge of a row.
Index SweepEmitter::edgeAt(Index row) {
  Value offsets = function.array("block.offsets", b.builder().getI64Type());
  Value edge = b.create<memref::LoadOp>(offsets, b.value(row));
  return b.create<arith::IndexCastOp>(b.builder().getIndexType(), edge).getResult();
}

void SweepEmitter::emitRow(Value row) {
  fields.position.row = row;
  bindInputs(kernel.getStep(), star::Access::Row, row);
  bindInputs(kernel.getEnd(), star::Access::Row, row);
  firstEdge = edgeAt(row);
  endEdge = edgeAt(b.add(row, b.constant(1)));
  b.contract = true;
  stepPlan.emit(fields, Rate::Row, {});
  b.contract = false;
  switch (where) {
  case Where::Registers:
    return sweepInRegisters();
  case Where::Tiles:
    return sweepTiles();
  case Where::Memory:
    return sweepInMemory();
  }
}

void SweepEmitter::emitEnd(bool small) {
  llvm::SaveAndRestore<bool> unrolled(fields.unrolled, small);
  llvm::SaveAndRestore<bool> contract(b.contract, true);
  SmallVector<Sink> sinks;
  for (auto [index, value] : llvm::enumerate(yielded))
    sinks.push_back(outputSink(index, value, fields.position.row));
  endPlan.emit(fields, Rate::Row, sinks);
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

void SweepEmitter::bindEdge(Value edge) {
  fields.position.edge = edge;
  Value local = b.create<memref::LoadOp>(function.array("block.cols", b.builder().getI32Type()), edge);
  fields.position.col = b.create<arith::IndexCastUIOp>(b.builder().getIndexType(), local);
  bindInputs(kernel.getStep(), star::Access::Col, fields.position.col);
  if (hasInput(star::Access::Edge) || !contribute.getEdges().empty())
    bindInputs(kernel.getStep(), star::Access::Edge,
               b.create<arith::IndexCastOp>(b.builder().getIndexType(), fields.edgeId()).getResult());
  prefetchEdgeInputs(edge);
}

/// Where edges are not in their original order, as in every sweep towards sources, what they carry is all over memory: it is asked for
/// many edges ahead, further than the processor looks by itself.
void SweepEmitter::prefetchEdgeInputs(Value edge) {
  if (!hasInput(star::Access::Edge))
    return;
  constexpr int64_t distance = 64;
  Type i64 = b.builder().getI64Type(), index = b.builder().getIndexType();
  b.branch(
      function.isGiven("block.edge_id"),
      [&] {
        Value ahead = b.create<arith::MinSIOp>(b.create<arith::AddIOp>(edge, b.value(b.constant(distance))), lastEdge);
        Value id = b.create<memref::LoadOp>(function.array("block.edge_id", i64), ahead);
        Value row = b.create<arith::IndexCastOp>(index, id);
        for (auto [i, input] : llvm::enumerate(kernel.getInputs().getAsRange<star::OperandAttr>()))
          if (input.getAccess() == star::Access::Edge) {
            Memory memory = operand(i, input.getType(), row);
            b.create<memref::PrefetchOp>(memory.memref, b.value(memory.base), /*isWrite=*/false, /*localityHint=*/3,
                                         /*isDataCache=*/true);
          }
      },
      [] {});
}

SmallVector<Sink> SweepEmitter::edgeSinks() {
  SmallVector<Sink> sinks;
  if (contribute.getEdges().empty())
    return sinks;
  Value edge = b.create<arith::IndexCastOp>(b.builder().getIndexType(), fields.edgeId());
  for (auto [index, value] : llvm::enumerate(contribute.getEdges()))
    sinks.push_back(outputSink(kernel.getNumRowOutputs() + index, value, edge));
  return sinks;
}

SmallVector<Value> SweepEmitter::stepState(unsigned reduction, const Point &point, ValueRange state) {
  const Reduction &of = layout.reductions[reduction];
  Value value = fields.element(contribute.getValues()[reduction], point);
  Value id = of.aggregator.tracksArg() ? fields.splat(fields.edgeId(), point) : Value();
  SmallVector<Value> next = of.aggregator.buildStep(b.builder(), b.loc(), state, value, id);
  if (Value filter = contribute.getFilter(reduction)) {
    Value holds = fields.element(filter, {});
    for (auto [now, before] : llvm::zip_equal(next, state))
      now = fields.select(holds, now, before);
  }
  return next;
}

/// Folds the edges of the row into `segment`, a segment at a time; gives whether there is a total then.
Value SweepEmitter::stepSegments(SmallVector<Value> &segment, llvm::function_ref<SmallVector<Value>(ValueRange)> step,
                                 llvm::function_ref<SmallVector<Value>(ValueRange, Value)> endSegment) {
  Type i64 = b.builder().getI64Type(), index = b.builder().getIndexType();
  Value row = fields.position.row, length = b.value(b.constant(GNN_SEGMENT_LENGTH));
  Value position = b.branch(
      function.isGiven("block.row_pos"), index,
      [&]() -> SmallVector<Value> {
        return {b.create<arith::IndexCastOp>(index, b.create<memref::LoadOp>(function.array("block.row_pos", i64), row))};
      },
      [&]() -> SmallVector<Value> { return {b.value(b.constant(0))}; })[0];
  Value intoSegment = b.create<arith::AndIOp>(position, b.value(b.constant(GNN_SEGMENT_LENGTH - 1)));
  Value first = b.value(firstEdge), end = b.value(endEdge);
  Value firstStart = b.create<arith::SubIOp>(first, intoSegment);

  SmallVector<Value> initial = segment;
  initial.push_back(startsWithTotal);
  SmallVector<Type> types = llvm::to_vector(ValueRange(initial).getTypes());
  SmallVector<Value> results = b.forLoop(firstStart, end, length, initial, [&](Value start, ValueRange carried) {
    Value from = b.create<arith::MaxSIOp>(start, first);
    Value next = b.create<arith::AddIOp>(start, length);
    Value to = b.create<arith::MinSIOp>(next, end);
    SmallVector<Value> folded = b.forLoop(from, to, b.constant(1), carried.drop_back(), [&](Value edge, ValueRange state) {
      bindEdge(edge);
      b.contract = true;
      SmallVector<Value> stepped = step(state);
      b.contract = false;
      return stepped;
    });
    Value isWhole = b.create<arith::CmpIOp>(arith::CmpIPredicate::sle, next, end);
    return b.branch(
        isWhole, types,
        [&] {
          SmallVector<Value> fresh = endSegment(folded, carried.back());
          fresh.push_back(b.create<arith::ConstantOp>(b.builder().getBoolAttr(true)));
          return fresh;
        },
        [&] {
          SmallVector<Value> same = folded;
          same.push_back(carried.back());
          return same;
        });
  });
  Value hasTotal = results.pop_back_val();
  segment = results;
  return hasTotal;
}

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
          states.store(total, part.reduction, part.point, states.identity(layout.reductions[part.reduction], part.point));
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
            fields.bind(kernel.getEnd().getArgument(cast<BlockArgument>(reduction.result).getArgNumber() + 1), points, args);
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
    return b.at(b.scopeOf(size), [&] {
      return Index(b.create<arith::DivUIOp>(b.value(size), b.value(b.constant(by))).getResult());
    });
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

//===----------------------------------------------------------------------===//
// States in memory
//===----------------------------------------------------------------------===//

void SweepEmitter::forEachState(bool scalar, llvm::function_ref<void(unsigned, const Point &)> body) {
  for (auto [index, reduction] : llvm::enumerate(layout.reductions))
    fields.forEachPoint(reduction.type, scalar, [&, index = index](const Point &point) { body(index, point); });
}

void SweepEmitter::storeFinished(unsigned reduction, const Point &point, ValueRange state) {
  SmallVector<Value> values = states.finish(layout.reductions[reduction], state);
  for (auto [memory, value] : llvm::zip_equal(finished[reduction], values))
    fields.store(memory, layout.reductions[reduction].type, point, value);
}

void SweepEmitter::bindFinished() {
  for (auto [reduction, memories] : llvm::zip_equal(layout.reductions, finished))
    for (auto [index, memory] : llvm::enumerate(memories))
      fields.bind(kernel.getEnd().getArgument(cast<BlockArgument>(reduction.result).getArgNumber() + index), memory, b.top());
}

void SweepEmitter::sweepInMemory() {
  // What only rows of several segments or several blocks need goes element by element: less code, the same bits.
  auto copy = [&](const StateMemory &from, const StateMemory &to) {
    forEachState(/*scalar=*/true, [&](unsigned index, const Point &point) { states.store(to, index, point, states.load(from, index, point)); });
  };
  auto reset = [&](const StateMemory &memory, bool scalar) {
    forEachState(scalar, [&](unsigned index, const Point &point) {
      states.store(memory, index, point, states.identity(layout.reductions[index], point));
    });
  };
  auto merged = [&](unsigned index, const Point &point) {
    return states.merge(layout.reductions[index], states.load(totals, index, point), states.load(segments, index, point));
  };
  Value row = fields.position.row;
  b.branch(isFirst, [&] { reset(segments, false); }, [&] {
    copy(states.spilledTotal("state", row), totals);
    copy(states.spilledSegment("state", row), segments);
  });
  SmallVector<Value> nothing;
  Value hasTotal = stepSegments(
      nothing,
      [&](ValueRange) {
        SmallVector<Sink> sinks = edgeSinks();
        for (auto [index, reduction] : llvm::enumerate(layout.reductions))
          sinks.push_back({contribute.getValues()[index], reduction.type, [&, index = index](const Point &point, Value) {
                             states.store(segments, index, point, stepState(index, point, states.load(segments, index, point)));
                           }, Value()});
        stepPlan.emit(fields, Rate::Edge, sinks);
        return SmallVector<Value>();
      },
      [&](ValueRange, Value hadTotal) {
        b.branch(hadTotal, [&] {
          forEachState(true, [&](unsigned index, const Point &point) { states.store(totals, index, point, merged(index, point)); });
        }, [&] { copy(segments, totals); });
        reset(segments, true);
        return SmallVector<Value>();
      });
  b.branch(
      isLast,
      [&] {
        b.branch(hasTotal, [&] {
          forEachState(true, [&](unsigned index, const Point &point) { storeFinished(index, point, merged(index, point)); });
        }, [&] {
          forEachState(false,
                       [&](unsigned index, const Point &point) { storeFinished(index, point, states.load(segments, index, point)); });
        });
        bindFinished();
        emitEnd(/*small=*/false);
      },
      [&] {
        copy(segments, states.spilledSegment("state", row));
        b.branch(hasTotal, [&] { copy(totals, states.spilledTotal("state", row)); },
                 [&] { reset(states.spilledTotal("state", row), true); });
      });
}

} // namespace

void emitSweep(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function, Isa isa) {
  SweepEmitter(kernel, layout, function, isa).emit();
}

} // namespace gnnc
