//===- SweepEmitter.cpp - Sweeps over edges -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows, segments and edges, wherever the states are.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"
#include "gnn/program.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

//===----------------------------------------------------------------------===//
// Where states are
//===----------------------------------------------------------------------===//

bool SweepEmitter::isAtMostOnePass() const {
  return layout.reductions[0].type.getNumElements().constant().value_or(INT64_MAX) <= GNN_PASS_ELEMENTS;
}

bool SweepEmitter::fitsRegisters(const Bounds &bounds) {
  unsigned maxVectors = vectorsIn(function.machine().maxVectors);
  if (layout.inPasses && !isAtMostOnePass())
    return false;
  if (!stepPlan.isSmall(fields.points.getMaxLanes(), maxVectors, bounds))
    return false;
  uint64_t vectors = 0;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    FieldType type = reduction.contributed;
    uint64_t ofType = 1;
    for (unsigned i = 0; i < type.getRank(); ++i) {
      std::optional<int64_t> size = bounds.most(type.getDim(i));
      if (!size)
        return false;
      ofType *= i + 1 < type.getRank() ? *size : llvm::divideCeil(*size, fields.points.getMaxLanes());
    }
    if (!kernel.getOnlineSoftmax(index)) // its state is no more than the weights of an edge were
      vectors += ofType * reduction.componentTypes.size();
  }
  constexpr unsigned maxSpilled = 24; // which is still less than loops in memory take
  return vectors <= (bounds.dims.empty() ? maxVectors : maxSpilled);
}

SweepEmitter::Where SweepEmitter::chooseStates() {
  if (function.group().threads == 1 && fitsRegisters())
    return Where::Registers;
  bool foldsTiles = foldsInTiles(kernel, layout, stepPlan);
  // Each thread would repeat the reductions of an edge for its tiles.
  bool isTiled = foldsTiles && kernel.getStep().front().getOps<gnn::ReduceOp>().empty();
  if (function.group().threads > 1 && layout.selectors.empty() && !(isTiled && endsInTiles(kernel, layout, endPlan))) {
    dealsEnd = dealOut(/*withEnd=*/true);
    if (dealsEnd || (!isTiled && dealOut(/*withEnd=*/false)))
      return Where::Registers;
  }
  if (!function.machine().isDevice)
    planPanels();
  if (!panelStages.empty())
    return Where::Panels;
  if (layout.inPasses || foldsTiles)
    return Where::Tiles;
  planBounds();
  return Where::Memory;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void SweepEmitter::emit() {
  where = chooseStates();
  constexpr unsigned maxEndPoints = 16;
  endInTiles = where == Where::Tiles && endsInTiles(kernel, layout, endPlan) && (!foldsBySegment() || isEndShort());
  smallEnd = where == Where::Registers &&
             (fields.points.isDealt() ? dealsEnd : endPlan.isSmall(fields.points.getMaxLanes(), maxEndPoints));
  fields.points.unrolled = where == Where::Registers;
  readsCol = hasInput(star::Access::Col) ||
             llvm::any_of(kernel.getStep().front(), [](Operation &op) { return isa<VertexIdOp, DropoutMaskOp>(op); });

  Value flags = function.argument("flags", b.builder().getI32Type());
  auto flag = [&](int32_t bit) {
    Value mask = b.create<arith::ConstantOp>(b.builder().getI32IntegerAttr(bit));
    Value zero = b.create<arith::ConstantOp>(b.builder().getI32IntegerAttr(0));
    return b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, b.create<arith::AndIOp>(flags, mask), zero);
  };
  isFirst = flag(GNN_SWEEP_FIRST);
  isLastCall = flag(GNN_SWEEP_LAST);
  prefetches = flag(GNN_SWEEP_PREFETCH);
  hasEveryTotal =
      b.create<arith::XOrIOp>(flag(GNN_SWEEP_IN_ORDER), b.create<arith::ConstantOp>(b.builder().getBoolAttr(true)));
  if (!function.machine().isDevice) {
    Value arePieces = function.isGiven("block.row_pos");
    Value areWhole = b.create<arith::XOrIOp>(arePieces, b.create<arith::ConstantOp>(b.builder().getBoolAttr(true)));
    hasWholeRows = b.create<arith::AndIOp>(areWhole, b.create<arith::AndIOp>(isFirst, isLastCall));
  }
  allocate();
  bindInputs(kernel.getStep(), star::Access::Whole, b.constant(0));
  bindInputs(kernel.getEnd(), star::Access::Whole, b.constant(0));
  stepPlan.emit(fields, Rate::Call, {});
  auto emitCall = [&] { endPlan.emit(fields, Rate::Call, {}); };
  smallEnd ? emitCall() : fields.points.inMemory(emitCall);
  packPanels();
  loadHotCols();
  if (hasInput(star::Access::Edge) || hasInput(star::Access::Col)) {
    lastEdge = b.value(b.sub(edgeOf(b.sub(function.end(), b.constant(1)), "block.ends"), b.constant(1)));
    rowsLieApart = flag(GNN_SWEEP_ROWS_APART);
  }
  function.forEachRows(/*inSlots=*/false, [&](Index from, Index to, Index step, Index) {
    b.forLoop(from, to, step, [&](Value row) { emitRow(row); });
  });
}

