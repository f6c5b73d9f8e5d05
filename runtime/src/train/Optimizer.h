//===- Optimizer.h - SGD, Adam, AdamW ---------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of parameters from gradients, with weight decay by parameter, as in PyTorch:
//   sgd    p -= lr (g + wd p)
//   adam   g += wd p;  m = b1 m + (1 - b1) g;  v = b2 v + (1 - b2) g^2;  p -= lr (m / (1 - b1^t)) / (sqrt(v / (1 -
//   b2^t)) + eps)
//          (Kingma & Ba 2015, algorithm 1, with L2 decay)
//   adamw  p -= lr wd p, then adam without decay (Loshchilov & Hutter 2019, algorithm 2)
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_OPTIMIZER_H
#define GNN_TRAIN_OPTIMIZER_H

#include "runtime/src/core/Tensor.h"
#include "runtime/src/engine/Engine.h"

#include <string>
#include <vector>

namespace gnn::rt {

enum class OptimizerKind { Sgd, Adam, AdamW };

/// "sgd", "adam" or "adamw"; throws GNN_ERROR_ARGUMENT for others.
OptimizerKind parseOptimizer(const std::string &name);
std::string optimizerName(OptimizerKind kind);

class Optimizer {
public:
  /// A parameter; `value` is shared and updated in place.
  struct Parameter {
    std::string name;
    Tensor value;
    double weightDecay;
  };

  /// Parameters are, and moments become, memory of `engine`.
  Optimizer(Engine &engine, OptimizerKind kind, double learningRate, std::vector<Parameter> parameters);

  /// The rule by which the next step updates each parameter; the caller supplies the gradients.
  UpdateRule nextRule() const;
  const std::vector<Update> &updates() const { return changes; }
  /// That step was done.
  void noteStep() { ++stepsDone; }

  /// Sets the learning rate of all later steps.
  void setLearningRate(double rate);
  /// Above which the norm of all gradients together is scaled down to it; 0: never.
  void setMostNorm(double norm) { largestNorm = norm; }
  double mostNorm() const { return largestNorm; }

  OptimizerKind kind() const { return algorithm; }
  int64_t steps() const { return stepsDone; }

  /// The moments by name (`m.conv1.W`, `v.conv1.W`), shared: reading and writing them saves and restores the optimizer,
  /// with `setSteps`.
  std::vector<std::pair<std::string, Tensor>> state() const;
  void setSteps(int64_t steps) { stepsDone = steps; }
  size_t stateBytes() const;

private:
  bool isDecoupled() const { return algorithm == OptimizerKind::AdamW; }

  OptimizerKind algorithm;
  double learningRate, largestNorm = 0;
  std::vector<Parameter> parameters;
  std::vector<Tensor> firstMoments, secondMoments;
  std::vector<Update> changes;
  int64_t stepsDone = 0;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_OPTIMIZER_H
