//===- PlanText.h - A plan for people ---------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_PLANTEXT_H
#define GNN_TOOLS_TRAIN_PLANTEXT_H

#include "tools/gnn-train/RunLayout.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace gnn::train_tool {

/// Prints what a run needs and how long it takes: memory, files, seconds, the least limit of memory. `way` says how
/// it goes over the graph.
void printPlan(const nlohmann::json &plan, const std::string &way);
/// Prints all of a plan, by the names of programs and kernels, for --verbose.
void printInternals(const nlohmann::json &plan, const std::optional<RunLayout> &layout);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_PLANTEXT_H
