//===- KernelFunction.h - The function of a kernel --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that a kernel becomes for one instruction set or device: its arguments, each of which says where in
// `gnn_kernel_args_t` it comes from, the extents that it reads, its buffers, and how rows are dealt out.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_KERNELFUNCTION_H
#define GNNC_CONVERSION_STARTOLOOPS_KERNELFUNCTION_H

#include "compiler/Conversion/StarToLoops/LoopBuilder.h"
#include "compiler/Conversion/StarToLoops/Machine.h"
#include "dialects/Support/ExtentTable.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <map>

namespace gnnc {

/// A run of elements in memory: `memref[base + i]`. A bool takes a byte, or a bit where `bits`: then `base` counts
/// bytes, and each run of the last dimension begins with 16 bits of its own (GNN_BITS of program.h). An f32 is stored
/// as bf16 where the memref has i16, as f16 where it has f16.
struct Memory {
  mlir::Value memref;
  Index base;
  bool bits = false;
  mlir::Value hot = {}, isHot = {}; // `hot[base + i]` where `isHot` (null: never) holds
  bool hasRoom = false;             // a whole vector may begin at any element: what is behind the last is nobody's
};

/// The type of one element of `element` in memory.
mlir::Type storageType(mlir::Type element);
/// Bytes of one element in memory.
unsigned storageBytes(mlir::Type element);

/// The threads that share a row: all run the same code, each for elements of its own. A CPU has one.
struct ThreadGroup {
  unsigned threads;
  Index thread; // in its group
  Index id;     // of the group
  Index count;  // of groups that run the function
};

class KernelFunction {
public:
  /// Emits the work on the rows `from`, `from` + `step`, ... below `to`, which belong to the slot `slot` of totals.
  using RowsBody = llvm::function_ref<void(Index from, Index to, Index step, Index slot)>;

  /// Argument attribute: where the argument comes from (docs of the pass `star-to-loops`).
  static constexpr llvm::StringLiteral sourceAttribute = "star.source";
  /// Attribute of loads and stores: the vector is aligned to its size.
  static constexpr llvm::StringLiteral alignedAttribute = "star.aligned";
  /// Function attribute: the instruction set.
  static constexpr llvm::StringLiteral isaAttribute = "star.isa";
  /// Function attribute: the numbers of its parameters.
  static constexpr llvm::StringLiteral constantsAttribute = "star.constants";
  /// Attribute of a function without a body: the one that has its body, with the same arguments from other sources.
  static constexpr llvm::StringLiteral bodyAttribute = "star.body";

  /// Builds into `function`, whose arguments so far are the rows of a call. With `poisons`, numbers that nothing may
  /// depend on are NaN.
  KernelFunction(mlir::FunctionOpInterface function, const Machine &machine, ExtentTable &extents,
                 bool poisons = false);

  const Machine &machine() const { return target; }
  const ThreadGroup &group() const { return threads; }
  /// The number in lanes and memory that nothing may depend on: 0. If the function poisons, NaN or, for integers, -1.
  mlir::TypedAttr meaningless(mlir::Type element) const;
  bool poisons() const { return isPoisoning; }
  LoopBuilder &loops() { return builder; }
  /// The rows of a call.
  Index begin() { return function.getArgument(0); }
  Index end() { return function.getArgument(1); }
  /// The rows that this group does; with `inSlots`, those of each slot together, in order.
  void forEachRows(bool inSlots, RowsBody body);
  /// The rows that this group does: those of slots of `length` rows. Of a processor, a call is of one slot.
  void forEachSlot(Index length, RowsBody body);
  /// Runs `body` on one thread of the group.
  void onFirstThread(llvm::function_ref<void()> body);
  /// Waits for the other threads of the group; what they wrote before can be read then.
  void syncGroup();
  /// Calls `body` for the numbers from 0 to `count`, which all threads of the block deal out, and waits for all of
  /// them.
  void forEachOfBlock(Index count, llvm::function_ref<void(mlir::Value)> body);
  /// The number of 32 bits that the thread `distance` from this one has, their numbers differing in that bit.
  mlir::Value shuffle(mlir::Value number, unsigned distance);
  /// The number of 32 or 64 bits that thread `thread` of the group has.
  mlir::Value shuffleFrom(mlir::Value number, mlir::Value thread);

