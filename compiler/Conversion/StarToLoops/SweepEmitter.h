//===- SweepEmitter.h - Sweeps over edges -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the body of a sweep. For each row, for each segment of its edges, for each edge: one step. Where the states of
// the reductions are decides the shape of the loops:
//
//   1. in registers, all of them, where every shape is known and small;
//   2. in registers, a tile of the last dimension at a time, in a loop over tiles around the loop over edges, where a
//      step does nothing but the same for every element;
//   3. else in memory, updated by nests of loops inside the loop over edges.
//
// The state of a reduction is (total, segment). The total is always in memory, and only there once a segment has ended
// (`hasTotal`): the rows that almost all are, shorter than a segment, never touch it.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_SWEEPEMITTER_H
#define GNNC_CONVERSION_STARTOLOOPS_SWEEPEMITTER_H

#include "compiler/Conversion/StarToLoops/KernelEmitter.h"

namespace gnnc {

class SweepEmitter : KernelEmitter {
public:
  SweepEmitter(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function, Isa isa)
      : KernelEmitter(kernel, function, isa), layout(layout), states(fields, layout),
        contribute(kernel.getContribute()), yielded(kernel.getYield().getValues()),
        stepPlan(kernel.getStep(), llvm::to_vector(contribute->getOperands())), endPlan(kernel.getEnd(), yielded) {}

  void emit();

private:
  /// A part of a reduction whose state is in registers.
  struct Part {
    unsigned reduction;
    Point point;
  };
  enum class Where { Registers, Tiles, Memory };

  Where chooseStates();
  bool fitsRegisters() const;

  void emitRow(mlir::Value row);
  Index edgeAt(Index row);
  void bindEdge(mlir::Value edge);
  void prefetchEdgeInputs(mlir::Value edge);
  mlir::Value
  stepSegments(llvm::SmallVector<mlir::Value> &segment,
               llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)> step,
               llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange, mlir::Value)> endSegment);
  llvm::SmallVector<mlir::Value> stepState(unsigned reduction, const Point &point, mlir::ValueRange state);
  llvm::SmallVector<Sink> edgeSinks();

  llvm::SmallVector<mlir::Value> sweepParts(llvm::ArrayRef<Part> parts, mlir::Value &hasTotal);
  void spillParts(llvm::ArrayRef<Part> parts, mlir::ValueRange segment, mlir::Value hasTotal);
  llvm::SmallVector<mlir::Value> closeParts(llvm::ArrayRef<Part> parts, mlir::ValueRange segment, mlir::Value hasTotal);
  mlir::ValueRange stateOf(llvm::ArrayRef<Part> parts, unsigned part, mlir::ValueRange values) const;
  llvm::SmallVector<mlir::Type> partTypes(llvm::ArrayRef<Part> parts) const;

  void sweepInRegisters();
  void sweepTiles();
  void sweepTile(llvm::ArrayRef<Index> coords, unsigned count, bool masked);
  void sweepInMemory();
  void storeFinished(unsigned reduction, const Point &point, mlir::ValueRange state);
  void bindFinished();
  void emitEnd(bool small);
  void forEachState(bool scalar, llvm::function_ref<void(unsigned, const Point &)> body);

  const StateLayout &layout;
  StateEmitter states;
  star::ContributeOp contribute;
  llvm::SmallVector<mlir::Value> yielded;
  RegionPlan stepPlan, endPlan;
  Where where = Where::Memory;
  bool smallEnd = false;

  mlir::Value isFirst, isLast, startsWithTotal;
  StateMemory totals, segments;                          // of the row
  llvm::SmallVector<llvm::SmallVector<Memory>> finished; // by reduction: value and arg
  Index firstEdge, endEdge;                              // of the row
  mlir::Value lastEdge;                                  // of the call
};

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_SWEEPEMITTER_H
