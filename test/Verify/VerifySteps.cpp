//===- VerifySteps.cpp - Training steps against the oracle ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/VerifySteps.h"
#include "test/Verify/SampleDepths.h"
#include <algorithm>
#include <cmath>

namespace gnnc::verify {

void verifyFewEdges(Comparison comparison, const CheckedModel &model, const std::string &library,
                    const Expected &expected, const RunOptions &run, const VerifyOptions &options) {
  if (!hasLoss(model, expected.scenario))
    return;
  Scenario scenario = expected.trainingScenario();
  scenario.bindings.isSeen = fewEdges(library, model, scenario, run);
  if (!scenario.bindings.isSeen)
    return;
  scenario.bindings.totalVertices = SampleDepths(model).totalVertices(scenario);
  const Step training = oracleStep(model, scenario, evaluate(model, scenario.bindings));
  std::optional<RoundingBound> bound;
  if (comparison.bound) {
    bound = boundOf(model, scenario, training, /*inference=*/nullptr, options.rounding);
    comparison.bound = bound ? &*bound : nullptr;
    if (!bound)
      return;
  } else if (marginOf(model, scenario.bindings, training.values) < options.nearTie) {
    return;
  }
  const CompiledResults step = runCompiled(library, model, scenario, Program::Train, run);
  const size_t numFailures = comparison.report.failures.size();
  const double largestError = comparison.report.largestError;
  auto compare = [&] {
    comparison.compare("loss", {step.loss}, {training.loss}, 1);
    compareGradients(comparison, model, training.gradients, step);
  };
  compare();
  if (comparison.bound || comparison.report.failures.size() == numFailures)
    return;
  // Few edges may leave gradients that are nothing but rounding: then the scale is that of the terms that cancel.
  bound = boundOf(model, scenario, training, /*inference=*/nullptr, options.rounding);
  if (!bound)
    return;
  comparison.report.failures.resize(numFailures);
  comparison.bound = &*bound;
  compare();
  comparison.report.largestError = largestError; // the others are not relative to bounds
}

void verifyStep(Comparison &comparison, const CheckedModel &model, const std::string &library, const Expected &expected,
                const RunOptions &run) {
  const CompiledResults step = runCompiled(library, model, expected.trainingScenario(), Program::Train, run);
  compareStep(comparison, model, expected.training, step);
}

Expected asBatch(const CheckedModel &model, const Expected &expected) {
  Expected batch = expected;
  batch.scenario.bindings.totalVertices = SampleDepths(model).totalVertices(expected.scenario);
  const Scenario scenario = batch.trainingScenario();
  batch.training = oracleStep(model, scenario, evaluate(model, scenario.bindings));
  batch.margin = marginOf(model, scenario.bindings, batch.training.values);
  return batch;
}

/// `scenario` with NaN in the inputs of vertices that a batch must not read.
static Scenario beyondReach(const CheckedModel &model, const Scenario &scenario, const SampleDepths &depths) {
  Scenario poisoned = scenario;
  const std::vector<std::vector<int>> distances = depths.distances(scenario);
  for (const Input &input : model.inputs) {
    auto numbers = poisoned.bindings.inputs.find(input.name);
    if (input.isTarget || input.sparse || input.type.kind != GraphKind::V || input.type.element != ElementKind::Real ||
        numbers == poisoned.bindings.inputs.end())
      continue;
    const std::vector<int> &ofType = distances[input.type.type];
    const size_t width = ofType.empty() ? 0 : numbers->second.size() / ofType.size();
    for (size_t vertex = 0; vertex < ofType.size(); ++vertex)
      if (ofType[vertex] < 0 || ofType[vertex] > depths.reach())
        std::fill_n(numbers->second.begin() + std::ptrdiff_t(vertex * width), width, std::nan(""));
  }
  return poisoned;
}

static bool areSame(const std::vector<double> &a, const std::vector<double> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return distance(x, y) == 0; });
}

static bool areSame(const std::map<std::string, std::vector<double>> &a,
                    const std::map<std::string, std::vector<double>> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto &x, const auto &y) { return x.first == y.first && areSame(x.second, y.second); });
}

/// Whether two steps gave the same bits, where any NaN is like any other.
static bool areSame(const CompiledResults &a, const CompiledResults &b) {
  return distance(a.loss, b.loss) == 0 && areSame(a.gradients, b.gradients) && areSame(a.states, b.states);
}

void verifyBatch(Comparison comparison, const CheckedModel &model, const std::string &library, const Expected &expected,
                 const RunOptions &run, const VerifyOptions &options) {
  const std::optional<int> reach = reachOfBatch(library, run);
  if (!reach)
    return verifyStep(comparison, model, library, expected, run);
  const SampleDepths depths(model);
  if (options.checksReach && *reach > depths.reach())
    comparison.fail("reads " + std::to_string(*reach) + " steps away from its seeds, expected " +
                    std::to_string(depths.reach()));
  const Expected batch = asBatch(model, expected);
  const Scenario scenario = batch.trainingScenario();
  const CompiledResults step = runCompiled(library, model, scenario, Program::Train, run);
  if (!areSame(step, runCompiled(library, model, beyondReach(model, scenario, depths), Program::Train, run)))
    comparison.fail("depends on vertices farther than " + std::to_string(depths.reach()) + " steps from its seeds");
  std::optional<RoundingBound> bound;
  if (comparison.bound && !scenario.bindings.totalVertices.empty()) {
    bound = boundOf(model, scenario, batch.training, /*inference=*/nullptr, options.rounding);
    comparison.bound = bound ? &*bound : nullptr;
    if (!bound)
      return;
  } else if (!comparison.bound && batch.margin < options.nearTie) {
    return;
  }
  compareStep(comparison, model, batch.training, step);
}

} // namespace gnnc::verify
