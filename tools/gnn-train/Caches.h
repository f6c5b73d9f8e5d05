//===- Caches.h - Caches of GPUs that train on samples ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_CACHES_H
#define GNN_TOOLS_TRAIN_CACHES_H

#include "tools/gnn-train/Options.h"

namespace gnn::train_tool {

/// Whether a plan is of these caches: with --fanout and --topology, of GPUs.
bool isOfCaches(const PlanOptions &options);
/// Prints it, and returns the exit code. It needs no GPU.
int planCaches(const PlanOptions &options);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_CACHES_H
