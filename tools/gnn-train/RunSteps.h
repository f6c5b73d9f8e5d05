//===- RunSteps.h - The steps of training, measured -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RUNSTEPS_H
#define GNN_TOOLS_TRAIN_RUNSTEPS_H

#include "runtime/src/exec/Executor.h"

#include <nlohmann/json.hpp>

namespace gnn::train_tool {

/// Runs the training program some times more, without updates, and returns the content of steps.json
/// (docs/gnn-train-json.md): the time of each step, the tensors that it leaves with their bytes, and the steps that
/// read them. `executor` must train over the whole graph in memory.
nlohmann::json measureSteps(const rt::Library &library, rt::Executor &executor);

/// steps.json. Throws GNN_ERROR_IO.
void writeSteps(const std::string &folder, const nlohmann::json &steps);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RUNSTEPS_H
