//===- Checkpoint.h - Training that can go on -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint is one safetensors file: parameters under their names, the optimizer's moments under `optimizer.`, and
// as metadata what a run needs to go on with the same bits. It is written atomically; the file before it survives a
// full disk.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_CHECKPOINT_H
#define GNN_TRAIN_CHECKPOINT_H

#include "runtime/src/exec/Model.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/train/Optimizer.h"

#include <string>

namespace gnn::rt {

/// Where a run stands.
struct Progress {
  uint64_t seed = 0;
  int64_t epoch = 0;      // epochs done; the optimizer has done as many steps
  int64_t bestEpoch = -1; // with the best validation result so far, -1: none
  double bestScore = 0;   // larger is better
};

void saveCheckpoint(const std::string &path, const Model &model, const Optimizer &optimizer, const Progress &progress,
                    FileSystem &files = FileSystem::real());

/// Sets parameters and optimizer. Throws GNN_ERROR_MISMATCH if the file is of another model or optimizer, or holds
/// weights only.
Progress loadCheckpoint(const std::string &path, Model &model, Optimizer &optimizer);

} // namespace gnn::rt

#endif // GNN_TRAIN_CHECKPOINT_H
