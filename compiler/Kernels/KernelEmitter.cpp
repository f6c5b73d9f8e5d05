//===- KernelEmitter.cpp - What functions of kernels have in common -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands, and which fields threads that share a row have in registers.
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelEmitter.h"
#include "compiler/Kernels/KernelElements.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

KernelEmitter::KernelEmitter(star::KernelOp kernel, KernelFunction &function)
    : kernel(kernel), function(function), b(function.loops()),
      fields(function, VectorShape::of(kernel, function.machine())) {
  fields.position.rowsAreDestinations = kernel.getToward() != End::Source;
}

Memory KernelEmitter::operand(unsigned index, star::OperandAttr operand, Index row) {
  FieldType type = operand.getType();
  // Threads that share a row would write bits of the same byte.
  bool bits = operand.getStorage() == star::Storage::Bits && !function.threads.areMany();
  bool isOfPass = passType && operand.getAccess() == star::Access::Col && !bits && type.getDims() == passType.getDims();
  Index size = bits       ? fields.memory.bytesInBits(type)
               : isOfPass ? function.index("col_stride")
                          : function.extent(type.getNumElements());
  return {function.array("tensors " + Twine(index), storedElement(operand)), b.mul(row, size), bits};
}

void KernelEmitter::bindInputs(Region &region, star::Access access, Index row) {
  // Arguments are in the order of the inputs; `end` has no columns and no edges.
  bool isEnd = &region == &kernel.getEnd();
  unsigned argument = 0;
  for (auto [index, input] : llvm::enumerate(inputsOf(kernel))) {
    if (isEnd && (input.getAccess() == star::Access::Col || input.getAccess() == star::Access::Edge))
      continue;
    Value field = region.getArgument(argument++);
    if (input.getAccess() == access && !field.use_empty())
      fields.bind(field, operand(index, input, row), b.scopeOf(row));
  }
}

Sink KernelEmitter::outputSink(unsigned index, Value field, Index row) {
  star::OperandAttr output = kernel.getOutput(index);
  return Sink::store(fields, field, output.getType(), operand(kernel.getInputs().size() + index, output, row));
}

Index KernelEmitter::edgeOf(Index row, StringRef array) {
  return b.toIndex(b.load(function.array(array, b.i64()), row));
}

Value KernelEmitter::positionInRow(Value rowOfBlock) {
  return b.choose(
      function.isGiven("block.row_pos"), b.indexType(),
      [&] { return b.toIndex(b.load(function.array("block.row_pos", b.i64()), rowOfBlock)); },
      [&] { return b.value(b.constant(0)); });
}

Value KernelEmitter::tableRow(Value row) {
  if (!function.threads.areMany())
    return row;
  return b.toIndexUnsigned(b.load(function.array("block.rows", b.i32()), row));
}

/// `sum`, or where it adds a product, one instruction for both. Other edges may be read between the two: LLVM would see
/// them together where an edge is folded alone only, and the bits would depend on how a row is cut.
static Value fuseProduct(LoopBuilder &b, Value sum) {
  auto add = sum.getDefiningOp<arith::AddFOp>();
  auto product = add ? add.getRhs().getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  if (!product || add.getLhs().getDefiningOp<arith::MulFOp>())
    return sum;
  Value fused = b.create<math::FmaOp>(product.getLhs(), product.getRhs(), add.getLhs());
  add.erase();
  return fused;
}

Values KernelEmitter::step(AggregatorInterface aggregator, ValueRange state, Value value, Value id, Value filter,
                           bool fusesProducts) {
  Values next = b.fused([&] { return aggregator.buildStep(b.builder(), b.loc(), state, value, id); });
  if (fusesProducts)
    for (Value &number : next)
      number = fuseProduct(b, number);
  return fields.points.select(filter ? fields.element(filter, {}) : Value(), next, state);
}

void emitKernel(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function) {
  if (hasStates(kernel))
    emitSweep(kernel, layout, function);
  else
    kernel.isSweep() ? emitSweepTotals(kernel, function) : emitMap(kernel, function);
}

/// Sweeps look up the entry of an edge before they fill the fields of the edge that are kept in memory.
static LogicalResult verifyEntries(star::KernelOp kernel) {
  star::ContributeOp contribute = kernel.getContribute();
  if (!contribute || contribute.getBy().empty())
    return success();
  RegionPlan plan = RegionPlan::ofStep(kernel);
  for (Value by : contribute.getBy())
    if (auto needs = plan.edgeBuffersFor(by); !needs || !needs->empty())
      return contribute.emitOpError(
          "takes the entry of an edge from a field in memory: compute the number of the entry "
          "without reductions, products and concatenations");
  return success();
}

LogicalResult verifyKernels(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!op->getParentOfType<star::KernelOp>() || op->hasTrait<OpTrait::IsTerminator>() ||
        isa<KernelElementInterface>(op))
      return WalkResult::advance();
    op->emitOpError("cannot stand in a kernel");
    return WalkResult::interrupt();
  });
  return success(!result.wasInterrupted() && llvm::all_of(module.getOps<star::KernelOp>(), [](star::KernelOp kernel) {
    return succeeded(verifyEntries(kernel));
  }));
}

} // namespace gnnc
