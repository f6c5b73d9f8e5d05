//===- SweepParts.h - The parts in which a sweep goes over a block  -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Which rows are one task, which are shared by threads, and where the edges stay for many runs: over which partitions
// of the columns, which groups of rows and which passes of the last dimension.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_SWEEPPARTS_H
#define GNN_CPU_SWEEPPARTS_H

#include "runtime/src/cpu/CpuStep.h"
#include "runtime/src/cpu/HubRows.h"
#include "runtime/src/cpu/PassCols.h"
#include "runtime/src/cpu/SweepPlan.h"
#include "runtime/src/graph/HilbertCurve.h"
#include "runtime/src/graph/Partitions.h"

namespace gnn::rt {

/// Properties of a sweep that do not depend on the view it goes over.
struct SweepTraits {
  SweepTraits(const CpuProgram &program, uint32_t step);

  const CpuProgram &program;
  const gnn_step_t &info;
  const gnn_kernel_t &kernel;
  const gnn_knobs_t knobs;
  const bool isVirtual;
  const bool isDoneOnce;
  const int64_t elements;  // of the last dimension of a kernel in passes, else 1
  const size_t stateBytes; // of a row, for each element of a pass
  bool hasStates;          // whether it folds edges or ends rows

  /// Whether it may go along a curve, in tiles of edges, as the schedule asks for.
  bool hasTiles() const { return !hasStates && knobs.hilbert > 1; }
  bool readsEdgeIds() const;
  /// Whether operand `i` is of rows of the dimension of passes alone.
  bool isInPasses(uint32_t i) const;
};

class SweepParts {
public:
  /// Plans how to go over `block` of `view`, as counts promise most. Returns other plans that are close to it, for who
  /// goes over the same edges again and again.
  std::vector<SweepPlan> plan(const SweepTraits &sweep, const View &view, const gnn_block_t &block);
  /// As `plan` says, to the same bits; to be followed by `makePartitions`.
  void plan(const SweepTraits &sweep, const View &view, const gnn_block_t &block, const SweepPlan &plan);
  /// Makes them if there are to be any.
  void makePartitions(const SweepTraits &sweep, const View &view);
  /// Bytes of the states of hubs, or of the rows of a group, in a pass.
  size_t statesBytes() const { return bytesOfStates; }

  HubRows hubs;
  std::vector<int64_t> cuts;                    // task i does rows [cuts[i], cuts[i + 1]) but hubs
  std::shared_ptr<const Partitions> partitions; // to go over one by one, or null
  int64_t numPartitions = 1;                    // that there are or are to be made
  std::vector<GridCell> tiles;                  // or to go over these: run of rows in `cuts`, partition
  std::vector<size_t> groups;                   // group i is tasks [groups[i], groups[i + 1]), over all partitions
  int64_t pass = 0;                             // elements of the last dimension at a time
  PassCols passCols;                            // of passes that are shorter than the dimension
  uint32_t flags = 0;                           // of every call: GNN_SWEEP_PREFETCH, GNN_SWEEP_ROWS_APART

  int64_t tasks() const { return int64_t(cuts.size()) - 1; }

private:
  void cutRows(const SweepTraits &sweep, const gnn_block_t &block, bool lasts);
  void groupRows(const SweepTraits &sweep, const gnn_block_t &block, int64_t count);
  void placeStates(const SweepTraits &sweep);

  size_t bytesOfStates = 0;
};

} // namespace gnn::rt

#endif // GNN_CPU_SWEEPPARTS_H
