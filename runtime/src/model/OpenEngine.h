//===- OpenEngine.h - Engines by the name of their machine ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_MODEL_OPENENGINE_H
#define GNN_MODEL_OPENENGINE_H

#include "runtime/src/cpu/PlanTrials.h"
#include "runtime/src/engine/Engine.h"

namespace gnn::rt {

/// The numbers in "cuda:1", "cuda:0-3", "cuda:0,2-4"; that of "cuda" is 0. None: it is no name of GPUs.
std::vector<int> deviceNumbers(const std::string &name);

/// The engine that `device` names: "cpu", "cuda", "cuda:1"; "cuda:0-3", "cuda:0,2": several GPUs that compute together
/// (Peers.h); "auto": the first GPU that there is code for, or the processor, and then `whyProcessor`, if it is given,
/// says why. `threads` and `plans` are those of the processor, `deviceBytes` the budget of a GPU (0: all of its
/// memory). Throws GNN_ERROR_ARGUMENT for other names.
std::unique_ptr<Engine> openEngine(const std::shared_ptr<const Library> &library, const std::string &device,
                                   unsigned threads, size_t deviceBytes, PlanChoice plans = PlanChoice::Tried,
                                   std::string *whyProcessor = nullptr);

} // namespace gnn::rt

#endif // GNN_MODEL_OPENENGINE_H
