//===- Training.cpp - Training on the oracle ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-interp/Training.h"
#include "gnn/error.hpp"
#include "runtime/src/train/PairSteps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>

using namespace gnn::rt;

namespace gnnc::interp {

namespace {

/// Kingma and Ba 2015; Loshchilov and Hutter 2019.
class DescentRule {
public:
  explicit DescentRule(const TrainingDefaults &defaults) : defaults(defaults) {}

  void step(const CheckedModel &model, const OracleGradients &gradients, OracleBindings &bindings) {
    ++steps;
    for (const Parameter &param : model.params)
      if (!param.isState)
        update(param.name, gradients.at(param.name), bindings.params.at(param.name));
  }

private:
  void update(const std::string &name, const std::vector<double> &gradient, std::vector<double> &values);
  double decayOf(const std::string &name) const;

  const TrainingDefaults &defaults;
  int64_t steps = 0;
  std::map<std::string, std::vector<double>> firstMoments, secondMoments;
};

} // namespace

/// The weight decay of the layers and parameters that the model names, or of all.
double DescentRule::decayOf(const std::string &name) const {
  const bool isDecayed =
      defaults.decayedLayers.empty() || llvm::any_of(defaults.decayedLayers, [&](const std::string &layer) {
        return name == layer || llvm::StringRef(name).starts_with(layer + ".");
      });
  return isDecayed ? defaults.weightDecay : 0;
}

void DescentRule::update(const std::string &name, const std::vector<double> &gradient, std::vector<double> &values) {
  constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  std::vector<double> &m = firstMoments[name], &v = secondMoments[name];
  m.resize(values.size());
  v.resize(values.size());
  const double rate = defaults.learningRate, decay = decayOf(name);
  const bool isDecoupled = defaults.optimizer == "adamw";
  for (size_t i = 0; i < values.size(); ++i) {
    const double g = gradient[i] + (isDecoupled ? 0 : decay * values[i]);
    if (defaults.optimizer == "sgd") {
      values[i] -= rate * g;
      continue;
    }
    m[i] = beta1 * m[i] + (1 - beta1) * g;
    v[i] = beta2 * v[i] + (1 - beta2) * g * g;
    const double meanOfG = m[i] / (1 - std::pow(beta1, steps)), meanOfSquare = v[i] / (1 - std::pow(beta2, steps));
    values[i] -= rate * ((isDecoupled ? decay * values[i] : 0) + meanOfG / (std::sqrt(meanOfSquare) + epsilon));
  }
}

namespace {

/// The pairs that a model of links is trained with, new ones each step.
class SampledPairs {
public:
  SampledPairs(const CheckedModel &model, const Dataset &dataset, const PairOptions &options,
               const SampledSteps *samples, const OracleBindings &bindings);

  const Batches &batches() const { return steps.batches(); }
  void bind(OracleBindings &bindings);
  /// Those that are bound; null of a model that scores none.
  const PairSteps::Step *ofStep() const { return relation < 0 ? nullptr : &step; }

private:
  const CheckedModel &model;
  int relation = -1; // none: no loss of pairs
  PairSteps steps;
  PairSteps::Step step{};
  PairEnds ends;
  PairSet known;
};

} // namespace

SampledPairs::SampledPairs(const CheckedModel &model, const Dataset &dataset, const PairOptions &options,
                           const SampledSteps *samples, const OracleBindings &bindings)
    : model(model) {
  const ValueType &type = model.values[model.loss].type;
  if (type.kind != GraphKind::E || !model.relations[type.type].isPairs) {
    if (options.batch > 0)
      throw gnn::Error(GNN_ERROR_MISMATCH,
                       "batches without fan-outs need a model that scores pairs; the model scores none");
    return;
  }
  relation = int(type.type);
  const OracleGraph &given = bindings.relations[relation];
  steps = PairSteps({given.src, given.dst, given.types}, samples ? samples->sizeOfBatch() : options.batch,
                    options.negatives);
  ends = {bindings.numVertices[model.relations[relation].sourceType],
          bindings.numVertices[model.relations[relation].destinationType]};
  for (const auto &[split, table] : dataset.pairSplits())
    known.add(pairsOf(table, split + " in " + dataset.source));
}

void SampledPairs::bind(OracleBindings &bindings) {
  if (relation < 0)
    return;
  step = steps.drawn(bindings.seed, int64_t(bindings.step), ends, known);
  OracleGraph &graph = bindings.relations[relation];
  graph.src = step.pairs.src;
  graph.dst = step.pairs.dst;
  graph.types = step.pairs.types;
  for (const Input &input : model.inputs)
    if (input.isTarget && input.type.kind == GraphKind::E && input.type.type == unsigned(relation))
      bindings.inputs[input.name] = step.targets;
}

double trainModel(const CheckedModel &model, const Dataset &dataset, int64_t epochs, const PairOptions &pairOptions,
                  SampledSteps *samples, OracleBindings &bindings) {
  if (model.loss < 0)
    throw gnn::Error(GNN_ERROR_MISMATCH, "the model states no loss");
  SampledPairs pairs(model, dataset, pairOptions, samples, bindings);
  DescentRule rule(model.training);
  bindings.training = true;
  const Batches &batches = samples && !pairs.ofStep() ? samples->ofEpoch() : pairs.batches();
  const int64_t stepsOfEpoch = batches.stepsOfEpoch();
  double loss = 0; // of the epoch
  for (int64_t step = 0; step < epochs * stepsOfEpoch; ++step) {
    bindings.step = uint64_t(step);
    pairs.bind(bindings);
    if (samples)
      samples->bind(bindings, pairs.ofStep());
    const OracleValues values = evaluate(model, bindings);
    loss = (step % stepsOfEpoch == 0 ? 0 : loss) + maskedLoss(model, bindings, values) * batches.shareOf(step);
    rule.step(model, differentiateLoss(model, bindings, values), bindings);
    for (const StateUpdate &update : model.stateUpdates)
      bindings.params[model.params[update.state].name] = values[update.value].data;
  }
  return loss;
}

} // namespace gnnc::interp
