//===- KernelMemory.h - What kernels have in memory -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the operands, the spilled states and the totals of a kernel lie in memory, whoever its code is for.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_STAR_ANALYSIS_KERNELMEMORY_H
#define GNNC_DIALECTS_STAR_ANALYSIS_KERNELMEMORY_H

#include "dialects/Star/IR/Star.h"

namespace gnnc::star {

/// The type of one element of `element` in memory.
mlir::Type storageType(mlir::Type element);
/// Bytes of one element in memory.
unsigned storageBytes(mlir::Type element);
/// The type that elements of an operand that is not stored as bits have in memory.
mlir::Type storedElement(OperandAttr operand);

inline auto inputsOf(KernelOp kernel) { return kernel.getInputs().getAsRange<OperandAttr>(); }
inline bool hasInput(KernelOp kernel, Access access) {
  return llvm::any_of(inputsOf(kernel), [&](OperandAttr input) { return input.getAccess() == access; });
}
/// The type without its first dimension: that of one entry.
inline gnn::FieldType entryType(gnn::FieldType type) { return type.withDims(type.getDims().drop_front()); }
/// The argument of `end` that is the arg of the reduction whose value is `result`.
mlir::Value argOf(mlir::Value result);

/// The integer of an edge that says into which entry of a state it is folded, and how many entries they have.
struct Selector {
  mlir::Value by;
  DimExpr entries;
};

/// The number of a selector in `selectors`, added if it is new.
unsigned selectorOf(std::vector<Selector> &selectors, mlir::Value by, const DimExpr &entries);

struct Reduction {
  gnn::AggregatorInterface aggregator;
  SoftmaxSumAttr softmaxSum; // the same, if it is one
  mlir::Value result;        // argument of `end`; the arg, where tracked, is the next
  gnn::FieldType type;
  gnn::FieldType contributed;       // by an edge: `type`, or one entry of it
  std::optional<unsigned> selector; // of the layout's
  bool keepsArg = false;            // whether anybody wants to know which edge won
  llvm::SmallVector<mlir::Type> componentTypes;
  llvm::SmallVector<mlir::TypedAttr> identity;
  // Bytes from the start of a row's spilled state, by component; in passes, of each element of a pass.
  llvm::SmallVector<DimExpr> totalOffset, segmentOffset;
};

/// The reductions of a sweep; a row's spilled state holds, reduction by reduction and component by component, total
/// then segment, each aligned to 8 bytes (and, where the number of elements is open, 8 bytes an element). In passes
/// each is of the elements of the pass, and of as many bytes an element as the largest needs.
struct StateLayout {
  explicit StateLayout(KernelOp kernel);

  /// Lays states out for calls that fold a part of the last dimension each.
  void layOutInPasses();

  std::vector<Reduction> reductions;
  std::vector<Selector> selectors;
  /// In which states may be merged in place: softmax sums before their normalisers.
  llvm::SmallVector<unsigned> mergeOrder;
  DimExpr bytes;
  bool inPasses = false;
};

/// Whether the rows of a kernel have states that are spilled and merged.
inline bool hasStates(KernelOp kernel) { return kernel.isSweep() && !kernel.isOfTotals(); }
/// Bytes of a slot of totals, one after the other, and those before the total that is output `output`.
DimExpr totalsBytes(KernelOp kernel);
DimExpr totalOffset(KernelOp kernel, unsigned output);
/// How many columns the schedule wants in shared memory, of a sweep that reads any; 0: none.
int64_t hotColumns(KernelOp kernel);
/// Bytes of shared memory that a block needs for them.
DimExpr hotBytes(KernelOp kernel);

} // namespace gnnc::star

#endif // GNNC_DIALECTS_STAR_ANALYSIS_KERNELMEMORY_H
