//===- HubRows.h - Rows that several threads share --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row is one task of a sweep. One with a large share of all edges would leave the other threads idle: it is split
// into its segments, which any thread folds, and their states are merged from left to right. The bits are those of the
// whole row, so which rows are hubs may depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_HUBROWS_H
#define GNN_CPU_HUBROWS_H

#include "gnn/program.h"
#include "runtime/src/cpu/Team.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnn::rt {

/// A sweep whose hubs are to be done.
struct HubSweep {
  gnn_kernel_fn run, merge;
  gnn_kernel_args_t args; // of a pass over the whole block
  bool hasStates;         // whether pieces have states to merge, and rows an end
  size_t rowBytes;        // of the state of a row in this pass
  char *states;           // as many as HubRows::planStates said
  char *scratch;
  size_t scratchStride; // of a worker
};

class HubRows {
public:
  /// None.
  HubRows() = default;
  /// The rows of `block` with more than `longest` edges, which is at least GNN_SEGMENT_LENGTH.
  HubRows(const gnn_block_t &block, int64_t longest);

  /// Edges of the longest row that stays one task: as `split` says, or 0: as many as a task of several threads has
  /// anyway, but enough for merging to cost little.
  static int64_t longestWhole(const gnn_block_t &block, uint32_t split, unsigned threads);

  bool empty() const { return rows.empty(); }
  int64_t count() const { return int64_t(rows.size()); }
  int64_t row(int64_t hub) const { return rows[size_t(hub)]; }
  /// Calls `body(from, to)` for the runs of rows between the hubs in [begin, end).
  template <class Body> void forOthers(int64_t begin, int64_t end, Body body) const {
    for (auto hub = std::lower_bound(rows.begin(), rows.end(), begin); hub != rows.end() && *hub < end; ++hub) {
      if (begin < *hub)
        body(begin, *hub);
      begin = *hub + 1;
    }
    if (begin < end)
      body(begin, end);
  }

  /// To be told how large the state of a row is in a whole pass; 0: there are none. Returns what `run` needs for them.
  size_t planStates(size_t rowBytes);
  /// Folds and ends all hubs.
  void run(Team &team, const HubSweep &sweep) const;

private:
  std::vector<int64_t> rows;
  std::vector<int64_t> firstPiece{0}; // [hubs + 1]
  int64_t wavePieces = 0;             // whose states wait at a time
};

} // namespace gnn::rt

#endif // GNN_CPU_HUBROWS_H