  /// The argument that comes from `source`, added when first asked for.
  mlir::Value argument(const llvm::Twine &source, mlir::Type type);
  /// A one-dimensional memref argument.
  mlir::Value array(const llvm::Twine &source, mlir::Type element);
  /// Makes the numbers of `ops` arguments, so that other functions can have the same body.
  void setParameters(llvm::ArrayRef<mlir::Operation *> ops);
  /// The argument with the number of `op`, of type `type`; null if the number is no argument.
  mlir::Value parameter(mlir::Operation *op, mlir::Type type);
  /// An i1 argument: whether the pointer `source` is not NULL.
  mlir::Value isGiven(const llvm::Twine &source);

  /// The part of the last dimension that a call in passes folds.
  Index passBegin() { return index("pass_begin"); }
  Index passEnd() { return index("pass_end"); }
  /// Elements from a row to the next of what columns have of that dimension.
  Index colStride() { return index("col_stride"); }

  /// Rows of a slot, of a sweep with totals on a device.
  Index slotRows() { return target.isDevice ? index("slot_rows") : builder.constant(0); }
  /// On devices, the number of leading rows that are pieces of one row and whose states are spilled.
  Index numPieces() { return index("pieces"); }

  Index extent(const DimExpr &expr);
  /// The same, read from the table of extents even where the compiler knows it.
  Index hiddenExtent(const DimExpr &expr);
  /// Which extent `value` is, if it is one that was read.
  std::optional<DimExpr> extentOf(mlir::Value value) const;
  /// The type of a run of elements that all threads see.
  mlir::MemRefType memoryType(mlir::Type element);
  /// Whether all threads of the group see `memref`.
  bool isShared(mlir::Value memref) const;
  /// `count` elements of the group's own or, for what every thread computes, of each thread.
  Memory buffer(const DimExpr &count, mlir::Type element, bool ofThread = false);
  /// `count` elements that all threads of the block share: a multiple of 16 bytes.
  mlir::Value sharedBuffer(const DimExpr &count, mlir::Type element);
  /// A memref in any kind of memory, to be chosen among others.
  mlir::Value ofAnySpace(mlir::Value memref);

  /// Ends the function.
  void finish();
  /// Bytes of scratch memory that buffers need.
  const DimExpr &scratchBytes() const { return scratch; }
  /// Bytes of shared memory of a block.
  const DimExpr &sharedBytes() const { return shared; }

private:
  mlir::Value shuffle(mlir::Value number, mlir::Value by, mlir::NVVM::ShflKind kind, unsigned among);
  Index index(llvm::StringRef source);
  void findGroup();
  bool fitsStack(const DimExpr &count, mlir::Type element) const;
  mlir::Value groupScratch();
  mlir::Value stackBuffer(int64_t count, mlir::Type element);
  Index readExtent(const DimExpr &expr);

  mlir::FunctionOpInterface function;
  Machine target;
  bool isPoisoning;
  LoopBuilder builder;
  ExtentTable &extents;
  ThreadGroup threads;
  Index blockThread, blockThreads;       // in the block, and of a block
  mlir::Value groupMask;                 // the group's threads, as bits of a warp
  mlir::arith::ConstantOp scratchOffset; // of the group, until it is known
  std::map<std::string, mlir::Value> arguments;
  llvm::DenseMap<mlir::Operation *, unsigned> parameters; // their positions in `star.constants`
  std::map<std::string, mlir::Value> givenFlags;
  std::map<std::string, Index> indices; // of i64 arguments
  std::map<std::string, Index> loadedExtents;
  DimExpr scratch, shared;
  mlir::Value sharedMemory; // of the block; null: none was asked for yet
  int64_t stackBytes = 0;
};

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_KERNELFUNCTION_H
