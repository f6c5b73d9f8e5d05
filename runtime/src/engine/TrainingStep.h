//===- TrainingStep.h - A step of training ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The update with the results of a training program: a loss, gradients, next values of states. Nothing is updated if a
// result is infinite or NaN.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_TRAININGSTEP_H
#define GNN_ENGINE_TRAININGSTEP_H

#include "runtime/src/engine/Update.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace gnn::rt {

/// A state becomes a result of the program.
struct StateUpdate {
  void *value;
  uint32_t result, element;
  size_t bytes;
};

struct TrainingStep {
  uint64_t key; // of random draws
  UpdateRule rule;
  const std::vector<Update> &updates; // the gradient of update i is result i + 1
  const std::vector<StateUpdate> &states;
  double mostNorm = 0; // above which the norm of all gradients together is scaled down to it; 0: they stay as they are
};

/// Added to the norm by which gradients are divided, as in PyTorch's clip_grad_norm_.
constexpr double clipEpsilon = 1e-6;

struct StepOutcome {
  double loss;
  /// The first result of the program with a number that is not finite: then parameters, moments and states are as they
  /// were.
  std::optional<uint32_t> refusedBy;
};

} // namespace gnn::rt

#endif // GNN_ENGINE_TRAININGSTEP_H
