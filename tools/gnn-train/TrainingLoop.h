//===- TrainingLoop.h - The training loop -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epoch by epoch: a step, an evaluation, early stopping, checkpoints. A run that was stopped anywhere and resumed gives
// the bits of one that was not.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_TRAININGLOOP_H
#define GNN_TOOLS_TRAIN_TRAININGLOOP_H

#include "runtime/src/train/Checkpoint.h"
#include "runtime/src/train/Recipe.h"
#include "runtime/src/train/Training.h"

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gnn::train_tool {

struct EpochReport {
  int64_t epoch = 0;                         // from 1
  int64_t steps = 0;                         // of it that were done now
  double loss = 0;                           // of the training vertices, in training (with dropout), before the updates
  std::map<std::string, rt::Metrics> splits; // after them, without dropout
  double learningRate = 0;                   // of it
  int64_t bestEpoch = -1;                    // with the best validation result up to this one, -1: none
  double stepMs = 0, epochMs = 0; // forward, backward and update of a step, 0 of none; all steps and the evaluation
};

struct TrainRequest {
  rt::Recipe recipe;
  rt::TrainingOptions options; // when splits are evaluated and ranked; what `recipe` has counts there
  uint64_t seed = 0;
  std::map<std::string, rt::Tensor> weights; // all parameters and states to begin with; empty: drawn from the seed
  std::map<std::string, rt::Tensor> splits;  // see TrainingSplit; "val" decides on the best epoch
  std::string folder;  // for checkpoints `last.safetensors` and `best.safetensors`; empty: none are written
  bool resume = false; // from the folder's `last`
  std::map<std::string, std::string> notes; // what checkpoints say of the run besides
  const std::atomic<bool> *stop = nullptr;  // set from outside: end after the step under way, of a
                                            // streamed graph within it
  std::function<void(const std::string &split, double share)> onRanking; // while a split is ranked; may be empty
  rt::Comm *comm = nullptr; // the ranks that train together: all begin with what rank 0 has, and stop when one is to
  std::function<void(const rt::Progress &)> onStart; // before the first epoch, with what was resumed; may be empty
  std::function<void(const EpochReport &)> onEpoch;  // may be empty
  /// While an epoch of a streamed graph is done, what share of it; 1: no more of it will be. May be empty.
  std::function<void(int64_t epoch, double share)> onShare;
};

struct TrainOutcome {
  rt::Progress progress;
  std::vector<EpochReport> history; // of the epochs done now
  EpochReport final;                // `splits`: of the weights that the model has now; `loss`: of the last epoch
  bool stoppedEarly = false, interrupted = false;
};

/// Trains a model, which begins with the weights of the request, those of the seed, or resumed. Afterwards it has the
/// weights of the best epoch, those of `best.safetensors`, or of the last one if no epoch is the best: without a split
/// "val", or where nothing is evaluated.
TrainOutcome trainModel(rt::Training &training, const TrainRequest &request);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_TRAININGLOOP_H
