//===- KernelEmitter.cpp - Functions of kernels ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands, and the two kernels that are plain loops: merges of states, and maps.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/KernelEmitter.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

unsigned KernelEmitter::maxLanes(star::KernelOp kernel, Isa isa) {
  auto isDouble = [](Type type) { return cast<FieldType>(type).getElement().isF64(); };
  bool wide = false;
  kernel.walk([&](Operation *op) {
    wide |=
        op != kernel && (llvm::any_of(op->getOperandTypes(), isDouble) || llvm::any_of(op->getResultTypes(), isDouble));
  });
  return vectorBits(isa) / (wide ? 64 : 32);
}

KernelEmitter::KernelEmitter(star::KernelOp kernel, KernelFunction &function, Isa isa)
    : kernel(kernel), function(function), b(function.loops()), fields(function, maxLanes(kernel, isa)), isa(isa) {
  fields.position.rowsAreDestinations = kernel.getToward() != End::Source;
}

Memory KernelEmitter::operand(unsigned index, star::OperandAttr operand, Index row) {
  FieldType type = operand.getType();
  bool bits = operand.getStorage() == star::Storage::Bits;
  Index size = bits ? fields.bytesInBits(type) : function.extent(type.getNumElements());
  return {function.array("tensors " + Twine(index), type.getElement()), b.mul(row, size), bits};
}

void KernelEmitter::bindInputs(Region &region, star::Access access, Index row) {
  // Arguments are in the order of the inputs; `end` has no columns and no edges.
  bool isEnd = &region == &kernel.getEnd();
  unsigned argument = 0;
  for (auto [index, input] : llvm::enumerate(kernel.getInputs().getAsRange<star::OperandAttr>())) {
    if (isEnd && (input.getAccess() == star::Access::Col || input.getAccess() == star::Access::Edge))
      continue;
    Value field = region.getArgument(argument++);
    if (input.getAccess() == access && !field.use_empty())
      fields.bind(field, operand(index, input, row), b.scopeOf(row));
  }
}

Sink KernelEmitter::outputSink(unsigned index, Value field, Index row) {
  FieldType type = kernel.getOutput(index).getType();
  Memory memory = operand(kernel.getInputs().size() + index, kernel.getOutput(index), row);
  return {field, type,
          [this, memory, type](const Point &point, Value value) { fields.store(memory, type, point, value); }, Value()};
}

bool KernelEmitter::hasInput(star::Access access) {
  return llvm::any_of(kernel.getInputs().getAsRange<star::OperandAttr>(),
                      [&](star::OperandAttr input) { return input.getAccess() == access; });
}

//===----------------------------------------------------------------------===//
// Merge
//===----------------------------------------------------------------------===//

namespace {
/// Merges are rare: element by element, which gives the bits of vectors in a fraction of the code.
class MergeEmitter : KernelEmitter {
public:
  MergeEmitter(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function, Isa isa)
      : KernelEmitter(kernel, function, isa), layout(layout), states(fields, layout) {}

  void emit() {
    b.forLoop(function.begin(), function.end(), b.constant(1), [&](Value row) {
      StateMemory total = states.spilledTotal("state", row), segment = states.spilledSegment("state", row);
      StateMemory rightTotal = states.spilledTotal("state_in", row),
                  rightSegment = states.spilledSegment("state_in", row);
      auto at = [&](const StateMemory &memory) {
        return [&](unsigned index, const Point &point) { return states.load(memory, index, point); };
      };
      auto left = [&](unsigned index, const Point &point) {
        return states.merge(index, point, at(total), at(segment));
      };
      for (unsigned index : states.mergeOrder())
        forEachElement(index, [&](const Point &point) {
          states.store(total, index, point, states.merge(index, point, left, at(rightTotal)));
          states.store(segment, index, point, states.load(rightSegment, index, point));
        });
    });
  }

private:
  void forEachElement(unsigned reduction, llvm::function_ref<void(const Point &)> body) {
    if (layout.inPasses)
      b.forLoop(function.passBegin(), function.passEnd(), b.constant(1), [&](Value iv) { body({{iv}, 0, Value()}); });
    else
      fields.forEachPoint(layout.reductions[reduction].type, /*scalar=*/true, body);
  }

  const StateLayout &layout;
  StateEmitter states;
};
} // namespace

