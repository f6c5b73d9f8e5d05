//===- TrainingContext.h - What steps and evaluation share ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model that is bound to a graph with targets, and a limit of memory that training steps and evaluation keep to
// together.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_TRAININGCONTEXT_H
#define GNN_TRAIN_TRAININGCONTEXT_H

#include "runtime/src/exec/FixedFields.h"
#include "runtime/src/model/Model.h"
#include "runtime/src/stream/WithinMemory.h"
#include "runtime/src/train/Pairs.h"
#include "runtime/src/train/TrainingConfig.h"

namespace gnn::rt {

/// Data that a model is trained and evaluated on.
struct TrainingData {
  std::shared_ptr<const Graph> graph;
  Features features; // inputs and targets
  std::string where; // names the data in messages
  /// True pairs of a model of links, by split: they are no negatives, and not in the way of a rank.
  std::map<std::string, Tensor> knownPairs{};
};

struct TrainingContext {
  /// `model` must have its dimensions and outlive this. Throws GNN_ERROR_MISMATCH for inputs or targets that are
  /// missing, and for a model that has no loss.
  TrainingContext(Model &model, const TrainingData &data, const TrainingConfig &config);

  bool scoresPairs() const { return pairsRelation(library).has_value(); }
  /// The streamed executors of a step, 0, and of evaluation, 1; null unless the graph is streamed.
  const WithinMemory *streams() const { return within && within->plan().parts > 0 ? within.get() : nullptr; }
  /// Opens `within` for programs to run one at a time, beside `otherBytes` of other memory. Returns an executor for
  /// each. Throws as WithinMemory.
  std::vector<std::unique_ptr<Executor>> executorsWithin(std::vector<const gnn_program_t *> programs, size_t otherBytes,
                                                         const MemoryLimit &limit);
  /// Rows of tables by the ids of the vertices or edges that the loss is over.
  std::vector<int64_t> rowsOfTables(Span<const int64_t> ids) const;
  /// Notes which inputs are not finite, before they are given up.
  void inspectInputs();
  /// The likeliest cause of a loss, gradient or state that is not finite: what is not finite itself, else the size of
  /// the steps.
  std::string whyNotFinite(int64_t stepsDone) const;

  Model &model;
  const std::string where;
  const TrainingConfig config;
  Binding binding;
  const Library &library;
  const gnn_program_t &train, &evaluate; // which results there are; of several programs the first
  const uint32_t numOutputs;             // of @evaluate, before losses and hits
  PairSet knownPairs;
  int64_t numKnownPairs = 0;                         // with those that were added twice
  FixedFields fixedFields;                           // of a step and evaluation
  std::unique_ptr<const PartOfProgram> vertexFields; // that `within` computes to evaluate pairs; may be null
  std::unique_ptr<WithinMemory> within;              // the limit of memory of steps over the graph; may be null

private:
  std::optional<std::vector<std::string>> strangeInputs; // not finite; none: inputs are there to be looked at
};

/// Executors of a model for programs within a limit of memory, with their parameters. Throws as WithinMemory.
std::unique_ptr<WithinMemory> openWithin(Model &model, Binding &binding, std::vector<const gnn_program_t *> programs,
                                         size_t otherBytes, const MemoryLimit &limit);
/// The same for evaluation beside steps that take `taken` bytes of the limit: it has half of what they leave, or all of
/// it if that is too little.
std::unique_ptr<WithinMemory> evaluationWithin(Model &model, Binding &binding, size_t taken, size_t otherBytes,
                                               const MemoryLimit &limit);

/// Parameters with gradients, moments and perhaps a copy of the best, in bytes. On a GPU, moments beside what is there
/// and results, and a little of what ends a step.
size_t bytesOfTraining(Model &model);

} // namespace gnn::rt

#endif // GNN_TRAIN_TRAININGCONTEXT_H
