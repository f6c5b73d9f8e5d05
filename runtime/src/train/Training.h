//===- Training.h - Steps and evaluation of a model -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes what trains a model: a source of steps and an evaluator, which share a limit of memory. Nothing else depends on
// how the model is trained.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_TRAINING_H
#define GNN_TRAIN_TRAINING_H

#include "runtime/src/train/Evaluator.h"
#include "runtime/src/train/StepSource.h"

namespace gnn::rt {

struct Training {
  std::unique_ptr<TrainingContext> context;
  std::unique_ptr<PairEvaluator> pairs;  // scores pairs for `evaluation`; null for models of rows
  std::unique_ptr<StepSource> steps;     // null for evaluation alone
  std::unique_ptr<Evaluator> evaluation; // null in a process that does not evaluate
};

/// Steps on `trainSplit`, called `name` in messages, and evaluation over the whole graph: steps over the graph and
/// evaluation are held to the limit of memory by WithinMemory, steps on samples by SampledWithin or, on a GPU,
/// SampledOnDevice. `data` is not needed any more then, where it is in files. Throws as TrainingContext, TrainingSplit
/// and these do, and GNN_ERROR_MISMATCH if the model cannot be trained by the config.
Training openTraining(Model &model, TrainingData data, const Tensor &trainSplit, const std::string &name,
                      const TrainingConfig &config);
/// Evaluation alone. Rows are evaluated in as many intervals as beside steps; pairs have the whole limit of memory.
Training openEvaluation(Model &model, TrainingData data, const TrainingConfig &config);

/// Into what a limit of memory makes training over a graph: the plan that `openTraining` has where not all of it fits.
StreamPlan planOfTraining(Model &model, const TrainingData &data, const MemoryLimit &limit);
/// The least limit of memory within which rows are trained on the whole graph, in bytes.
size_t leastLimitOfTraining(Model &model, const TrainingData &data, const MemoryLimit &limit);

} // namespace gnn::rt

#endif // GNN_TRAIN_TRAINING_H
