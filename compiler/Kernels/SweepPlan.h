//===- SweepPlan.h - What the code of a sweep looks like --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chosen once for a kernel and a machine, before any code is built: pure data, which the pass star-plan-sweeps prints.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_SWEEPPLAN_H
#define GNNC_KERNELS_SWEEPPLAN_H

#include "compiler/Kernels/RegionPlan.h"
#include "compiler/Kernels/SweepState.h"

namespace gnnc {

/// Where the states of a row are while its edges are folded: all in registers, a tile of the last dimension at a time,
/// in memory behind panels of edges whose products are computed together, or in memory.
enum class StatePlace { Registers, Tiles, Panels, Memory };
/// Where the states of a row are when `end` computes its results from them: in registers, a tile at a time, or in
/// memory.
enum class EndPlace { Registers, Tiles, Memory };

/// Fields that the threads of a group have in registers (`Points::dealOut`).
struct DealPlan {
  llvm::SmallVector<gnn::FieldType> widest;
  int64_t parts;
  bool withEnd; // those of `end`, too
};

/// A product of a panel of edges.
struct PanelPlan {
  gnn::MatMulOp product;
  Values fills;           // fields that no panel before has
  bool copiesX, isFolded; // folded at once instead of being stored
};

struct SweepPlan {
  StatePlace states = StatePlace::Memory;
  EndPlace end = EndPlace::Memory;
  std::optional<DealPlan> deal;
  std::vector<PanelPlan> panels;
  std::vector<Bounds> smallVersions; // of the loop over edges in registers, where states are in memory
  bool foldsBySegment = false;       // all tiles fold a segment before any folds the next
  bool hasShortRows = false;         // rows of one call and less than a segment have code of their own
  bool closesInLoop = false;         // the last segment of a row is added to its total as those before it are
  bool hasPieces = false;            // rows may be pieces of one, whose states are spilled
  bool prefetches = false;
  bool fusesProducts = false; // folds over edges multiply and add in one op
  bool readsCol = false;
  unsigned maxEdgesAtOnce = 0; // that load before the first of them is folded; 0: edges are folded one by one
  int64_t hotCols = 0;         // kept in shared memory, at most

  /// Says what was chosen, a line for each thing.
  void print(llvm::raw_ostream &os) const;
};

SweepPlan planSweep(star::KernelOp kernel, const StateLayout &layout, const Machine &machine);
/// Plans a sweep whose edges are folded into totals.
SweepPlan planTotals(star::KernelOp kernel, const Machine &machine);
/// Plans what threads that share a row have in registers; none where it does not fit.
std::optional<DealPlan> planDeal(star::KernelOp kernel, const Machine &machine, bool withEnd);
/// Whether `end` is a few instructions: what computes it may be there more than once, or go element by element.
bool isEndShort(star::KernelOp kernel);
/// Whether calls of a sweep may fold a part of the last dimension each, which is that of all reductions and results: a
/// step and `end` do nothing but the same for every element.
bool takesPasses(star::KernelOp kernel, const StateLayout &layout);
/// Whether the dimension of passes is known to be no longer than the shortest.
bool isAtMostOnePass(const StateLayout &layout);

} // namespace gnnc

#endif // GNNC_KERNELS_SWEEPPLAN_H
