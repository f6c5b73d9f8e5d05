//===- Verify.cpp - Compiled code against the oracle ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws a scenario away from kinks, evaluates it both ways and compares array by array.
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Verify.h"
#include "gnn/error.hpp"
#include <algorithm>
#include <cmath>
#include <sstream>

namespace gnnc::verify {

namespace {

class Comparison {
public:
  Comparison(VerifyReport &report, double tolerance) : report(report), tolerance(tolerance) {}

  std::string where;

  /// `floor` is the least scale: rounding of a sum that cancels is that of its terms.
  void compare(const std::string &what, const std::vector<double> &actual, const std::vector<double> &expected,
               double floor) {
    ++report.arrays;
    if (actual.size() != expected.size())
      return fail(what + " has " + std::to_string(actual.size()) + " numbers, expected " +
                  std::to_string(expected.size()));
    double scale = floor, error = 0;
    size_t worst = 0;
    for (double x : expected)
      scale = std::max(scale, std::isfinite(x) ? std::fabs(x) : 0);
    for (size_t i = 0; i < actual.size(); ++i) {
      const double difference = distance(actual[i], expected[i]) / scale;
      if (difference > error) {
        error = difference;
        worst = i;
      }
    }
    report.largestError = std::max(report.largestError, error);
    if (error > tolerance)
      fail(what + describe(worst, actual[worst], expected[worst], error));
  }

  void fail(const std::string &message) { report.failures.push_back(where + ": " + message); }

private:
  static double distance(double actual, double expected) {
    if (std::isnan(actual) && std::isnan(expected))
      return 0;
    if (actual == expected)
      return 0;
    const double difference = std::fabs(actual - expected);
    return std::isfinite(difference) ? difference : HUGE_VAL;
  }

  static std::string describe(size_t element, double actual, double expected, double error) {
    std::ostringstream text;
    text.precision(9);
    text << "[" << element << "] is " << actual << ", expected " << expected << " (" << error << " of the largest)";
    return text.str();
  }

  VerifyReport &report;
  double tolerance;
};

} // namespace

static bool hasLoss(const CheckedModel &model, const Scenario &scenario) {
  return model.loss >= 0 && !scenario.lossRows.empty();
}

static void compareOutputs(Comparison &comparison, const CheckedModel &model, const OracleValues &expected,
                           const CompiledResults &actual) {
  for (const Output &output : model.outputs)
    comparison.compare("output `" + output.name + "`", actual.outputs.at(output.name), expected[output.value].data,
                       1e-6);
}

static void compareGradients(Comparison &comparison, const CheckedModel &model, const OracleGradients &expected,
                             const CompiledResults &actual) {
  double largest = 0;
  for (const auto &[name, gradient] : actual.gradients)
    for (double x : expected.at(name))
      largest = std::max(largest, std::fabs(x));
  for (const Parameter &param : model.params) {
    if (param.isState)
      continue;
    auto gradient = actual.gradients.find(param.name);
    if (gradient == actual.gradients.end())
      comparison.fail("there is no gradient of `" + param.name + "`");
    else
      comparison.compare("gradient of `" + param.name + "`", gradient->second, expected.at(param.name),
                         std::max(0.1 * largest, 1e-5));
  }
}

/// Rows of the loss only: what the rest is worth is nobody's business.
static std::vector<double> masked(const Scenario &scenario, const std::vector<double> &losses) {
  std::vector<double> result;
  for (int64_t row : scenario.lossRows)
    result.push_back(losses.at(row));
  return result;
}

static void verifyPrograms(Comparison &comparison, const CheckedModel &model, const std::string &library,
                           Scenario scenario, const RunOptions &run) {
  const OracleValues inference = evaluate(model, scenario.bindings);
  compareOutputs(comparison, model, inference, runCompiled(library, model, scenario, Program::Infer, run));
  if (!hasLoss(model, scenario))
    return;
  const CompiledResults evaluation = runCompiled(library, model, scenario, Program::Evaluate, run);
  compareOutputs(comparison, model, inference, evaluation);
  comparison.compare("losses", masked(scenario, evaluation.vertexLosses), masked(scenario, inference[model.loss].data),
                     1);

  scenario.bindings.training = true;
  const OracleValues training = evaluate(model, scenario.bindings);
  const CompiledResults step = runCompiled(library, model, scenario, Program::Train, run);
  comparison.compare("loss", {step.loss}, {maskedLoss(model, scenario.bindings, training)}, 1);
  compareGradients(comparison, model, differentiateLoss(model, scenario.bindings, training), step);
}

/// A scenario whose decisions rounding cannot change, or the last of 20 drawn.
static Scenario drawAwayFromKinks(const CheckedModel &model, const std::string &name, const VerifyOptions &options) {
  for (int attempt = 0;; ++attempt) {
    Scenario scenario = drawScenario(model, name, options.dims, options.seed + 1000003 * attempt);
    scenario.bindings.seed = options.seed + 5;
    scenario.bindings.step = options.seed % 7;
    double margin = findKinks(model, scenario.bindings, evaluate(model, scenario.bindings)).margin;
    scenario.bindings.training = true;
    margin = std::min(margin, findKinks(model, scenario.bindings, evaluate(model, scenario.bindings)).margin);
    scenario.bindings.training = false;
    if (margin > options.tolerance || attempt == 20)
      return scenario;
  }
}

VerifyReport verifyOn(const CheckedModel &model, const std::string &library, const std::string &graphName,
                      const VerifyOptions &options) {
  VerifyReport report;
  Comparison comparison(report, options.tolerance);
  const Scenario scenario = drawAwayFromKinks(model, graphName, options);
  comparison.where = graphName;
  const std::string error = checkBindings(model, scenario.bindings);
  if (!error.empty()) {
    comparison.fail(error);
    return report;
  }
  for (const std::string &isa : options.isas)
    for (bool plain : {true, false}) {
      RunOptions run;
      run.isa = isa;
      run.threads = plain ? 1 : 2;
      run.degreeOrder = !plain;
      comparison.where = graphName + (isa.empty() ? "" : ", " + isa) + (plain ? "" : ", by degree, two threads");
      try {
        verifyPrograms(comparison, model, library, scenario, run);
      } catch (const gnn::Error &error) {
        comparison.fail(error.what());
      }
    }
  return report;
}

} // namespace gnnc::verify
