//===- KernelEmitter.h - Functions of kernels -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the functions of a `star.kernel` for one instruction set, and says how much memory they need.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_KERNELEMITTER_H
#define GNNC_CONVERSION_STARTOLOOPS_KERNELEMITTER_H

#include "compiler/Conversion/StarToLoops/RegionPlan.h"
#include "compiler/Conversion/StarToLoops/SweepState.h"

namespace gnnc {

/// The type that elements of an operand that is not stored as bits have in memory.
mlir::Type storedElement(star::OperandAttr operand);

/// The common part of a kernel's functions: operands, rows and lanes.
class KernelEmitter {
public:
  KernelEmitter(star::KernelOp kernel, KernelFunction &function);

protected:
  /// Lanes of a vector of the widest real that the kernel computes with.
  static unsigned maxLanes(star::KernelOp kernel, const Machine &machine);
  /// Operand `index`, inputs first, at `row` of its table.
  Memory operand(unsigned index, star::OperandAttr operand, Index row);
  /// Binds the inputs with `access` as arguments of `region`, at `row` of their tables.
  void bindInputs(mlir::Region &region, star::Access access, Index row);
  /// The sink that writes `field` to output `index` at `row` of its table.
  Sink outputSink(unsigned index, mlir::Value field, Index row);
  bool hasInput(star::Access access);
  /// Whether `end` is a few instructions: what computes it may be there more than once, or go element by element.
  bool isEndShort();
  /// The entry of a row in an array of the block: "block.offsets" for its first edge, "block.ends" for one past its
  /// last.
  Index edgeOf(Index row, llvm::StringRef array);
  /// How many vectors take the registers of `quads` vectors of as many f32 as are loaded at a time.
  unsigned vectorsIn(unsigned quads) const;
  /// Deals the fields of the kernel out to the threads of the group, if they can have them in registers; those of `end`
  /// only if `withEnd`.
  bool dealOut(bool withEnd);
  bool mayTakeParts();
  int64_t numKept(gnn::FieldType widest);
  int64_t partsOf(gnn::FieldType widest);
  unsigned numReductionArguments();
  /// Which row of its table a row of the block is.
  mlir::Value tableRow(mlir::Value rowOfBlock);
  /// `sum`, or where it adds a product, one instruction for both.
  mlir::Value fuseProduct(mlir::Value sum);

  star::KernelOp kernel;
  KernelFunction &function;
  /// The type of operands of columns whose row stride each call passes; null if all rows are contiguous.
  gnn::FieldType passType;
  LoopBuilder &b;
  FieldEmitter fields;
};

/// Whether calls of a sweep may fold a part of the last dimension each, which is that of all reductions and results: a
/// step and `end` do nothing but the same for every element.
bool takesPasses(star::KernelOp kernel, const StateLayout &layout);
/// Emits the body of a sweep.
void emitSweep(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function);
/// Emits the body that merges the spilled states of a sweep.
void emitMerge(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function);
/// Emits the body of a map.
void emitMap(star::KernelOp kernel, KernelFunction &function);
/// Reports ops that have no lowering: compound ops have been decomposed, only what has elements of its own is left.
mlir::LogicalResult verifyKernels(mlir::ModuleOp module);
/// Emits the body of a sweep whose edges are folded into totals.
void emitSweepTotals(star::KernelOp kernel, KernelFunction &function);
/// Bytes of a slot of totals, one after the other.
DimExpr totalsBytes(star::KernelOp kernel);
/// How many columns the schedule wants in shared memory, of a sweep that reads any; 0: none.
int64_t hotColumns(star::KernelOp kernel);
/// Bytes of shared memory that a block needs for them.
DimExpr hotBytes(star::KernelOp kernel);

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_KERNELEMITTER_H
