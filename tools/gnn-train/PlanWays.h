//===- PlanWays.h - The ways in which a model can be trained ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_PLANWAYS_H
#define GNN_TOOLS_TRAIN_PLANWAYS_H

#include "tools/gnn-train/Options.h"
#include "tools/gnn-train/RunLayout.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace gnn::train_tool {

/// A run that was made ready, and in part run to see how long it takes.
struct PlannedRun {
  nlohmann::json json;             // docs/gnn-train-json.md
  std::string way;                 // what it goes over, for people
  std::string shape;               // of the graph, for --data-shape; empty where it is streamed
  std::optional<RunLayout> layout; // of a whole graph in memory
};
PlannedRun planOf(const PlanOptions &options);

/// Whether the options leave open how a run goes over the graph.
bool namesNoWay(const PlanOptions &options);
/// Prints a row for each way of training a model on this data, with memory, times and whether results stay the same,
/// and recommends one; of a model that can't be trained on it, the plan of inference. Returns the exit code.
int planWays(const PlanOptions &options);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_PLANWAYS_H
