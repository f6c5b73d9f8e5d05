//===- SweepPlan.h - In which parts a sweep goes ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses over how many partitions of the columns a sweep goes, and how much of the last dimension at a time, by a
// model of gathered, streamed and merged bytes, and in how many groups of rows, so that states take little memory.
// Machines differ in how much slower their memory is than their last cache: what is best on machines unlike the usual
// one is for the sweep to try.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_SWEEPPLAN_H
#define GNN_CPU_SWEEPPLAN_H

#include "runtime/src/core/Caches.h"
#include "runtime/src/core/Span.h"
#include "runtime/src/graph/DegreeShares.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnn::rt {

/// A sweep as far as its plan depends on it.
struct SweepShape {
  int64_t rows, cols, edges;
  int64_t elements;           // of the last dimension; 1: no passes
  size_t colElementBytes = 0; // of each of them, in what an edge reads of its other end
  size_t colBytes = 0;        // of what an edge reads beside them
  size_t stateBytes = 0;      // of each element, total and segment
  size_t rowBytes = 0;        // of what a row reads for its edges
  size_t edgeBytes = 0;       // of what an edge reads and writes of its own
  DegreeShares shares{cols};  // of the columns
  int64_t repeated = 0;       // edges that surely read the column of the edge before them: see repeatedEdges
};

struct SweepPlan {
  int64_t partitions; // of the columns
  int64_t pass;       // elements of the last dimension at a time
  int64_t groups = 1; // of rows, one after the other, whose states wait between partitions
};

/// Edges of rows beyond one for each of `cols` columns. Rows are sorted by column, so what these read is at hand.
int64_t repeatedEdges(Span<const int64_t> offsets, int64_t cols);

/// The plan of the least time, with what `wanted` says where that is not 0.
SweepPlan planSweep(const SweepShape &shape, const Caches &caches, const SweepPlan &wanted = {0, 0});
/// The same, then those, if they are others and take little memory, that are the best on machines of other rates. All
/// give the same bits.
std::vector<SweepPlan> closePlans(const SweepShape &shape, const Caches &caches, const SweepPlan &wanted = {0, 0});

} // namespace gnn::rt

#endif // GNN_CPU_SWEEPPLAN_H
