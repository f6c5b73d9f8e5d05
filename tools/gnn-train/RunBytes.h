//===- RunBytes.h - What the memory of a run is for -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RUNBYTES_H
#define GNN_TOOLS_TRAIN_RUNBYTES_H

#include "tools/gnn-train/Problem.h"

namespace gnn::train_tool {

/// Bytes of all that a run over a graph in memory has, by what it is; names are those of the library. Tables are those
/// that `data` has still.
nlohmann::json bytesOfRun(Problem &problem, const rt::Binding &data, const rt::Executor &executor, bool trains);

/// The sum of all bytes in it.
size_t sumOf(const nlohmann::json &bytes);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RUNBYTES_H
