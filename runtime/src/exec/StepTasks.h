//===- StepTasks.h - What the tasks of a step do ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a program over the whole graph, ready to run: kernels over rows, sweeps in passes over partitions or along
// a Hilbert curve, products in panels, and the folds of what rows add up to.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_STEPTASKS_H
#define GNN_EXEC_STEPTASKS_H

#include "gnn/program.h"
#include "runtime/src/core/Buffer.h"
#include "runtime/src/exec/HubRows.h"
#include "runtime/src/exec/Panels.h"
#include "runtime/src/exec/PassCols.h"
#include "runtime/src/exec/Team.h"
#include "runtime/src/exec/WideRows.h"
#include "runtime/src/graph/HilbertCurve.h"
#include "runtime/src/graph/Partitions.h"

#include <memory>
#include <optional>
#include <vector>

namespace gnn::rt {

/// A step with all that its tasks need. Tasks are static functions over it: see Phase.
struct StepTasks {
  /// Elements of partial sums that one task adds.
  static constexpr int64_t foldElements = 4096;
  /// A fold over rows: elements at `offset` of every slot, folded in `operand`.
  struct Fold {
    uint32_t kind; // GNN_FOLD_*
    size_t offset;
    int64_t elements;
    uint32_t element;
    uint32_t operand;
    int64_t firstTask;
  };

  const gnn_step_t *info = nullptr;
  gnn_kernel_fn kernel = nullptr, merge = nullptr;
  gnn_kernel_args_t args{};
  gnn_block_t block{};
  std::vector<void *> operands;
  HubRows hubs;                                 // of a sweep, that several threads share
  bool hasStates = false;                       // of a sweep, whether it folds edges or ends rows
  std::vector<int64_t> cuts;                    // task i does rows [cuts[i], cuts[i + 1]) but hubs
  std::shared_ptr<const Partitions> partitions; // of a sweep that goes over them one by one
  std::vector<GridCell> tiles;                  // of one that goes over these: run of rows in `cuts`, partition
  int64_t numGroups = 1;                        // of rows, each over all partitions; some may be empty
  std::vector<size_t> groups;                   // group i is tasks [groups[i], groups[i + 1])
  size_t firstTask = 0;                         // of the group that runs
  int64_t elements = 0, pass = 0;               // of the last dimension of a kernel in passes; those of one pass
  PassCols passCols;                            // of passes that are shorter than the dimension
  std::vector<void *> passOperands;             // then
  size_t stateBytes = 0;                        // of a row, for each element of a pass
  size_t statesBytes = 0;                       // of the rows of a group, or of hubs, in a pass
  char *memory = nullptr; // of memoryBytes(), for this step while it runs: slots, or states and passCols
  char *scratch = nullptr;
  size_t scratchStride = 0;
  uint32_t element = 0; // products: of the numbers that are multiplied
  int64_t k = 0, n = 0;
  size_t numberBytes[3] = {};            // of the operands as they are stored
  std::optional<Panels> panels[2];       // of the operands with rows, where they are not stored
  std::optional<WideRows> wide[3];       // of those with rows, where they are stored in 16 bits
  std::optional<ProductPanels> products; // of a map, that make operands of it
  size_t slotStride = 0;                 // folds over rows: one slot for every slotRows rows
  int64_t slotRows = 0, numSlots = 0;
  std::vector<Fold> folds;
  Phase main, fold;

  void call(gnn_kernel_args_t &own, unsigned worker, int64_t begin, int64_t end);
  static void runRows(void *context, int64_t task, unsigned worker);
  static void runTile(void *context, int64_t task, unsigned worker);
  /// A sweep in passes, over tiles or group of rows by group, over all partitions in each.
  void runPasses(Team &team);
  void packPass(Team &team);
  void runHubs(Team &team);
  static void runSlots(void *context, int64_t task, unsigned worker);
  /// Rows [begin, end) of operand `operand`, which has `width` numbers a row.
  const void *rowsOf(unsigned operand, int64_t width, int64_t begin, int64_t end, unsigned worker);
  /// Calls `multiplyPiece(begin, end)` for pieces of rows [begin, end) in order, none longer than a panel.
  template <class Multiply> void forPanels(int64_t begin, int64_t end, Multiply multiplyPiece);
  /// Rows [begin, end) of a product to `result`.
  void multiplyRows(int64_t begin, int64_t end, unsigned worker, void *result);
  static void runProduct(void *context, int64_t task, unsigned worker);
  static void runPartialProduct(void *context, int64_t task, unsigned worker);
  static void runFold(void *context, int64_t task, unsigned);

  size_t memoryBytes() const { return wholeLines(statesBytes) + passCols.bytes() + size_t(numSlots) * slotStride; }
  char *states() const { return memory; }
  char *passedCols() const { return memory + wholeLines(statesBytes); }
  char *slot(int64_t i) const { return memory + size_t(i) * slotStride; }
  /// Of a row in the pass at hand.
  size_t passStateBytes() const { return stateBytes * size_t(args.pass_end - args.pass_begin); }
  int64_t rowsOfGroup(size_t group) const { return cuts[groups[group + 1]] - cuts[groups[group]]; }
  void *storedRows(unsigned operand, int64_t width, int64_t begin) const {
    return static_cast<char *>(operands[operand]) + size_t(begin * width) * numberBytes[operand];
  }
};

} // namespace gnn::rt

#endif // GNN_EXEC_STEPTASKS_H
