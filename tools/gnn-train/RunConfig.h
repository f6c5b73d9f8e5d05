//===- RunConfig.h - config.json --------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RUNCONFIG_H
#define GNN_TOOLS_TRAIN_RUNCONFIG_H

#include "runtime/src/train/Recipe.h"
#include "tools/gnn-train/Problem.h"

#include <cstdint>

namespace gnn::train_tool {

/// How many numbers are trained or kept as states.
int64_t numParameters(rt::Model &model);

/// As files of a run show digests.
std::string hex(uint64_t digest);

/// The dimensions of the model by name, without the numbers of vertices of a graph.
nlohmann::json dimsOf(const rt::Model &model);

/// The content of config.json, which decides the results of a run (docs/gnn-train-json.md): model and data with their
/// digests, settings, dimensions, machine and versions. `run` has options with all defaults and choices (RunSettings.h);
/// `dataDigest` is that of DataDigest.h.
nlohmann::json configOf(const rt::TrainingOptions &run, Problem &problem, uint64_t dataDigest,
                        const nlohmann::json &weights);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RUNCONFIG_H
