//===- Expected.cpp - What the oracle expects of a scenario ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Expected.h"
#include "test/Verify/Comparison.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace gnnc::verify {

bool hasLoss(const CheckedModel &model, const Scenario &scenario) {
  return model.loss >= 0 && !scenario.lossRows.empty();
}

std::vector<double> masked(const Scenario &scenario, const std::vector<double> &losses) {
  std::vector<double> result;
  for (int64_t row : scenario.lossRows)
    result.push_back(losses.at(row));
  return result;
}

double marginOf(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values) {
  return findKinks(model, bindings, values).margin;
}

Step oracleStep(const CheckedModel &model, const Scenario &scenario, OracleValues values) {
  Step step;
  step.values = std::move(values);
  if (hasLoss(model, scenario)) {
    step.loss = maskedLoss(model, scenario.bindings, step.values);
    step.gradients = differentiateLoss(model, scenario.bindings, step.values);
  }
  return step;
}

/// How many times more coarsely than compiled code the oracle rounds, so that a few samples suffice for a bound.
constexpr double coarser = 32;
/// The same for each sample. Where scores are nearly equal a coarse rounding decides between them, and only a fine one
/// meets the slopes in between.
constexpr double coarseness[] = {coarser, coarser, coarser, coarser, coarser, coarser, 4, 4, 4, 1, 1, 1};

/// Whether compiled code, which rounds no more coarsely than `moved`, may decide otherwise than `expected`: where the
/// oracle does, or where what is compared moves by more than twice its distance from the kink for a rounding as fine as
/// that of compiled code. Ties that are rounded apart do not count.
///
/// A softmax decides, too, where a rounding as fine as that of compiled code (`isFine`) moves its scores by about 1 or
/// more: a share of 1/2 then moves by 1/4. Among n scores each may win or lose all, and samples meet a given one of
/// them as the winner once in n times. With smaller errors a share at most doubles, which a bound holds of twice the
/// share.
///
/// A periodic function of a large number is any number from -1 to 1 once the angle moves by a radian, and so is that of
/// a coarser sample: products of such numbers are seldom as large as the worst. An angle must not move by more than
/// 1/16.
static bool mayDecideOtherwise(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &moved,
                               const OracleValues &expected, bool isFine) {
  if (!bindings.roundsTiesAlike && !isFine)
    return false;
  const KinkReport after = findKinks(model, bindings, moved), before = findKinks(model, bindings, expected);
  if (isFine) {
    if (after.shares.size() != before.shares.size()) // a filter lets others through
      return true;
    for (auto [to, from] : llvm::zip_equal(after.shares, before.shares))
      if (std::fabs(to - from) > 0.25)
        return true;
    for (auto [to, from] : llvm::zip_equal(after.angles, before.angles))
      if (std::fabs(to - from) > 1.0 / 16)
        return true;
  }
  if (!bindings.roundsTiesAlike)
    return false;
  if (after.decisions != before.decisions)
    return true;
  for (auto [to, from] : llvm::zip_equal(after.distances, before.distances))
    if (std::fabs(to - from) > coarser / 2 * std::fabs(from))
      return true;
  return false;
}

/// Widens `bound` by a training step of the oracle that rounds; false if compiled code may decide otherwise
/// than `expected`.
static bool sampleStep(RoundingBound &bound, const CheckedModel &model, const Scenario &scenario, const Step &expected,
                       bool isFine) {
  const Step moved = oracleStep(model, scenario, evaluate(model, scenario.bindings));
  if (mayDecideOtherwise(model, scenario.bindings, moved.values, expected.values, isFine))
    return false;
  if (!hasLoss(model, scenario))
    return true;
  CompiledResults results;
  results.loss = moved.loss;
  results.gradients = moved.gradients;
  for (const StateUpdate &update : model.stateUpdates)
    results.states[model.params[update.state].name] = moved.values[update.value].data;
  compareStep(bound, model, expected, results);
  return true;
}

