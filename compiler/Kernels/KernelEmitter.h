//===- KernelEmitter.h - Functions of kernels -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the functions of a `star.kernel` for one instruction set, and says how much memory they need.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_KERNELEMITTER_H
#define GNNC_KERNELS_KERNELEMITTER_H

#include "compiler/Kernels/RegionPlan.h"
#include "compiler/Kernels/SweepState.h"

namespace gnnc {

/// The common part of a kernel's functions: operands, rows and lanes.
class KernelEmitter {
public:
  KernelEmitter(star::KernelOp kernel, KernelFunction &function);

  /// Operand `index`, inputs first, at `row` of its table.
  Memory operand(unsigned index, star::OperandAttr operand, Index row);
  /// Binds the inputs with `access` as arguments of `region`, at `row` of their tables.
  void bindInputs(mlir::Region &region, star::Access access, Index row);
  /// The sink that writes `field` to output `index` at `row` of its table.
  Sink outputSink(unsigned index, mlir::Value field, Index row);
  /// The entry of a row in an array of the block: "block.offsets" for its first edge, "block.ends" for one past its
  /// last.
  Index edgeOf(Index row, llvm::StringRef array);
  /// How many edges of a row of the block come before those that the block has.
  mlir::Value positionInRow(mlir::Value rowOfBlock);
  /// Which row of its table a row of the block is.
  mlir::Value tableRow(mlir::Value rowOfBlock);
  /// `state` after the edge at hand, unless `filter` leaves it out: with its `value` and, where tracked, its `id`.
  Values step(gnn::AggregatorInterface aggregator, mlir::ValueRange state, mlir::Value value, mlir::Value id,
              mlir::Value filter, bool fusesProducts);

  star::KernelOp kernel;
  KernelFunction &function;
  /// The type of operands of columns whose row stride each call passes; null if all rows are contiguous.
  gnn::FieldType passType;
  LoopBuilder &b;
  FieldEmitter fields;
};

/// Emits the body that computes the rows of any kernel, by one of the three after it.
void emitKernel(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function);
void emitSweep(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function);
void emitSweepTotals(star::KernelOp kernel, KernelFunction &function);
void emitMap(star::KernelOp kernel, KernelFunction &function);
/// Emits the body that merges the spilled states of a sweep.
void emitMerge(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function);
/// Reports ops that have no lowering (compound ops have been decomposed, only what has elements of its own is left),
/// and sums by type whose entries would be read too early.
mlir::LogicalResult verifyKernels(mlir::ModuleOp module);

} // namespace gnnc

#endif // GNNC_KERNELS_KERNELEMITTER_H
