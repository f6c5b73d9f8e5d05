//===- Launcher.h - The ranks of one host -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_LAUNCHER_H
#define GNN_TOOLS_TRAIN_LAUNCHER_H

#include "runtime/src/comm/Comm.h"

#include <chrono>
#include <functional>

namespace gnn::train_tool {

/// Starts so many processes, each a rank that runs `body`, and waits until all have ended. Called before this process
/// has threads. Returns the exit code of all: that of `body`, or of what was first wrong, which is printed. A signal
/// that ends runs early goes to all of them. None outlives this process, however it ends.
int launchRanks(int ranks, std::chrono::milliseconds patience, const std::function<int(rt::Comm &)> &body);

/// `body`, as one of several ranks: if it fails, the others are told.
int runRank(rt::Comm &comm, const std::function<int(rt::Comm &)> &body);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_LAUNCHER_H
