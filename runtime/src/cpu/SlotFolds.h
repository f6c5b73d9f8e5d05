//===- SlotFolds.h - Sums over rows in fixed slots ----------- -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Folds over rows by slots, one for a fixed number of rows. Slots are folded in order, so the bits do not depend on
// which thread folded which rows.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_SLOTFOLDS_H
#define GNN_CPU_SLOTFOLDS_H

#include "runtime/src/core/Buffer.h"
#include "runtime/src/cpu/Team.h"

#include <cstdint>
#include <vector>

namespace gnn::rt {

class SlotFolds {
public:
  /// Folds of numbers at `offset` of every slot into operand `operand`; `kind` is GNN_FOLD_*.
  void add(uint32_t kind, uint32_t element, size_t offset, int64_t count, uint32_t operand);
  /// Slots have at least so many bytes.
  void widen(size_t bytes) { stride = std::max(stride, wholeLines(bytes)); }

  bool empty() const { return folds.empty(); }
  size_t bytes(int64_t slots) const { return size_t(slots) * stride; }
  char *slot(void *slots, int64_t i) const { return static_cast<char *>(slots) + size_t(i) * stride; }
  /// Makes a slot that of no rows.
  void start(char *slot) const;
  /// Folds all slots into the operands, or with `goesOn` into what these are; else zeros if there are none.
  void fold(Team &team, void *slots, int64_t count, void *const *operands, bool goesOn = false) const;

private:
  struct Fold {
    uint32_t kind, element;
    size_t offset;
    int64_t count;
    uint32_t operand;
    int64_t firstTask;
  };

  std::vector<Fold> folds;
  size_t stride = 0;
  int64_t tasks = 0;
};

} // namespace gnn::rt

#endif // GNN_CPU_SLOTFOLDS_H
