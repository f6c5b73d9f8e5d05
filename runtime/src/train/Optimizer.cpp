//===- Optimizer.cpp - SGD, Adam, AdamW -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Optimizer.h"

#include "runtime/src/core/Guard.h"

#include <cmath>

namespace gnn::rt {

OptimizerKind parseOptimizer(const std::string &name) {
  for (OptimizerKind kind : {OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW})
    if (name == optimizerName(kind))
      return kind;
  fail(GNN_ERROR_ARGUMENT, "unknown optimizer '", name, "'; there are sgd, adam, adamw");
}

std::string optimizerName(OptimizerKind kind) {
  return kind == OptimizerKind::Sgd ? "sgd" : kind == OptimizerKind::Adam ? "adam" : "adamw";
}

Optimizer::Optimizer(Engine &engine, OptimizerKind kind, double rate, std::vector<Parameter> trained)
    : algorithm(kind), learningRate(rate), parameters(std::move(trained)) {
  for (Parameter &parameter : parameters) {
    Tensor &value = parameter.value;
    const double decay = parameter.weightDecay;
    Update update{value.element(), value.count(), value.mutableData(),       nullptr,
                  nullptr,         nullptr,       isDecoupled() ? 0 : decay, 1};
    if (algorithm != OptimizerKind::Sgd) {
      firstMoments.push_back(engine.zeros(value.element(), value.shape()));
      secondMoments.push_back(engine.zeros(value.element(), value.shape()));
      update.firstMoment = firstMoments.back().mutableData();
      update.secondMoment = secondMoments.back().mutableData();
    }
    changes.push_back(update);
  }
  setLearningRate(rate);
}

void Optimizer::setLearningRate(double rate) {
  learningRate = rate;
  for (size_t i = 0; isDecoupled() && i < changes.size(); ++i)
    changes[i].shrink = 1 - rate * parameters[i].weightDecay;
}

UpdateRule Optimizer::nextRule() const {
  const double steps = double(stepsDone + 1);
  return {algorithm != OptimizerKind::Sgd, learningRate, learningRate / (1 - std::pow(UpdateRule::beta1, steps)),
          1 / std::sqrt(1 - std::pow(UpdateRule::beta2, steps))};
}

std::vector<std::pair<std::string, Tensor>> Optimizer::state() const {
  std::vector<std::pair<std::string, Tensor>> result;
  for (size_t i = 0; i < firstMoments.size(); ++i) {
    result.emplace_back("m." + parameters[i].name, firstMoments[i]);
    result.emplace_back("v." + parameters[i].name, secondMoments[i]);
  }
  return result;
}

size_t Optimizer::stateBytes() const {
  size_t bytes = 0;
  for (size_t i = 0; i < firstMoments.size(); ++i)
    bytes += firstMoments[i].bytes() + secondMoments[i].bytes();
  return bytes;
}

} // namespace gnn::rt
