//===- KernelEmitter.cpp - What functions of kernels have in common -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands, and which fields threads that share a row have in registers.
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
  // Threads of a device load as much at a time of what has 16 bits: it is more numbers, which they widen in registers.
  auto inputs = kernel.getInputs().getAsRange<star::OperandAttr>();
  bool narrow = machine.isDevice && llvm::any_of(inputs, [](star::OperandAttr input) {
                  return storedElement(input).getIntOrFloatBitWidth() == 16;
                });
  return machine.vectorBits / (wide ? 64 : narrow ? 16 : 32);
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
  Index size = bits       ? fields.memory.bytesInBits(type)
               : isOfPass ? function.colStride()
                          : function.extent(type.getNumElements());
  return {function.array("tensors " + Twine(index), storedElement(operand)), b.mul(row, size), bits};
}

Type storedElement(star::OperandAttr operand) {
  switch (operand.getStorage()) {
  case star::Storage::Elements:
  case star::Storage::Bits:
    break;
  case star::Storage::Bf16:
    return IntegerType::get(operand.getContext(), 16);
  case star::Storage::F16:
    return Float16Type::get(operand.getContext());
  }
  return operand.getType().getElement();
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
          [this, memory, type](const Point &point, Value value) { fields.memory.store(memory, type, point, value); },
          Value()};
}

bool KernelEmitter::hasInput(star::Access access) {
  return llvm::any_of(kernel.getInputs().getAsRange<star::OperandAttr>(),
                      [&](star::OperandAttr input) { return input.getAccess() == access; });
}

bool KernelEmitter::isEndShort() {
  return llvm::none_of(kernel.getEnd().front(),
                       [](Operation &op) { return costOf(&op) == ElementCost::Transcendental; });
}

Index KernelEmitter::edgeOf(Index row, StringRef array) {
  Value edge = b.create<memref::LoadOp>(function.array(array, b.builder().getI64Type()), b.value(row));
  return b.create<arith::IndexCastOp>(b.builder().getIndexType(), edge).getResult();
}

Value KernelEmitter::tableRow(Value row) {
  if (!function.machine().isDevice)
    return row;
  Value number = b.create<memref::LoadOp>(function.array("block.rows", b.builder().getI32Type()), row);
  return b.create<arith::IndexCastUIOp>(b.builder().getIndexType(), number);
}

/// Other edges may be read between the two: LLVM would see
/// them together where an edge is folded alone only, and the bits would depend on how a row is cut.
Value KernelEmitter::fuseProduct(Value sum) {
  auto add = sum.getDefiningOp<arith::AddFOp>();
  auto product = add ? add.getRhs().getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  if (!product || add.getLhs().getDefiningOp<arith::MulFOp>())
    return sum;
  Value fused = b.create<math::FmaOp>(product.getLhs(), product.getRhs(), add.getLhs());
  add.erase();
  return fused;
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
  auto isInMemory = [&](Value field) {
    auto argument = dyn_cast<BlockArgument>(field);
    return argument && argument.getArgNumber() + numReductions < argument.getOwner()->getNumArguments();
  };
  if (auto broadcast = dyn_cast<gnn::BroadcastOp>(op))
    return isInMemory(broadcast.getOperand()) ||
           llvm::equal(broadcast.getDims(), llvm::seq<int64_t>(0, broadcast.getDims().size()));
  if (auto index = dyn_cast<IndexOp>(op))
    return isInMemory(index.getTable());
  if (auto oneHot = dyn_cast<OneHotOp>(op))
    return oneHot.getDim() + 1 == fieldType(oneHot.getResult()).getRank();
  return isa<ElementwiseOpInterface, gnn::ConstantOp, ExtentOp, EdgeIdOp, EdgeTypeOp, VertexIdOp, DropoutMaskOp,
             star::OnlineSoftmaxOp>(op) ||
         op.hasTrait<OpTrait::IsTerminator>();
}

/// Those that are dealt out: runs of the last dimension take a power of two of them.
static int64_t numVectors(const FieldEmitter &fields, FieldType type) {
  const int64_t last = *type.getDim(type.getRank() - 1).constant();
  return *type.getNumElements().constant() / last * llvm::PowerOf2Ceil(last / fields.points.lanes(type));
}

unsigned KernelEmitter::vectorsIn(unsigned quads) const {
  const unsigned quadsOfVector = fields.points.getMaxLanes() * 32 / function.machine().vectorBits;
  return std::max(quads / std::max(quadsOfVector, 1u), 1u);
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
        return llvm::any_of(widest, [&](FieldType wide) { return Points::isDealtWith(wide, type); });
      }))
    return false;
  uint64_t vectors = 0; // of a thread
  for (FieldType type : widest) {
    if (type.getNumElements().constant().value_or(0) == 0)
      return false;
    vectors += llvm::divideCeil(numVectors(fields, type), function.group().threads);
  }
  const int64_t parts = widest.size() == 1 && mayTakeParts() ? partsOf(widest[0]) : 1;
  constexpr unsigned most = 4;
  if (vectors / parts > vectorsIn(most))
    return false;
  for (Block *block : blocks) {
    // The arguments of `end` that are inputs are in memory.
    unsigned numReductions = block == &kernel.getEnd().front() ? numReductionArguments() : 0;
    if (!llvm::all_of(*block, [&](Operation &op) { return isOfThread(op, widest, numReductions); }))
      return false;
  }
  fields.points.dealOut(widest, parts);
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
  constexpr unsigned most = 2;
  const int64_t maxVectors = std::max<int64_t>(vectorsIn(most) / numKept(widest), 1);
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

} // namespace gnnc
