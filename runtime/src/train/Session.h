//===- Session.h - A model over a graph with targets ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The single steps that training consists of: one step of the optimizer on the whole graph, and losses and accuracies
// of sets of vertices.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_SESSION_H
#define GNN_TRAIN_SESSION_H

#include "runtime/src/exec/Model.h"
#include "runtime/src/train/Optimizer.h"

#include <optional>
#include <string>

namespace gnn::rt {

/// Means over a set of vertices.
struct Metrics {
  double loss = 0;
  std::optional<double> accuracy; // classification only; in [0, 1]
};

class Session {
public:
  /// `model` must have its dimensions and outlive the session. `features` hold inputs and targets. Throws
  /// GNN_ERROR_MISMATCH for what is missing and GNN_ERROR_DATA for class labels outside [-1, classes).
  Session(Model &model, std::shared_ptr<const Graph> graph, const Features &features, const std::string &where);

  /// The loss is the mean over these vertices (original ids), which must all have labels.
  void setTrainVertices(Span<const int64_t> vertices, const std::string &split);

  /// One step over the whole graph. `step` numbers the random draws. Returns the loss before the update; throws
  /// GNN_ERROR_NUMERIC if it is not finite.
  double trainStep(uint64_t seed, uint64_t step, Optimizer &optimizer);

  /// Runs @evaluate with the present parameters; `metrics` and `output` speak of its results.
  void evaluate();
  /// Sums in double in the order of `vertices`.
  Metrics metrics(Span<const int64_t> vertices, const std::string &split) const;
  /// Output `i` of the model, in the order of original ids.
  Tensor output(uint32_t i) const;

  const Graph &graph() const { return binding.graph(); }
  /// Memory of the training program beside parameters and data: temporaries, results, partial sums.
  size_t peakBytes() const { return train.peakBytes(); }
  WholeGraph &trainExecutor() { return train; }

private:
  void checkLabels() const;
  void requireLabels(Span<const int64_t> vertices, const std::string &split) const;

  Model &model;
  std::string where;
  Binding binding;
  WholeGraph train, judge;
  const gnn_program_t &trainProgram, &judgeProgram;
  uint32_t numOutputs;
  std::vector<const void *> gradients;
};

/// Extent of the number of classes: the last dimension of the output that the loss judges; none if the target is not a
/// class.
std::optional<uint32_t> classesExtent(const Library &library);

} // namespace gnn::rt

#endif // GNN_TRAIN_SESSION_H
