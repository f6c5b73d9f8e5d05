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

unsigned KernelEmitter::maxLanes(star::KernelOp kernel, const Machine &machine) {
  auto isDouble = [](Type type) { return cast<FieldType>(type).getElement().isF64(); };
  bool wide = false;
  kernel.walk([&](Operation *op) {
    wide |=
        op != kernel && (llvm::any_of(op->getOperandTypes(), isDouble) || llvm::any_of(op->getResultTypes(), isDouble));
  });
  return machine.vectorBits / (wide ? 64 : 32);
}

KernelEmitter::KernelEmitter(star::KernelOp kernel, KernelFunction &function)
    : kernel(kernel), function(function), b(function.loops()), fields(function, maxLanes(kernel, function.machine())) {
  fields.position.rowsAreDestinations = kernel.getToward() != End::Source;
}

Memory KernelEmitter::operand(unsigned index, star::OperandAttr operand, Index row) {
  FieldType type = operand.getType();
  // Threads that share a row would write bits of the same byte.
  bool bits = operand.getStorage() == star::Storage::Bits && !function.machine().isDevice;
  Index size = bits ? fields.bytesInBits(type) : function.extent(type.getNumElements());
  return {function.array("tensors " + Twine(index), storedElement(operand)), b.mul(row, size), bits};
}