void emitMerge(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function, Isa isa) {
  MergeEmitter(kernel, layout, function, isa).emit();
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

namespace {
class MapEmitter : KernelEmitter {
public:
  MapEmitter(star::KernelOp kernel, KernelFunction &function, Isa isa)
      : KernelEmitter(kernel, function, isa), yielded(kernel.getYield().getValues()), plan(kernel.getEnd(), yielded),
        numRows(kernel.getNumRowOutputs()) {}

  void emit() {
    constexpr unsigned maxPoints = 8;
    fields.unrolled = plan.isSmall(fields.getMaxLanes(), maxPoints);
    bindInputs(kernel.getEnd(), star::Access::Whole, b.constant(0));
    b.contract = true;
    plan.emit(fields, Rate::Call, {});
    fields.unrolled ? emitInRegisters() : emitInMemory();
    b.contract = false;
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
    DimExpr offset;
    for (unsigned i = numRows; i < index; ++i)
      offset = *offset.add(totalBytes(i));
    FieldType type = kernel.getOutput(index).getType();
    Value bytes = function.array("state", b.builder().getIntegerType(8));
    auto memref = MemRefType::get({ShapedType::kDynamic}, storageType(type.getElement()));
    return b.at(0, [&]() -> Memory {
      Value count = b.value(function.extent(type.getNumElements()));
      return {b.create<memref::ViewOp>(memref, bytes, b.value(function.extent(offset)), ValueRange{count}),
              b.constant(0)};
    });
  }

  DimExpr totalBytes(unsigned index) {
    FieldType type = kernel.getOutput(index).getType();
    return *type.getNumElements().mul(DimExpr(storageBytes(type.getElement())));
  }

  void beginRow(Value row) {
    fields.position.row = row;
    bindInputs(kernel.getEnd(), star::Access::Row, row);
  }

  /// Total `index` with one more value. Only the value of a state is kept: a total has no use for an arg.
  Value fold(unsigned index, Value total, Value value, const Point &point) {
    AggregatorInterface aggregator = kernel.getAggregator(index - numRows);
    SmallVector<Value> state = {total};
    if (aggregator.tracksArg())
      state.push_back(fields.constant(b.builder().getI64IntegerAttr(0), point));
    return aggregator.buildStep(b.builder(), b.loc(), state, value, Value())[0];
  }

  void emitInRegisters() {
    struct Part {
      unsigned output;
      Point point;
    };
    SmallVector<Part> parts;
    SmallVector<Value> sums;
    for (unsigned i = numRows; i < yielded.size(); ++i)
      for (const Point &point : fields.points(kernel.getOutput(i).getType())) {
        parts.push_back({i, point});
        sums.push_back(
            fields.load(slot(i), kernel.getOutput(i).getType().getElement(), kernel.getOutput(i).getType(), point));
      }
    sums = b.forLoop(function.begin(), function.end(), b.constant(1), sums, [&](Value row, ValueRange carried) {
      beginRow(row);
      plan.emit(fields, Rate::Row, rowSinks(row));
      SmallVector<Value> next;
      for (auto [part, sum] : llvm::zip_equal(parts, carried))
        next.push_back(fold(part.output, sum, fields.element(yielded[part.output], part.point), part.point));
      return next;
    });
    for (auto [part, sum] : llvm::zip_equal(parts, sums))
      fields.store(slot(part.output), kernel.getOutput(part.output).getType(), part.point, sum);
  }

  void emitInMemory() {
    b.forLoop(function.begin(), function.end(), b.constant(1), [&](Value row) {
      beginRow(row);
      SmallVector<Sink> sinks = rowSinks(row);
      for (unsigned i = numRows; i < yielded.size(); ++i) {
        FieldType type = kernel.getOutput(i).getType();
        Memory memory = slot(i);
        sinks.push_back({yielded[i], type,
                         [this, i, memory, type](const Point &point, Value value) {
                           Value total = fields.load(memory, type.getElement(), type, point);
                           fields.store(memory, type, point, fold(i, total, value, point));
                         },
                         Value()});
      }
      plan.emit(fields, Rate::Row, sinks);
    });
  }

  SmallVector<Value> yielded;
  RegionPlan plan;
  unsigned numRows;
};
} // namespace

void emitMap(star::KernelOp kernel, KernelFunction &function, Isa isa) { MapEmitter(kernel, function, isa).emit(); }

DimExpr totalsBytes(star::KernelOp kernel) {
  DimExpr bytes;
  for (unsigned i = kernel.getNumRowOutputs(); i < kernel.getOutputs().size(); ++i) {
    FieldType type = kernel.getOutput(i).getType();
    bytes = *bytes.add(*type.getNumElements().mul(DimExpr(storageBytes(type.getElement()))));
  }
  return bytes;
}

} // namespace gnnc
