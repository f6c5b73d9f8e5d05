//===- TrainingConfig.h - A validated way of training -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TrainingOptions are what a caller has said. A TrainingConfig is what they mean for a model on an engine: validated,
// parsed, and with defaults.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_TRAININGCONFIG_H
#define GNN_TRAIN_TRAININGCONFIG_H

#include "runtime/src/sample/Sampled.h"
#include "runtime/src/stream/StreamPlanner.h"
#include "runtime/src/train/Recipe.h"
#include "runtime/src/train/TrainingOptions.h"

#include <optional>
#include <string>

namespace gnn::rt {

/// Training on batches of vertices or pairs, each over a sample of its neighbourhood.
struct Sampling {
  FanOuts fanOuts;
  int64_t batch = 1024; // vertices of a step, or true pairs; at least 1
  Drawing drawing{};
  int64_t ahead =
      0;           // batches that are sampled while others are trained on, each on a thread; numbers don't depend on it
  Shares shares{}; // of each batch; their number decides numbers
  DrawnBy drawnBy = DrawnBy::Auto; // they don't depend on it
  bool evaluates = true;           // splits, over the whole graph
};

/// Which vertices a step over the whole graph computes.
enum class StepRows {
  Auto,   // on processors those that the loss reaches, where that pays (Reach::pays)
  All,    //
  Reached // those alone
};

struct TrainingConfig {
  /// Whether any process evaluates splits.
  bool isEvaluated() const { return !samples || samples->evaluates; }
  /// Whether rank 0 alone does: where ranks train on samples.
  bool isEvaluatedByFirst() const { return isEvaluated() && samples && samples->shares.comm; }
  /// Whether this process does.
  bool evaluatesHere() const;

  Recipe recipe;
  std::optional<Sampling> samples;   // none: steps are over the whole graph
  std::optional<MemoryLimit> memory; // none: all that the engine has
  StepRows rows = StepRows::Auto;
  int64_t negatives = 1; // random pairs for each true one
  int64_t pairBatch = 0; // true pairs of a step without samples; 0: all
};

/// Whether the model scores pairs of vertices.
bool scoresPairs(const Library &library);

/// The sampling that options ask for, on so many GPUs; none without fan-outs. Throws GNN_ERROR_ARGUMENT for what cannot
/// be parsed. `comm` has the ranks that train together, and may be null.
std::optional<Sampling> samplingOf(const TrainingOptions &options, size_t numDevices, Comm *comm,
                                   const OptionSpelling &spelling);

/// Throws as `checkRules` and `samplingOf` do. `MemoryLimit::held` is left to callers that keep data within the limit.
TrainingConfig configOf(const TrainingOptions &options, const Library &library, Engine &engine, Comm *comm,
                        const OptionSpelling &spelling);

} // namespace gnn::rt

#endif // GNN_TRAIN_TRAININGCONFIG_H