void SweepEmitter::allocate() {
  anyInMemory = llvm::any_of(layout.reductions, [&](const Reduction &reduction) { return isInMemory(reduction); });
  totals = states.allocate([](const Reduction &) { return true; }, /*spare=*/false);
  segments = states.allocate([&](const Reduction &reduction) { return foldsBySegment() || isInMemory(reduction); },
                             /*spare=*/true);
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    finished.emplace_back();
    SmallVector<Memory> &results = finished.back();
    if (isInMemory(reduction) || foldsBySegment()) {
      assert(reduction.componentTypes[0] == reduction.type.getElement() && "a value takes the place of its state");
      const SmallVector<Memory> &state = isInMemory(reduction) ? segments[index] : totals[index];
      results.assign(state.begin(), state.begin() + (reduction.keepsArg ? 2 : 1));
    } else if (!smallEnd && !endInTiles) {
      bool ofThread = reduction.type.getRank() == 0;
      results.push_back(function.buffer(reduction.type.getNumElements(), reduction.type.getElement(), ofThread));
      if (reduction.keepsArg)
        results.push_back(function.buffer(reduction.type.getNumElements(), b.builder().getI64Type(), ofThread));
    }
  }
}

/// Whether this is the last of the calls that fold the row: of a device's, none is that of pieces.
Value SweepEmitter::endsRow(Value row) {
  if (!function.machine().isDevice)
    return isLastCall;
  Value isWhole = b.create<arith::CmpIOp>(arith::CmpIPredicate::uge, row, b.value(function.numPieces()));
  return b.create<arith::AndIOp>(isLastCall, isWhole);
}

void SweepEmitter::emitRow(Value rowOfBlock) {
  blockRow = rowOfBlock;
  isLast = endsRow(blockRow);
  Value row = fields.position.row = tableRow(blockRow);
  if (!smallEnd && !endInTiles)
    function.syncGroup(); // other threads may still read what the row before left
  bindInputs(kernel.getStep(), star::Access::Row, row);
  bindInputs(kernel.getEnd(), star::Access::Row, row);
  firstEdge = edgeOf(blockRow, "block.offsets");
  endEdge = edgeOf(blockRow, "block.ends");
  Value isEmpty = b.create<arith::CmpIOp>(arith::CmpIPredicate::eq, b.value(firstEdge), b.value(endEdge));
  Value isBetween = b.create<arith::XOrIOp>(b.create<arith::OrIOp>(isFirst, isLast),
                                            b.create<arith::ConstantOp>(b.builder().getBoolAttr(true)));
  // A row that this block has no edges of stays as it is.
  b.branch(
      b.create<arith::AndIOp>(isEmpty, isBetween), [] {},
      [&] {
        startRow();
        switch (where) {
        case Where::Registers:
          return sweepInRegisters();
        case Where::Tiles:
          return foldsBySegment() ? sweepSegments() : sweepThreadTiles();
        case Where::Panels:
        case Where::Memory:
          return sweepInMemory();
        }
      });
}

