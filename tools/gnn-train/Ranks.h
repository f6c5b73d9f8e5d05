//===- Ranks.h - How the ranks of a run come together -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RANKS_H
#define GNN_TOOLS_TRAIN_RANKS_H

#include "tools/gnn-train/Options.h"

#include <functional>

namespace gnn::train_tool {

/// Calls `body` with the options of each of several ranks: of all, which are started here, or of this one, which finds
/// the others by MPI or by TCP. Returns the exit code of all.
int runRanks(TrainOptions asked, const std::function<int(const TrainOptions &)> &body);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RANKS_H
