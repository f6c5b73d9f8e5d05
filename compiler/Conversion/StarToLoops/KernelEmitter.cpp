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
  bool isOfPass = passType && operand.getAccess() == star::Access::Col && !bits && type.getDims() == passType.getDims();
  Index size = bits       ? fields.bytesInBits(type)
               : isOfPass ? function.colStride()
                          : function.extent(type.getNumElements());
  return {function.array("tensors " + Twine(index), storedElement(operand)), b.mul(row, size), bits};
}

Type storedElement(star::OperandAttr operand) {
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

Index KernelEmitter::edgeOf(Index row, StringRef array) {
  Value edge = b.create<memref::LoadOp>(function.array(array, b.builder().getI64Type()), b.value(row));
  return b.create<arith::IndexCastOp>(b.builder().getIndexType(), edge).getResult();
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

/// Those that are dealt out: runs of the last dimension take a power of two of them.
static int64_t numVectors(const FieldEmitter &fields, FieldType type) {
  const int64_t last = *type.getDim(type.getRank() - 1).constant();
  return *type.getNumElements().constant() / last * llvm::PowerOf2Ceil(last / fields.lanes(type));
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
    if (type.getNumElements().constant().value_or(0) == 0)
      return false;
    vectors += llvm::divideCeil(numVectors(fields, type), function.group().threads);
  }
  const int64_t parts = widest.size() == 1 && mayTakeParts() ? partsOf(widest[0]) : 1;
  constexpr uint64_t maxVectors = 4;
  if (vectors / parts > maxVectors)
    return false;
  for (Block *block : blocks) {
    // Of `end` those arguments that are inputs are in memory.
    unsigned numReductions = block == &kernel.getEnd().front() ? numReductionArguments() : 0;
    if (!llvm::all_of(*block, [&](Operation &op) { return isOfThread(op, widest, numReductions); }))
      return false;
  }
  fields.dealOut(widest, parts);
  return true;
}

/// Whether a part of the runs of a row can be computed by itself. What has no dimensions would be folded again in each.
bool KernelEmitter::mayTakeParts() {
  auto hasDims = [](Value value) { return fieldType(value).getRank() > 0; };
  star::ContributeOp contribute = kernel.getContribute();
  return contribute ? llvm::all_of(contribute.getValues(), hasDims)
                    : llvm::all_of(kernel.getYield().getValues().drop_front(kernel.getNumRowOutputs()), hasDims);
}

/// How many of the sums and of what an edge reads of its row are as wide as `widest`: a thread keeps its vectors of
/// each while it goes over the edges.
int64_t KernelEmitter::numKept(FieldType widest) {
  auto isWide = [&](Value value) { return fieldType(value).getDims() == widest.getDims(); };
  star::ContributeOp contribute = kernel.getContribute();
  if (!contribute)
    return 1;
  int64_t kept = llvm::count_if(contribute.getValues(), isWide);
  for (auto [input, argument] :
       llvm::zip(kernel.getInputs().getAsRange<star::OperandAttr>(), kernel.getStep().getArguments()))
    kept += input.getAccess() == star::Access::Row && !argument.use_empty() && isWide(argument);
  return std::max<int64_t>(kept, 1);
}

/// A thread that keeps more than two vectors leaves registers for few threads: the heads of wide rows are computed some
/// at a time, as long as all threads have a vector of those.
int64_t KernelEmitter::partsOf(FieldType widest) {
  const int64_t maxVectors = std::max<int64_t>(2 / numKept(widest), 1);
  const int64_t threads = function.group().threads, vectors = numVectors(fields, widest),
                runs = *widest.getNumElements().constant() / *widest.getDim(widest.getRank() - 1).constant();
  int64_t parts = 1;
  while (vectors / parts > maxVectors * threads && runs % (2 * parts) == 0)
    parts *= 2;
  return parts;
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
/// Merges are rare: on processors they go element by element, which gives the bits of vectors in a fraction of the code.
/// What a row of a device is merged of can be many states: an element stays in registers over all of them.
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
  /// A reduction at a point: what is merged, and of a softmax sum its normaliser after it.
  struct Part {
    unsigned reduction;
    Point point;
  };

  void mergeRow(Value row) {
    const StateMemory total = states.spilledTotal("state", row), segment = states.spilledSegment("state", row);
    for (unsigned index : states.mergeOrder()) {
      forEachElement(index, [&](const Point &point) {
        SmallVector<Part> parts = partsOf(index, point);
        SmallVector<Value> merged;
        for (const Part &part : parts) {
          merged.append(states.load(total, part.reduction, part.point));
          merged.append(states.load(segment, part.reduction, part.point));
        }
        merged = foldStates(row, parts, merged);
        const unsigned components = layout.reductions[index].componentTypes.size();
        states.store(total, index, point, ValueRange(merged).take_front(components));
        states.store(segment, index, point, ValueRange(merged).slice(components, components));
      });
      function.syncGroup(); // a normaliser changes when its sums have been merged
    }
  }

  SmallVector<Part> partsOf(unsigned index, const Point &point) {
    SmallVector<Part> parts = {{index, point}};
    const Reduction &reduction = layout.reductions[index];
    if (reduction.softmaxSum)
      parts.push_back({reduction.softmaxSum.getNormaliser(), states.normaliserPoint(reduction, point)});
    return parts;
  }

  /// `before`, by part total and segment, with all the states that the row is to be merged with.
  SmallVector<Value> foldStates(Value row, ArrayRef<Part> parts, ValueRange before) {
    if (!function.machine().isDevice)
      return mergeWith(row, parts, before);
    return b.forLoop(edgeOf(row, "block.offsets"), edgeOf(row, "block.ends"), b.constant(1), before,
                     [&](Value right, ValueRange merged) { return mergeWith(right, parts, merged); });
  }

  SmallVector<Value> mergeWith(Value right, ArrayRef<Part> parts, ValueRange merged) {
    const StateMemory rightTotal = states.spilledTotal("state_in", right),
                      rightSegment = states.spilledSegment("state_in", right);
    auto leftTotal = [&](unsigned index, const Point &) { return stateOf(parts, merged, index, /*isSegment=*/false); };
    auto leftSegment = [&](unsigned index, const Point &) { return stateOf(parts, merged, index, /*isSegment=*/true); };
    auto left = [&](unsigned index, const Point &point) { return states.merge(index, point, leftTotal, leftSegment); };
    auto ofRight = [&](unsigned index, const Point &point) { return states.load(rightTotal, index, point); };
    SmallVector<Value> next;
    for (const Part &part : parts) {
      next.append(states.merge(part.reduction, part.point, left, ofRight));
      next.append(states.load(rightSegment, part.reduction, part.point));
    }
    return next;
  }

  SmallVector<Value> stateOf(ArrayRef<Part> parts, ValueRange values, unsigned index, bool isSegment) {
    for (const Part &part : parts) {
      const unsigned components = layout.reductions[part.reduction].componentTypes.size();
      if (part.reduction == index)
        return llvm::to_vector(values.slice(isSegment ? components : 0, components));
      values = values.drop_front(2 * components);
    }
    llvm_unreachable("a merge reads no reduction but its own and its normaliser");
  }

  void forEachElement(unsigned reduction, llvm::function_ref<void(const Point &)> body) {
    FieldType type = layout.reductions[reduction].type;
    if (layout.inPasses)
      b.forLoop(function.passBegin(), function.passEnd(), b.constant(1), [&](Value iv) { body({{iv}, 0, Value()}); });
    else if (type.getRank() == 0)
      function.onFirstThread([&] { body(Point()); });
    else
      fields.forEachPoint(type, /*scalar=*/!function.machine().isDevice, body);
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
      fields.unrolled ? fields.forEachPart([&] { emitInRegisters(); }) : emitInMemory();
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