/// Where the row is in its segments: where the one of its first edge starts, whether it comes with a total, and whether
/// it has one after its edges.
SmallVector<Value> SweepEmitter::placeOfRow() {
  Type i64 = b.builder().getI64Type(), index = b.builder().getIndexType();
  Value position = b.branch(
      function.isGiven("block.row_pos"), index,
      [&]() -> SmallVector<Value> {
        Value positions = function.array("block.row_pos", i64);
        return {b.create<arith::IndexCastOp>(index, b.create<memref::LoadOp>(positions, blockRow))};
      },
      [&]() -> SmallVector<Value> { return {b.value(b.constant(0))}; })[0];
  Value length = b.value(b.constant(GNN_SEGMENT_LENGTH));
  Value endedSegments = b.create<arith::CmpIOp>(arith::CmpIPredicate::uge, position, length);
  Value isNoStart = b.create<arith::XOrIOp>(isFirst, b.create<arith::ConstantOp>(b.builder().getBoolAttr(true)));
  Value comesWithTotal = b.create<arith::AndIOp>(isNoStart, b.create<arith::OrIOp>(endedSegments, hasEveryTotal));
  Value intoSegment = b.create<arith::AndIOp>(position, b.value(b.constant(GNN_SEGMENT_LENGTH - 1)));
  Value start = b.create<arith::SubIOp>(b.value(firstEdge), intoSegment);
  Value endsSegment =
      b.create<arith::CmpIOp>(arith::CmpIPredicate::sle, b.create<arith::AddIOp>(start, length), b.value(endEdge));
  return {start, comesWithTotal, b.create<arith::OrIOp>(comesWithTotal, endsSegment)};
}

/// Emits the code before the edges of a row. On a CPU, almost every row has all of its edges in one call, and fewer
/// than a segment.
void SweepEmitter::startRow() {
  SmallVector<Value> place;
  if (function.machine().isDevice) {
    place = placeOfRow();
  } else {
    Value numEdges = b.create<arith::SubIOp>(b.value(endEdge), b.value(firstEdge));
    Value isShort =
        b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, numEdges, b.value(b.constant(GNN_SEGMENT_LENGTH)));
    Type flag = b.builder().getI1Type();
    place = b.branch(
        b.create<arith::AndIOp>(hasWholeRows, isShort), {b.builder().getIndexType(), flag, flag},
        [&]() -> SmallVector<Value> {
          Value no = b.create<arith::ConstantOp>(b.builder().getBoolAttr(false));
          return {b.value(firstEdge), no, no};
        },
        [&] { return placeOfRow(); });
  }
  firstStart = place[0];
  startsWithTotal = place[1];
  hasTotal = place[2];
  if (!function.machine().isDevice) // there it would be one more register of a loop
    closesTotal = b.create<arith::AndIOp>(isLast, hasTotal);
  stepPlan.emit(fields, Rate::Row, {});
  startMemory();
}

