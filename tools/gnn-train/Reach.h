//===- Reach.h - Which rows steps compute -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_REACH_H
#define GNN_TOOLS_TRAIN_REACH_H

#include "runtime/src/train/StepSource.h"

#include <nlohmann/json.hpp>

namespace gnn::train_tool {

/// Whether steps over the whole graph compute all rows or those that the loss reaches, and why. After the training
/// split is set.
nlohmann::json reachJson(const rt::WholeGraphSteps &steps);
/// For people; empty where steps are over all.
std::string reachText(const rt::WholeGraphSteps &steps);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_REACH_H
