//===- ShapePlan.h - What ranks would do over a shape -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run on paper: memory, bytes that travel and seconds. docs/dev/distributed.md has the formulas.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_SHAPEPLAN_H
#define GNN_TOOLS_TRAIN_SHAPEPLAN_H

#include "runtime/src/stream/ResidentSearch.h"
#include "tools/gnn-train/GraphShape.h"
#include "tools/gnn-train/ShapeLayout.h"

#include <optional>

namespace gnn::train_tool {

/// Rates of one machine, per second.
struct MachineRates {
  double disk, link, memory; // bytes; of the link in either direction
  double arithmetic;         // operations of products
};

/// The plan of an epoch, which is a step and an evaluation.
struct RankPlan {
  struct Memory { // bytes of a rank
    uint64_t inputs, edges, parameters, steps, exchange;
    uint64_t all() const { return inputs + edges + parameters + steps + exchange; }
  };
  struct Sent { // bytes, of all ranks together
    uint64_t vertexTables, edgeTables, totals, agreement;
    uint64_t all() const { return vertexTables + edgeTables + totals + agreement; }
  };
  struct Seconds {
    double reading, computing, sending;
    /// Files are read beside what is computed; nothing is computed while tables are sent.
    double epoch() const { return std::max(reading, computing) + sending; }
  };

  int ranks;
  int64_t intervals;
  Memory memory;
  uint64_t read, written; // bytes of files, of each rank
  uint64_t cost;          // the same with what calls take beside
  Sent sent;
  Seconds seconds;
};

class ShapePlan {
public:
  /// The library must have a loss, and its table must outlive this. Throws GNN_ERROR_MISMATCH for a library without a
  /// loss, or that cannot be streamed.
  explicit ShapePlan(const GraphShape &shape);

  /// Each rank within a limit of memory, in bytes. Throws GNN_ERROR_MEMORY, and says what would do, for one that is too
  /// low.
  RankPlan over(int ranks, uint64_t limit, const MachineRates &rates) const;

private:
  /// Intervals and ranks, with what stays in memory.
  struct Cut {
    int64_t parts;
    int ranks;
    rt::Residents residents;
  };

  void addCandidates(const Cut &cut, rt::Residents &all, rt::ResidentSearch &candidates) const;
  RankPlan planFor(Cut cut) const;
  RankPlan keepMost(const Cut &nothing, uint64_t limit) const;
  uint64_t inputBytes(const Cut &cut) const;
  uint64_t edgeRowBytes(const rt::Residents::Edges &edges, const Cut &cut) const;
  bool isBound(uint32_t tensor) const;
  RankPlan::Sent sentBy(int ranks) const;
  double computing(const gnn_program_t &program, int ranks, const MachineRates &rates) const;

  const GraphShape &shape;
  const rt::Library &library;
  std::vector<const gnn_program_t *> programs; // a step and an evaluation
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_SHAPEPLAN_H