Type KernelEmitter::storedElement(star::OperandAttr operand) {
  bool isBf16 = operand.getStorage() == star::Storage::Bf16;
  return isBf16 ? IntegerType::get(operand.getContext(), 16) : operand.getType().getElement();
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

bool KernelEmitter::hasBf16() {
  return llvm::any_of(kernel.getInputs().getAsRange<star::OperandAttr>(),
                      [](star::OperandAttr input) { return input.getStorage() == star::Storage::Bf16; });
}

static auto dimsOf(ArrayRef<FieldType> types) {
  return llvm::map_range(types, [](FieldType type) { return type.getDims(); });
}

/// Whether a thread that has an element of the result has, or finds in memory, the elements that it is made of.
static bool isOfThread(Operation &op, ArrayRef<FieldType> widest, unsigned numReductions) {
  if (auto reduce = dyn_cast<gnn::ReduceOp>(op)) {
    FieldType from = fieldType(reduce.getOperand());
    SmallVector<Type> states = cast<AggregatorInterface>(reduce.getAggregator()).getStateTypes(from.getElement());
    return reduce.getDim() + 1 == from.getRank() && llvm::is_contained(dimsOf(widest), from.getDims()) &&
           llvm::all_of(states, [](Type type) { return type.getIntOrFloatBitWidth() == 32; });
  }
  if (auto broadcast = dyn_cast<gnn::BroadcastOp>(op)) {
    auto argument = dyn_cast<BlockArgument>(broadcast.getOperand());
    bool isInMemory = argument && argument.getArgNumber() + numReductions < argument.getOwner()->getNumArguments();
    return isInMemory || llvm::equal(broadcast.getDims(), llvm::seq<int64_t>(0, broadcast.getDims().size()));
  }
  if (auto oneHot = dyn_cast<OneHotOp>(op))
    return oneHot.getDim() + 1 == fieldType(oneHot.getResult()).getRank();
  return isa<ElementwiseOpInterface, gnn::ConstantOp, ExtentOp, EdgeIdOp, EdgeTypeOp, VertexIdOp, DropoutMaskOp,
             star::OnlineSoftmaxOp>(op) ||
         op.hasTrait<OpTrait::IsTerminator>();
}

bool KernelEmitter::dealOut(bool withEnd) {
  SmallVector<Block *> blocks;
  SmallVector<FieldType> held;
  if (star::ContributeOp contribute = kernel.getContribute()) {
    blocks.push_back(&kernel.getStep().front());
    for (Value value : contribute->getOperands())
      held.push_back(fieldType(value));
  }
  if (withEnd) {
    blocks.push_back(&kernel.getEnd().front());
    for (Value value : kernel.getYield().getValues())
      held.push_back(fieldType(value));
  }
  for (Block *block : blocks)
    for (auto reduce : block->getOps<gnn::ReduceOp>())
      held.push_back(fieldType(reduce.getOperand()));
  if (held.empty())
    return false;
  SmallVector<FieldType> widest = {
      *llvm::max_element(held, [](FieldType left, FieldType right) { return left.getRank() < right.getRank(); })};
  for (FieldType type : held)
    if (widest[0].getRank() == 1 && type.getRank() == 1 && !llvm::is_contained(dimsOf(widest), type.getDims()))
      widest.push_back(type);
  if (widest[0].getRank() == 0 || !llvm::all_of(held, [&](FieldType type) {
        return llvm::any_of(widest, [&](FieldType wide) { return FieldEmitter::isDealtWith(wide, type); });
      }))
    return false;
  uint64_t vectors = 0; // of a thread
  for (FieldType type : widest) {
    const int64_t elements = type.getNumElements().constant().value_or(0);
    if (elements == 0)
      return false;
    const int64_t last = *type.getDim(type.getRank() - 1).constant();
    vectors += llvm::divideCeil(elements / last * llvm::PowerOf2Ceil(last / fields.lanes(type)),
                                function.group().threads);
  }
  constexpr uint64_t maxVectors = 4;
  if (vectors > maxVectors)
    return false;
  for (Block *block : blocks) {
    // Of `end` those arguments that are inputs are in memory.
    unsigned numReductions = block == &kernel.getEnd().front() ? numReductionArguments() : 0;
    if (!llvm::all_of(*block, [&](Operation &op) { return isOfThread(op, widest, numReductions); }))
      return false;
  }
  fields.dealOut(widest);
  return true;
}

/// The arguments of `end` that are results of reductions: values, and the edges that won.
unsigned KernelEmitter::numReductionArguments() {
  if (!kernel.isSweep() || kernel.getAggregators().empty())
    return 0;
  return kernel.getEnd().getNumArguments() - cast<BlockArgument>(kernel.getReduction(0)).getArgNumber();
}

LogicalResult verifyKernels(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!op->getParentOfType<star::KernelOp>() || op->hasTrait<OpTrait::IsTerminator>() ||
        isa<ElementwiseOpInterface, gnn::ConstantOp, ExtentOp, EdgeIdOp, EdgeTypeOp, VertexIdOp, DropoutMaskOp,
            gnn::BroadcastOp, OneHotOp, ReshapeOp, SliceOp, ConcatOp, PadOp, gnn::TransposeOp, IndexOp, gnn::ReduceOp,
            ArgReduceOp, MatMulOp, MatMulTNOp, TypedMatMulOp, star::OnlineSoftmaxOp>(op))
      return WalkResult::advance();
    op->emitOpError("cannot stand in a kernel");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Merge
//===----------------------------------------------------------------------===//

namespace {
/// Merges are rare: element by element, which gives the bits of vectors in a fraction of the code.
class MergeEmitter : KernelEmitter {
public:
  MergeEmitter(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function)
      : KernelEmitter(kernel, function), layout(layout), states(fields, layout) {}

  void emit() {
    function.forEachRows(/*inSlots=*/false, [&](Index from, Index to, Index step, Index) {
      b.forLoop(from, to, step, [&](Value row) { mergeRow(row); });
    });
  }

private:
  void mergeRow(Value row) {
    StateMemory total = states.spilledTotal("state", row), segment = states.spilledSegment("state", row);
    StateMemory rightTotal = states.spilledTotal("state_in", row),
                rightSegment = states.spilledSegment("state_in", row);
    auto at = [&](const StateMemory &memory) {
      return [&](unsigned index, const Point &point) { return states.load(memory, index, point); };
    };
    auto left = [&](unsigned index, const Point &point) { return states.merge(index, point, at(total), at(segment)); };
    for (unsigned index : states.mergeOrder())
      forEachElement(index, [&](const Point &point) {
        states.store(total, index, point, states.merge(index, point, left, at(rightTotal)));
        states.store(segment, index, point, states.load(rightSegment, index, point));
      });
  }

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

void emitMerge(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function) {
  MergeEmitter(kernel, layout, function).emit();
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

namespace {
class MapEmitter : KernelEmitter {
public:
  MapEmitter(star::KernelOp kernel, KernelFunction &function)
      : KernelEmitter(kernel, function), yielded(kernel.getYield().getValues()), plan(kernel.getEnd(), yielded),
        numRows(kernel.getNumRowOutputs()) {}

  void emit() {
    constexpr unsigned maxPoints = 8;
    if (function.group().threads > 1)
      dealOut(/*withEnd=*/true);
    else
      fields.unrolled = plan.isSmall(fields.getMaxLanes(), maxPoints);
    bindInputs(kernel.getEnd(), star::Access::Whole, b.constant(0));
    plan.emit(fields, Rate::Call, {});
    function.forEachRows(/*inSlots=*/yielded.size() > numRows, [&](Index first, Index last, Index by, Index slot) {
      from = first, to = last, step = by, slotIndex = slot;
      fields.unrolled ? emitInRegisters() : emitInMemory();
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
    DimExpr offset;
    for (unsigned i = numRows; i < index; ++i)
      offset = *offset.add(totalBytes(i));
    FieldType type = kernel.getOutput(index).getType();
    Value bytes = function.array("state", b.builder().getIntegerType(8));
    return b.at(b.scopeOf(slotIndex), [&]() -> Memory {
      Value count = b.value(function.extent(type.getNumElements()));
      Index start = b.add(b.mul(slotIndex, function.extent(totalsBytes(kernel))), function.extent(offset));
      return {
          b.create<memref::ViewOp>(function.memoryType(type.getElement()), bytes, b.value(start), ValueRange{count}),
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
    sums = b.forLoop(from, to, step, sums, [&](Value row, ValueRange carried) {
      beginRow(row);
      plan.emit(fields, Rate::Row, rowSinks(row));
      SmallVector<Value> next;
      for (auto [part, sum] : llvm::zip_equal(parts, carried))
        next.push_back(fold(part.output, sum, fields.element(yielded[part.output], part.point), part.point));
      return next;
    });
    function.syncGroup(); // all threads have read what the totals were
    for (auto [part, sum] : llvm::zip_equal(parts, sums))
      fields.store(slot(part.output), kernel.getOutput(part.output).getType(), part.point, sum);
  }

  void emitInMemory() {
    b.forLoop(from, to, step, [&](Value row) {
      beginRow(row);
      SmallVector<Sink> sinks = rowSinks(row);
      for (unsigned i = numRows; i < yielded.size(); ++i) {
        FieldType type = kernel.getOutput(i).getType();
        Memory memory = slot(i);
        sinks.push_back({yielded[i], type,
                         [this, i, memory, type](const Point &point, Value value) {
                           auto update = [&] {
                             Value total = fields.load(memory, type.getElement(), type, point);
                             fields.store(memory, type, point, fold(i, total, value, point));
                           };
                           // One number belongs to one thread.
                           point.coords.empty() ? function.onFirstThread(update) : update();
                         },
                         Value()});
      }
      plan.emit(fields, Rate::Row, sinks);
    });
  }

  SmallVector<Value> yielded;
  RegionPlan plan;
  unsigned numRows;
  Index from, to, step; // rows
  Index slotIndex;      // where totals are
};
} // namespace

void emitMap(star::KernelOp kernel, KernelFunction &function) { MapEmitter(kernel, function).emit(); }

DimExpr totalsBytes(star::KernelOp kernel) {
  DimExpr bytes;
  for (unsigned i = kernel.getNumRowOutputs(); i < kernel.getOutputs().size(); ++i) {
    FieldType type = kernel.getOutput(i).getType();
    bytes = *bytes.add(*type.getNumElements().mul(DimExpr(storageBytes(type.getElement()))));
  }
  return bytes;
}

} // namespace gnnc
