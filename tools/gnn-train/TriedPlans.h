//===- TriedPlans.h - What sweeps have learned from their first runs -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_TRIEDPLANS_H
#define GNN_TOOLS_TRAIN_TRIEDPLANS_H

#include "runtime/src/engine/Engine.h"

#include <nlohmann/json.hpp>

namespace gnn::train_tool {

/// For sweeps with several plans, the plans, and after the trials the time of each and the chosen one; an empty list if
/// no sweep has several.
nlohmann::json triedPlans(const rt::Engine &engine);
/// The same in words, a line for each sweep.
std::string triedPlansText(const nlohmann::json &tried);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_TRIEDPLANS_H
