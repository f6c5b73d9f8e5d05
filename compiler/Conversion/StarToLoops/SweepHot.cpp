//===- SweepHot.cpp - Hot columns in shared memory ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where few vertices are at the other end of many edges, a block of a device loads what it reads of them into its
// shared memory once and then does many rows (Hu et al. 2020, section 3.2, hybrid partitioning). An edge reads the same
// numbers, and so gives the same bits, wherever they are.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

static auto inputsOf(star::KernelOp kernel) { return kernel.getInputs().getAsRange<star::OperandAttr>(); }

int64_t hotColumns(star::KernelOp kernel) {
  star::ScheduleAttr schedule = kernel.getScheduleAttr();
  bool readsCols =
      llvm::any_of(inputsOf(kernel), [](star::OperandAttr input) { return input.getAccess() == star::Access::Col; });
  return schedule && readsCols ? schedule.getHot() : 0;
}

DimExpr hotBytes(star::KernelOp kernel) {
  DimExpr bytes;
  for (star::OperandAttr input : inputsOf(kernel))
    if (input.getAccess() == star::Access::Col) {
      int64_t elementBytes = storageBytes(storedElement(input));
      bytes = *bytes.add(*input.getType().getNumElements().mul(DimExpr(hotColumns(kernel) * elementBytes)));
    }
  return bytes;
}

/// Fills the shared memory of the block: row after row of each input, vectors dealt out to the threads.
void SweepEmitter::loadHotCols() {
  hotCols = function.machine().isDevice ? hotColumns(kernel) : 0;
  if (!hotCols)
    return;
  Value hot = function.array("block.hot", b.builder().getI32Type());
  Value number = function.argument("hot", b.builder().getI64Type());
  Index count = b.create<arith::IndexCastOp>(b.builder().getIndexType(), number).getResult();
  for (auto [i, input] : llvm::enumerate(inputsOf(kernel))) {
    hotRows.emplace_back();
    if (input.getAccess() != star::Access::Col)
      continue;
    FieldType type = input.getType();
    Type stored = storedElement(input);
    Value rows = hotRows.back() = function.sharedBuffer(*type.getNumElements().mul(DimExpr(hotCols)), stored);
    const unsigned lanes = std::max(fields.points.lanes(type), 1u);
    auto vector = VectorType::get({lanes}, storageType(stored));
    Index vectors = b.div(function.extent(type.getNumElements()), b.constant(lanes));
    function.forEachOfBlock(b.mul(count, vectors), [&, i = i, input = input](Value at) {
      Value col = b.create<memref::LoadOp>(hot, b.value(b.div(at, vectors)));
      Memory row = operand(i, input, b.create<arith::IndexCastUIOp>(b.builder().getIndexType(), col).getResult());
      Index inRow = b.mul(b.rem(at, vectors), b.constant(lanes));
      auto load = b.create<vector::LoadOp>(vector, row.memref, b.value(b.add(row.base, inRow)));
      auto store = b.create<vector::StoreOp>(load, rows, b.value(b.mul(at, b.constant(lanes))));
      for (Operation *access : {load.getOperation(), store.getOperation()})
        access->setAttr(KernelFunction::alignedAttribute, b.builder().getUnitAttr());
    });
  }
}

/// Binds what the edge reads of its other end, which is `number` in `colsArray`.
void SweepEmitter::bindCol(Value number) {
  Type index = b.builder().getIndexType();
  Value col = b.create<arith::IndexCastUIOp>(index, number);
  if (!hotCols) {
    fields.position.col = col;
    return bindInputs(kernel.getStep(), star::Access::Col, col);
  }
  Value limit = b.value(b.constant(hotCols));
  Value isHot = b.create<arith::CmpIOp>(arith::CmpIPredicate::ult, col, limit);
  Value cold = b.create<arith::SubIOp>(col, limit);
  Value place = b.create<arith::SelectOp>(isHot, col, cold);
  // The column itself, for its id: where it is not hot, the first hot one is read in vain.
  Value anyHot = b.create<arith::SelectOp>(isHot, col, b.value(b.constant(0)));
  Value itself = b.create<memref::LoadOp>(function.array("block.hot", b.builder().getI32Type()), anyHot);
  fields.position.col =
      b.create<arith::SelectOp>(isHot, b.create<arith::IndexCastUIOp>(index, itself).getResult(), cold);
  unsigned argument = 0;
  for (auto [i, input] : llvm::enumerate(inputsOf(kernel))) {
    Value field = kernel.getStep().getArgument(argument++);
    if (input.getAccess() != star::Access::Col || field.use_empty())
      continue;
    Memory memory = operand(i, input, place);
    memory.hot = hotRows[i];
    memory.isHot = isHot;
    fields.bind(field, memory, b.scopeOf(place));
  }
}

} // namespace gnnc
