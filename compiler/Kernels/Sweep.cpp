//===- Sweep.cpp - The parts of a sweep that all states share -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/Sweep.h"
#include "gnn/program.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

Sweep::Sweep(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function)
    : KernelEmitter(kernel, function), layout(layout), plan(planSweep(kernel, layout, function.machine())),
      states(fields, layout), contribute(kernel.getContribute()), yielded(kernel.getYield().getValues()),
      stepPlan(RegionPlan::ofStep(kernel)), endPlan(RegionPlan::ofEnd(kernel)), edges(*this, plan) {
  if (layout.inPasses && !isAtMostOnePass(layout))
    passType = layout.reductions[0].contributed;
}

void Sweep::allocate() {
  totals = states.allocate([](const Reduction &) { return true; }, /*spare=*/false);
  segments = states.allocate([&](const Reduction &reduction) { return plan.foldsBySegment || isInMemory(reduction); },
                             /*spare=*/true);
  for (auto [index, reduction] : llvm::enumerate(layout.reductions)) {
    finished.emplace_back();
    SmallVector<Memory> &results = finished.back();
    if (isInMemory(reduction) || plan.foldsBySegment) {
      assert(reduction.componentTypes[0] == reduction.type.getElement() && "a value takes the place of its state");
      const SmallVector<Memory> &state = isInMemory(reduction) ? segments[index] : totals[index];
      results.assign(state.begin(), state.begin() + (reduction.keepsArg ? 2 : 1));
    } else if (plan.end == EndPlace::Memory) {
      bool ofThread = reduction.type.getRank() == 0;
      results.push_back(function.buffer(reduction.type.getNumElements(), reduction.type.getElement(), ofThread));
      if (reduction.keepsArg)
        results.push_back(function.buffer(reduction.type.getNumElements(), b.i64(), ofThread));
    }
  }
}

/// The value that an edge adds to a reduction. A normaliser adds the weight, which is relative to its state before the
/// edge.
Value Sweep::contributed(unsigned reduction) {
  star::OnlineSoftmaxOp softmax = kernel.getOnlineSoftmax(reduction);
  return softmax ? softmax.getWeight() : contribute.getValues()[reduction];
}

Values Sweep::stepState(unsigned reduction, const Point &point, ValueRange state) {
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
  return step(of.aggregator, state, value, id, contribute.getFilter(reduction), plan.fusesProducts);
}

SmallVector<Sink> Sweep::edgeSinks() {
  SmallVector<Sink> sinks;
  if (contribute.getEdges().empty())
    return sinks;
  Value edge = b.toIndex(fields.ids.edgeId());
  for (auto [index, value] : llvm::enumerate(contribute.getEdges()))
    sinks.push_back(outputSink(kernel.getNumRowOutputs() + index, value, edge));
  return sinks;
}

void Sweep::storeFinished(unsigned reduction, const Point &point, StateAt state) {
  Values values = states.finish(reduction, point, state);
  for (auto [memory, value] : llvm::zip_equal(finished[reduction], values))
    fields.memory.store(memory, layout.reductions[reduction].type, point, value);
}

void Sweep::bindFinished() {
  for (auto [reduction, memories] : llvm::zip_equal(layout.reductions, finished))
    for (auto [index, memory] : llvm::enumerate(memories))
      fields.bind(index == 0 ? reduction.result : argOf(reduction.result), memory, b.top());
}

void Sweep::emitEnd() {
  SmallVector<Sink> sinks;
  for (auto [index, value] : llvm::enumerate(yielded))
    sinks.push_back(outputSink(index, value, fields.position.row));
  auto emitSinks = [&] { endPlan.emit(fields, Rate::Row, sinks); };
  if (plan.end == EndPlace::Registers)
    return emitSinks();
  function.threads.sync(); // what reductions gave is in memory
  fields.points.inMemory(emitSinks);
}

/// Where the starts of segments end. The last segment that is added to a total may have no edge. Where all tiles fold a
/// segment before any folds the next, a row without edges has a segment, too.
Value Sweep::endOfSegments() {
  Value end = b.value(row.endEdge), afterFirst;
  if (plan.foldsBySegment)
    afterFirst = b.addHere(row.firstStart, b.constant(1));
  if (row.closesTotal) {
    Value afterEnd = b.addHere(end, b.constant(1));
    end = b.select(row.closesTotal, afterEnd, end);
  }
  return afterFirst ? b.max(end, afterFirst) : end;
}

void Sweep::sweepRow(RowStates &ofRow) {
  Values segment = ofRow.open();
  Value length = b.value(b.constant(GNN_SEGMENT_LENGTH));
  Value first = b.value(row.firstEdge), end = b.value(row.endEdge);
  SmallVector<Type> types = llvm::to_vector(ValueRange(segment).getTypes());
  segment = b.forLoop(row.firstStart, endOfSegments(), length, segment, [&](Value start, ValueRange carried) {
    auto afterStart = [&] { return b.addHere(start, length); };
    auto isNotFirst = [&] { return b.differ(start, row.firstStart); };
    Value isLater = plan.foldsBySegment ? isNotFirst() : Value(), next = isLater ? afterStart() : Value();
    Value from = b.max(start, first);
    next = next ? next : afterStart();
    Value to = b.min(next, end);
    Values folded = ofRow.fold(isLater, from, to, carried);
    Value isWhole = b.compare(arith::CmpIPredicate::sle, next, end);
    return b.branch(
        row.closesTotal ? b.either(isWhole, row.closesTotal) : isWhole, types,
        [&] {
          Value hadSegment = isLater ? isLater : isNotFirst();
          return ofRow.close(folded, b.either(row.startsWithTotal, hadSegment));
        },
        [&] { return folded; });
  });
  segment = ofRow.leave(segment);
  b.branch(
      row.isLast, [&] { ofRow.finish(segment); }, [&] { ofRow.spill(segment); });
}

} // namespace gnnc