void SweepEmitter::emitEnd() {
  SmallVector<Sink> sinks;
  for (auto [index, value] : llvm::enumerate(yielded))
    sinks.push_back(outputSink(index, value, fields.position.row));
  auto emitSinks = [&] { endPlan.emit(fields, Rate::Row, sinks); };
  if (smallEnd)
    return emitSinks();
  function.syncGroup(); // what reductions gave is in memory
  fields.points.inMemory(emitSinks);
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

void SweepEmitter::bindEdge(Value edge) {
  fields.position.edge = edge;
  if (readsCol) {
    Value cols = function.array(colsArray(), b.builder().getI32Type());
    bindCol(fields.ids.ofEdge(EdgeRun::Number::Col, [&](Value at) { return b.create<memref::LoadOp>(cols, at); }));
  }
  if (hasInput(star::Access::Edge) || !contribute.getEdges().empty())
    bindInputs(kernel.getStep(), star::Access::Edge,
               b.create<arith::IndexCastOp>(b.builder().getIndexType(), fields.ids.edgeId()).getResult());
}

SmallVector<Sink> SweepEmitter::edgeSinks() {
  SmallVector<Sink> sinks;
  if (contribute.getEdges().empty())
    return sinks;
  Value edge = b.create<arith::IndexCastOp>(b.builder().getIndexType(), fields.ids.edgeId());
  for (auto [index, value] : llvm::enumerate(contribute.getEdges()))
    sinks.push_back(outputSink(kernel.getNumRowOutputs() + index, value, edge));
  return sinks;
}

/// The value that an edge adds to a reduction. A normaliser adds the weight, which is relative to its state before the
/// edge.
Value SweepEmitter::contributed(unsigned reduction) {
  star::OnlineSoftmaxOp softmax = kernel.getOnlineSoftmax(reduction);
  return softmax ? softmax.getWeight() : contribute.getValues()[reduction];
}

SmallVector<Value> SweepEmitter::stepState(unsigned reduction, const Point &point, ValueRange state) {
  const Reduction &of = layout.reductions[reduction];
  if (star::OnlineSoftmaxOp softmax = kernel.getOnlineSoftmax(reduction)) {
    Value score = fields.element(softmax.getScore(), point), decay = fields.element(softmax.getDecay(), point);
    Value weight = fields.element(softmax.getWeight(), point);
    Value kept = b.create<arith::MulFOp>(state[1], decay);
    Value sum = b.fused([&] { return b.create<arith::AddFOp>(kept, weight); });
    return {b.create<arith::MaximumFOp>(state[0], score), sum};
  }
  if (of.softmaxSum) {
    Value decay = kernel.getOnlineSoftmax(of.softmaxSum.getNormaliser()).getDecay();
    Value number = states.spread(of, fields.element(decay, states.normaliserPoint(of, point)), point);
    Value value = fields.element(contribute.getValues()[reduction], point);
    return b.fused([&] { return of.aggregator.buildStep(b.builder(), b.loc(), {state[0], number}, value, Value()); });
  }
  Value value = fields.element(contribute.getValues()[reduction], point);
  Value id = of.keepsArg ? fields.points.splat(fields.ids.edgeId(), point) : Value();
  SmallVector<Value> next = b.fused([&] { return of.aggregator.buildStep(b.builder(), b.loc(), state, value, id); });
  if (function.machine().isDevice)
    for (Value &number : next)
      number = fuseProduct(number);
  if (Value filter = contribute.getFilter(reduction)) {
    Value holds = fields.element(filter, {});
    for (auto [now, before] : llvm::zip_equal(next, state))
      now = fields.points.select(holds, now, before);
  }
  return next;
}

/// Where the starts of segments end. The last segment that is added to a total may have no edge.
Value SweepEmitter::endOfSegments() {
  Value end = b.value(endEdge);
  if (!closesTotal)
    return end;
  Value afterEnd = b.create<arith::AddIOp>(end, b.value(b.constant(1)));
  return b.create<arith::SelectOp>(closesTotal, afterEnd, end);
}

/// Folds the edges of the row into `segment`, a segment at a time.
void SweepEmitter::stepSegments(SmallVector<Value> &segment, FoldEdges fold,
                                llvm::function_ref<SmallVector<Value>(ValueRange, Value)> endSegment) {
  Value length = b.value(b.constant(GNN_SEGMENT_LENGTH));
  Value first = b.value(firstEdge), end = b.value(endEdge);
  SmallVector<Type> types = llvm::to_vector(ValueRange(segment).getTypes());
  segment = b.forLoop(firstStart, endOfSegments(), length, segment, [&](Value start, ValueRange carried) {
    Value from = b.create<arith::MaxSIOp>(start, first);
    Value next = b.create<arith::AddIOp>(start, length);
    Value to = b.create<arith::MinSIOp>(next, end);
    SmallVector<Value> folded = fold(from, to, carried);
    Value isWhole = b.create<arith::CmpIOp>(arith::CmpIPredicate::sle, next, end);
    return b.branch(
        closesTotal ? b.create<arith::OrIOp>(isWhole, closesTotal).getResult() : isWhole, types,
        [&] {
          Value isLater = b.create<arith::CmpIOp>(arith::CmpIPredicate::ne, start, firstStart);
          return endSegment(folded, b.create<arith::OrIOp>(startsWithTotal, isLater));
        },
        [&] { return folded; });
  });
}

void emitSweep(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function) {
  SweepEmitter(kernel, layout, function).emit();
}

} // namespace gnnc