/// The same for inference.
static bool sampleInference(RoundingBound &bound, const CheckedModel &model, const Scenario &scenario,
                            const OracleValues &expected, bool isFine) {
  const OracleValues moved = evaluate(model, scenario.bindings);
  if (mayDecideOtherwise(model, scenario.bindings, moved, expected, isFine))
    return false;
  CompiledResults results;
  for (const Output &output : model.outputs)
    results.outputs[output.name] = moved[output.value].data;
  compareOutputs(bound, model, expected, results);
  if (hasLoss(model, scenario))
    bound.compare("losses", masked(scenario, moved[model.loss].data), masked(scenario, expected[model.loss].data), 1);
  return true;
}

std::optional<RoundingBound> boundOf(const CheckedModel &model, Scenario scenario, const Step &training,
                                     const OracleValues *inference, double rounding) {
  const double largest = rounding > 0x1p-30 ? 1e18 : 1e150; // their squares must be finite
  const auto isSmall = [&](const OracleField &field) {
    return llvm::all_of(field.data, [&](double x) { return std::fabs(x) < largest; });
  };
  if (!llvm::all_of(training.values, isSmall) || (inference && !llvm::all_of(*inference, isSmall)))
    return std::nullopt;
  RoundingBound bound(coarser * rounding);
  for (size_t sample = 0; sample < std::size(coarseness); ++sample) {
    const bool isFine = coarseness[sample] == 1;
    scenario.bindings.rounding = coarseness[sample] * rounding;
    scenario.bindings.roundingSeed = sample;
    scenario.bindings.roundsTiesAlike = sample < 3;
    scenario.bindings.training = true;
    if (!sampleStep(bound, model, scenario, training, isFine))
      return std::nullopt;
    scenario.bindings.training = false;
    if (inference && !sampleInference(bound, model, scenario, *inference, isFine))
      return std::nullopt;
  }
  return bound.isFinite() ? std::optional(bound) : std::nullopt;
}

static Expected drawOnce(const CheckedModel &model, const std::string &name, const VerifyOptions &options, int attempt,
                         double offset) {
  Expected drawn;
  drawn.scenario = drawScenario(model, name, options.dims, options.seed + 1000003 * attempt, offset);
  drawn.scenario.bindings.seed = options.seed + 5;
  drawn.scenario.bindings.step = options.seed % 7;
  if (!checkBindings(model, drawn.scenario.bindings).empty())
    return drawn;
  drawn.inference = evaluate(model, drawn.scenario.bindings);
  drawn.training.values = evaluate(model, drawn.trainingScenario().bindings);
  return drawn;
}

Expected drawExpected(const CheckedModel &model, const std::string &name, const VerifyOptions &options) {
  Expected best;
  best.margin = -1;
  for (int attempt = 0; attempt < 20 && best.margin < options.nearTie; ++attempt) {
    Expected drawn = drawOnce(model, name, options, attempt, /*offset=*/0);
    if (drawn.inference.empty())
      return drawn;
    drawn.margin = std::min(marginOf(model, drawn.scenario.bindings, drawn.inference),
                            marginOf(model, drawn.trainingScenario().bindings, drawn.training.values));
    if (drawn.margin > best.margin)
      best = std::move(drawn);
  }
  best.training = oracleStep(model, best.trainingScenario(), std::move(best.training.values));
  return best;
}

Expected drawAroundOffset(const CheckedModel &model, const std::string &name, const VerifyOptions &options) {
  Draw draw(options.seed);
  Expected drawn;
  for (int attempt = 0; attempt < 8; ++attempt) {
    const double decades = (draw.number() + 1) / 2 * std::min(4, 8 - attempt);
    drawn = drawOnce(model, name, options, attempt, double(float(1e3 * std::pow(10, decades))));
    if (drawn.inference.empty())
      return drawn;
    drawn.training = oracleStep(model, drawn.trainingScenario(), std::move(drawn.training.values));
    drawn.bound = boundOf(model, drawn.scenario, drawn.training, &drawn.inference, options.rounding);
    if (drawn.bound)
      return drawn;
  }
  return drawn;
}

} // namespace gnnc::verify
