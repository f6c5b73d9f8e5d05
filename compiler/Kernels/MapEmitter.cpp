//===- MapEmitter.cpp - Functions of maps ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelEmitter.h"
#include "compiler/Kernels/SweepPlan.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

namespace {
class MapEmitter : KernelEmitter {
public:
  MapEmitter(star::KernelOp kernel, KernelFunction &function)
      : KernelEmitter(kernel, function), yielded(kernel.getYield().getValues()), plan(kernel.getEnd(), yielded),
        numRows(kernel.getNumRowOutputs()) {}

  void emit() {
    constexpr unsigned maxPoints = 8;
    std::optional<DealPlan> deal;
    if (function.threads.group().threads > 1)
      deal = planDeal(kernel, function.machine(), /*withEnd=*/true);
    if (deal)
      fields.points.dealOut(deal->widest, deal->parts);
    else if (function.threads.group().threads == 1)
      fields.points.unrolled = plan.isSmall(fields.points.shape.maxLanes, maxPoints);
    fields.points.scalarRest =
        !function.machine().hasWholeVectors && !function.machine().hasMasks && isEndShort(kernel);
    bindInputs(kernel.getEnd(), star::Access::Whole, b.constant(0));
    plan.emit(fields, Rate::Call, {});
    function.threads.forEachRows(yielded.size() > numRows ? Threads::Rows::InSlots : Threads::Rows::All,
                                 [&](Index first, Index last, Index by, Index slot) {
                                   from = first, to = last, step = by, slotIndex = slot;
                                   fields.points.unrolled ? fields.points.forEachPart([&] { emitInRegisters(); })
                                                          : emitInMemory();
                                 });
  }

private:
  SmallVector<Sink> rowSinks(Value row) {
    SmallVector<Sink> sinks;
    for (unsigned i = 0; i < numRows; ++i)
      sinks.push_back(outputSink(i, yielded[i], row));
    return sinks;
  }

  /// The memory of total `index` in the slot.
  Memory slot(unsigned index) {
    FieldType type = kernel.getOutput(index).getType();
    Value bytes = function.array("state", b.i8());
    return b.at(b.scopeOf(slotIndex), [&]() -> Memory {
      Value count = b.value(function.extent(type.getNumElements()));
      Index start =
          b.add(b.mul(slotIndex, function.extent(totalsBytes(kernel))), function.extent(totalOffset(kernel, index)));
      return {
          b.create<memref::ViewOp>(function.memoryType(type.getElement()), bytes, b.value(start), ValueRange{count}),
          b.constant(0)};
    });
  }

  void beginRow(Value row) {
    fields.position.row = row;
    bindInputs(kernel.getEnd(), star::Access::Row, row);
  }

  /// Total `index` with one more value. Only the value of a state is kept: a total has no use for an arg.
  Value fold(unsigned index, Value total, Value value, const Point &point) {
    AggregatorInterface aggregator = kernel.getAggregator(index - numRows);
    Values state = {total};
    if (aggregator.tracksArg())
      state.push_back(fields.points.constant(b.builder().getI64IntegerAttr(0), point));
    return aggregator.buildStep(b.builder(), b.loc(), state, value, Value())[0];
  }

  void emitInRegisters() {
    struct Part {
      unsigned output;
      Point point;
    };
    SmallVector<Part> parts;
    Values sums;
    for (unsigned i = numRows; i < yielded.size(); ++i) {
      FieldType type = kernel.getOutput(i).getType();
      for (const Point &point : fields.points.all(type)) {
        parts.push_back({i, point});
        sums.push_back(fields.memory.load(slot(i), type.getElement(), type, point));
      }
    }
    sums = b.forLoop(from, to, step, sums, [&](Value row, ValueRange carried) {
      beginRow(row);
      plan.emit(fields, Rate::Row, rowSinks(row));
      Values next;
      for (auto [part, sum] : llvm::zip_equal(parts, carried))
        next.push_back(fold(part.output, sum, fields.element(yielded[part.output], part.point), part.point));
      return next;
    });
    function.threads.sync(); // all threads have read what the totals were
    for (auto [part, sum] : llvm::zip_equal(parts, sums))
      fields.memory.store(slot(part.output), kernel.getOutput(part.output).getType(), part.point, sum);
  }

  void emitInMemory() {
    b.forLoop(from, to, step, [&](Value row) {
      beginRow(row);
      SmallVector<Sink> sinks = rowSinks(row);
      for (unsigned i = numRows; i < yielded.size(); ++i) {
        FieldType type = kernel.getOutput(i).getType();
        Memory memory = slot(i);
        sinks.push_back({yielded[i], type, [this, i, memory, type](const Point &point, Value value) {
                           auto update = [&] {
                             Value total = fields.memory.load(memory, type.getElement(), type, point);
                             fields.memory.store(memory, type, point, fold(i, total, value, point));
                           };
                           // One number belongs to one thread.
                           point.coords.empty() ? function.threads.onFirstThread(update) : update();
                         }});
      }
      plan.emit(fields, Rate::Row, sinks);
    });
  }

  Values yielded;
  RegionPlan plan;
  unsigned numRows;
  Index from, to, step; // rows
  Index slotIndex;      // where totals are
};
} // namespace

void emitMap(star::KernelOp kernel, KernelFunction &function) { MapEmitter(kernel, function).emit(); }

} // namespace gnnc
