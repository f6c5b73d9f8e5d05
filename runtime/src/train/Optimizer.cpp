//===- Optimizer.cpp - SGD, Adam, AdamW -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Optimizer.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cmath>

namespace gnn::rt {

namespace {

constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
/// Elements of a parameter that are one task.
constexpr int64_t pieceElements = 4096;

} // namespace

OptimizerKind parseOptimizer(const std::string &name) {
  for (OptimizerKind kind : {OptimizerKind::Sgd, OptimizerKind::Adam, OptimizerKind::AdamW})
    if (name == optimizerName(kind))
      return kind;
  fail(GNN_ERROR_ARGUMENT, "unknown optimizer '", name, "'; there are sgd, adam, adamw");
}

std::string optimizerName(OptimizerKind kind) {
  return kind == OptimizerKind::Sgd ? "sgd" : kind == OptimizerKind::Adam ? "adam" : "adamw";
}

Optimizer::Optimizer(OptimizerKind kind, double rate, std::vector<Parameter> trained)
    : algorithm(kind), learningRate(rate), parameters(std::move(trained)) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Tensor &value = parameters[i].value;
    if (algorithm != OptimizerKind::Sgd) {
      firstMoments.push_back(Tensor::zeros(value.element(), value.shape()));
      secondMoments.push_back(Tensor::zeros(value.element(), value.shape()));
    }
    for (int64_t begin = 0; begin < value.count(); begin += pieceElements)
      pieces.push_back({i, begin, std::min(begin + pieceElements, value.count())});
  }
}

void Optimizer::step(Team &team, const std::vector<const void *> &gradients) {
  assert(gradients.size() == parameters.size());
  ++stepsDone;
  current = gradients;
  team.run({runPiece, this, uint32_t(pieces.size())});
}

void Optimizer::runPiece(void *context, int64_t task, unsigned) {
  auto &self = *static_cast<Optimizer *>(context);
  const Piece &piece = self.pieces[size_t(task)];
  bool isDouble = self.parameters[piece.parameter].value.element() == GNN_F64;
  isDouble ? self.update<double>(piece) : self.update<float>(piece);
}

template <class T> void Optimizer::update(const Piece &piece) {
  Parameter &parameter = parameters[piece.parameter];
  T *p = parameter.value.mutableData<T>();
  const T *g = static_cast<const T *>(current[piece.parameter]);
  const T rate = T(learningRate), decay = T(parameter.weightDecay);
  if (algorithm == OptimizerKind::Sgd) {
    for (int64_t i = piece.begin; i < piece.end; ++i)
      p[i] -= rate * (g[i] + decay * p[i]);
    return;
  }
  T *m = firstMoments[piece.parameter].mutableData<T>(), *v = secondMoments[piece.parameter].mutableData<T>();
  const T shrink = algorithm == OptimizerKind::AdamW ? T(1 - learningRate * parameter.weightDecay) : T(1);
  const T l2 = algorithm == OptimizerKind::Adam ? decay : T(0);
  const T stepSize = T(learningRate / (1 - std::pow(beta1, double(stepsDone))));
  const T rootCorrection = T(1 / std::sqrt(1 - std::pow(beta2, double(stepsDone))));
  for (int64_t i = piece.begin; i < piece.end; ++i) {
    T gradient = g[i] + l2 * p[i];
    m[i] = T(beta1) * m[i] + T(1 - beta1) * gradient;
    v[i] = T(beta2) * v[i] + T(1 - beta2) * gradient * gradient;
    p[i] = shrink * p[i] - stepSize * m[i] / (std::sqrt(v[i]) * rootCorrection + T(epsilon));
  }
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
