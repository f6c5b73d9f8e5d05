//===- Threads.h - The threads that share a row -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rows a function does, and what its threads tell each other. A processor's function has one thread.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_THREADS_H
#define GNNC_KERNELS_THREADS_H

#include "compiler/Kernels/LoopBuilder.h"
#include "compiler/Kernels/Machine.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace gnnc {

/// The threads that share a row: all run the same code, each for elements of its own. A CPU has one.
struct ThreadGroup {
  unsigned threads;
  Index thread; // in its group
  Index id;     // of the group
  Index count;  // of groups that run the function
};

class Threads {
public:
  /// Emits the work on the rows `from`, `from` + `step`, ... below `to`, which belong to the slot `slot` of totals.
  using RowsBody = llvm::function_ref<void(Index from, Index to, Index step, Index slot)>;
  /// The rows that a group does: in any order, those of each slot together and in order, or those of longer slots, as
  /// many as the call says. A call of a processor is of one slot.
  enum class Rows { All, InSlots, InLongSlots };

  /// `callRows` are the rows of the call.
  Threads(LoopBuilder &builder, const Machine &machine, std::pair<Index, Index> callRows,
          std::function<Index()> slotRows);

  const ThreadGroup &group() const { return ofRow; }
  /// Whether groups of threads run the function, each for rows of its own.
  bool areMany() const { return !blockThreads.isNull(); }
  void forEachRows(Rows rows, RowsBody body);
  /// Runs `body` on one thread of the group.
  void onFirstThread(llvm::function_ref<void()> body);
  /// Waits for the other threads of the group; what they wrote before can be read then.
  void sync();
  /// Calls `body` for the numbers from 0 to `count`, which all threads of the block deal out, and waits for all of
  /// them.
  void forEachOfBlock(Index count, llvm::function_ref<void(mlir::Value)> body);
  /// The number of 32 bits that the thread `distance` from this one has, their numbers differing in that bit.
  mlir::Value shuffle(mlir::Value number, unsigned distance);
  /// The number of 32 or 64 bits that thread `thread` of the group has.
  mlir::Value shuffleFrom(mlir::Value number, mlir::Value thread);

private:
  void findGroup();
  mlir::Value shuffle(mlir::Value number, mlir::Value by, mlir::NVVM::ShflKind kind, unsigned among);

  LoopBuilder &b;
  ThreadGroup ofRow;
  std::pair<Index, Index> callRows;
  std::function<Index()> slotRows;
  Index blockThread, blockThreads; // in the block, and of a block; null on a processor
  mlir::Value groupMask;           // the group's threads, as bits of a warp
};

} // namespace gnnc

#endif // GNNC_KERNELS_THREADS_H
