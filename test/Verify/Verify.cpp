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
#include "runtime/src/cuda/Device.h"
#include "llvm/ADT/STLExtras.h"
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

static void compareStates(Comparison &comparison, const CheckedModel &model, const OracleValues &expected,
                          const CompiledResults &actual) {
  for (const StateUpdate &update : model.stateUpdates) {
    const std::string &name = model.params[update.state].name;
    auto state = actual.states.find(name);
    if (state == actual.states.end())
      comparison.fail("there is no next value of `" + name + "`");
    else
      comparison.compare("next value of `" + name + "`", state->second, expected[update.value].data, 1e-5);
  }
}

/// Rows of the loss only: what the rest is worth is nobody's business.
static std::vector<double> masked(const Scenario &scenario, const std::vector<double> &losses) {
  std::vector<double> result;
  for (int64_t row : scenario.lossRows)
    result.push_back(losses.at(row));
  return result;
}

namespace {
/// A scenario with what the oracle says of it: once for however many libraries and executors.
struct Expected {
  Scenario scenario;
  OracleValues inference, training;
  OracleGradients gradients;
  double loss = 0;
  double margin = 0; // distance to the nearest kink

  Scenario trainingScenario() const {
    Scenario result = scenario;
    result.bindings.training = true;
    return result;
  }
};
} // namespace

static double marginOf(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values) {
  return findKinks(model, bindings, values).margin;
}

/// A training step over a sample: the oracle goes over the same edges.
static void verifyFewEdges(Comparison &comparison, const CheckedModel &model, const std::string &library,
                           const Expected &expected, const RunOptions &run, double nearTie) {
  if (!hasLoss(model, expected.scenario))
    return;
  Scenario scenario = expected.trainingScenario();
  scenario.bindings.isSeen = fewEdges(library, model, scenario, run);
  if (!scenario.bindings.isSeen)
    return;
  const OracleValues training = evaluate(model, scenario.bindings);
  if (marginOf(model, scenario.bindings, training) < nearTie)
    return;
  const CompiledResults step = runCompiled(library, model, scenario, Program::Train, run);
  comparison.compare("loss", {step.loss}, {maskedLoss(model, scenario.bindings, training)}, 1);
  compareGradients(comparison, model, differentiateLoss(model, scenario.bindings, training), step);
}

static void verifyStep(Comparison &comparison, const CheckedModel &model, const std::string &library,
                       const Expected &expected, const RunOptions &run) {
  const CompiledResults step = runCompiled(library, model, expected.trainingScenario(), Program::Train, run);
  comparison.compare("loss", {step.loss}, {expected.loss}, 1);
  compareGradients(comparison, model, expected.gradients, step);
  compareStates(comparison, model, expected.training, step);
}

static void verifyPrograms(Comparison &comparison, const CheckedModel &model, const std::string &library,
                           const Expected &expected, const RunOptions &run, double nearTie) {
  if (run.executor == Executor::FewEdges)
    return verifyFewEdges(comparison, model, library, expected, run, nearTie);
  const Scenario &scenario = expected.scenario;
  if (run.executor == Executor::Reached) { // other programs than @train compute all
    if (hasLoss(model, scenario))
      verifyStep(comparison, model, library, expected, run);
    return;
  }
  const bool hasAllRows = run.executor != Executor::Seeds && run.executor != Executor::Batch;
  if (hasAllRows)
    compareOutputs(comparison, model, expected.inference, runCompiled(library, model, scenario, Program::Infer, run));
  if (run.executor == Executor::InferAt || !hasLoss(model, scenario))
    return;
  const CompiledResults evaluation = runCompiled(library, model, scenario, Program::Evaluate, run);
  if (hasAllRows)
    compareOutputs(comparison, model, expected.inference, evaluation);
  comparison.compare("losses", masked(scenario, evaluation.losses),
                     masked(scenario, expected.inference[model.loss].data), 1);
  verifyStep(comparison, model, library, expected, run);
}

/// Draws until rounding cannot change a decision, at most 20 times.
static Expected drawExpected(const CheckedModel &model, const std::string &name, const VerifyOptions &options) {
  Expected best;
  best.margin = -1;
  for (int attempt = 0; attempt < 20 && best.margin < options.nearTie; ++attempt) {
    Expected drawn;
    drawn.scenario = drawScenario(model, name, options.dims, options.seed + 1000003 * attempt);
    drawn.scenario.bindings.seed = options.seed + 5;
    drawn.scenario.bindings.step = options.seed % 7;
    if (!checkBindings(model, drawn.scenario.bindings).empty())
      return drawn;
    drawn.inference = evaluate(model, drawn.scenario.bindings);
    drawn.margin = marginOf(model, drawn.scenario.bindings, drawn.inference);
    const OracleBindings training = drawn.trainingScenario().bindings;
    drawn.training = evaluate(model, training);
    drawn.margin = std::min(drawn.margin, marginOf(model, training, drawn.training));
    if (drawn.margin > best.margin)
      best = std::move(drawn);
  }
  if (hasLoss(model, best.scenario)) {
    const OracleBindings training = best.trainingScenario().bindings;
    best.loss = maskedLoss(model, training, best.training);
    best.gradients = differentiateLoss(model, training, best.training);
  }
  return best;
}

void allowNarrow(VerifyOptions &options, const std::string &storage) {
  const bool isHalf = storage == "f16";
  options.tolerance = isHalf ? 2e-3 : 1e-2;
  options.rounding = isHalf ? 0x1p-10 : 0x1p-7;
  options.nearTie = options.tolerance;
}

/// How far what the oracle says moves, as errors are measured, when it rounds otherwise: by more than a tolerance where
/// large terms cancel, as in the gradient of a number that all scores of a softmax share.
static double movedByRounding(const CheckedModel &model, const Expected &expected, double rounding) {
  VerifyReport report;
  Comparison comparison(report, HUGE_VAL);
  OracleBindings bindings = expected.trainingScenario().bindings;
  bindings.rounding = rounding;
  for (bindings.roundingSeed = 0; bindings.roundingSeed < 4; ++bindings.roundingSeed) {
    const OracleValues training = evaluate(model, bindings);
    CompiledResults moved;
    for (const Output &output : model.outputs)
      moved.outputs[output.name] = training[output.value].data;
    compareOutputs(comparison, model, expected.training, moved);
    if (!hasLoss(model, expected.scenario))
      continue;
    moved.gradients = differentiateLoss(model, bindings, training);
    compareGradients(comparison, model, expected.gradients, moved);
  }
  return report.largestError;
}

std::vector<std::string> checkOracle(const CheckedModel &model, const VerifyOptions &options, int64_t &checked) {
  constexpr double tolerance = 1e-5;
  std::vector<std::string> failures;
  for (const char *graph : {"multi", "half"}) {
    OracleBindings bindings = drawExpected(model, graph, options).trainingScenario().bindings;
    for (const GradientCheck &check : checkGradients(model, bindings, /*entriesPerArray=*/8)) {
      checked += check.entries;
      if (check.maxError > tolerance)
        failures.push_back("oracle, " + std::string(graph) + ": gradient of `" + check.name + "` is off by " +
                           std::to_string(check.maxError));
    }
  }
  return failures;
}

static std::string describe(const std::string &graphName, const RunOptions &run) {
  static const char *const executors[] = {"",
                                          ", chunks",
                                          ", samples",
                                          ", hub segments",
                                          ", seeds",
                                          ", GPU",
                                          ", some vertices at a time",
                                          ", a batch",
                                          ", a batch with few edges",
                                          ", reached rows",
                                          ", streamed"};
  static_assert(sizeof executors / sizeof *executors == size_t(Executor::Streamed) + 1);
  return graphName + (run.isa.empty() ? "" : ", " + run.isa) + executors[int(run.executor)] +
         (run.stream ? " in " + run.stream->describe() : "") + (run.device ? ", device" : "") +
         (run.onGpu ? ", GPU" : "") + (run.degreeOrder ? ", by degree" : "") +
         (run.variant ? ", variant " + std::to_string(run.variant + 1) : "") +
         (run.threads > 1 ? ", " + std::to_string(run.threads) + " threads" : "");
}

void VerifyReport::add(const VerifyReport &other) {
  failures.insert(failures.end(), other.failures.begin(), other.failures.end());
  largestError = std::max(largestError, other.largestError);
  arrays += other.arrays;
  nearTies += other.nearTies;
  cancellations += other.cancellations;
  scenarios += other.scenarios;
}

std::vector<RunOptions> allRuns(const std::vector<std::string> &isas) {
  constexpr unsigned mostVariants = 4; // gnn-vary-orders
  std::vector<RunOptions> runs;
  for (const std::string &isa : isas) {
    runs.push_back({isa, Executor::WholeGraph, 1, /*degreeOrder=*/false});
    runs.push_back({isa, Executor::WholeGraph, 2, /*degreeOrder=*/true});
  }
  for (Executor executor :
       {Executor::Grid, Executor::Sampled, Executor::HubSegments, Executor::Seeds, Executor::FewEdges})
    runs.push_back({isas.back(), executor, 1, /*degreeOrder=*/false});
  for (Executor executor : {Executor::InferAt, Executor::Batch, Executor::Reached})
    runs.push_back({isas.back(), executor, 1, /*degreeOrder=*/true});
  runs.push_back({isas.back(), Executor::Streamed});
  for (unsigned variant = 1; variant < mostVariants; ++variant)
    for (Executor executor : {Executor::WholeGraph, Executor::Grid, Executor::InferAt, Executor::FewEdges}) {
      runs.push_back({isas.back(), executor});
      runs.back().variant = variant;
    }
  return runs;
}

template <size_t count>
static std::vector<RunOptions> runsOf(const StreamWay (&ways)[count], const std::string &isa,
                                      Executor executor = Executor::Streamed) {
  std::vector<RunOptions> runs;
  for (const StreamWay &way : ways) {
    runs.push_back({isa, executor});
    runs.back().stream = &way;
  }
  return runs;
}

std::vector<RunOptions> streamRuns(const std::string &isa) { return runsOf(streamWays, isa); }
std::vector<RunOptions> rankRuns(const std::string &isa) { return runsOf(rankWays, isa); }

std::string gpuTargets() {
  const uint32_t arch = ::gnn::rt::Device::open(0)->arch();
  return arch / 10 == 9 ? "host,sm_80,sm_90" : "host,sm_80";
}

std::vector<RunOptions> gpuRuns() {
  std::vector<RunOptions> runs(2);
  runs[1].degreeOrder = true;
  for (RunOptions &run : runs)
    run.executor = Executor::Gpu;
  runs.push_back({"", Executor::FewEdges});
  runs.back().onGpu = true;
  if (::gnn::rt::Device::count() > 1) {
    runs.push_back({"", Executor::Batch});
    runs.back().onGpu = true;
  }
  return runs;
}

std::vector<RunOptions> gpuStreamRuns() { return runsOf(gpuStreamWays, "", Executor::Gpu); }

std::vector<RunOptions> deviceRuns(const std::shared_ptr<DeviceLibrary> &device) {
  std::vector<RunOptions> runs(2);
  runs[1].executor = Executor::HubSegments;
  for (RunOptions &run : runs)
    run.device = device;
  return runs;
}

VerifyReport verifyOn(const CheckedModel &model, const std::vector<Candidate> &candidates, const std::string &graphName,
                      const VerifyOptions &options) {
  VerifyReport report;
  Comparison comparison(report, options.tolerance);
  const Expected expected = drawExpected(model, graphName, options);
  ++report.scenarios;
  comparison.where = graphName;
  const std::string error = checkBindings(model, expected.scenario.bindings);
  if (!error.empty()) {
    comparison.fail(error);
    return report;
  }
  for (const Candidate &candidate : candidates) {
    const unsigned variants = numVariants(candidate.path);
    for (const RunOptions &run : candidate.runs) {
      if (run.variant >= variants)
        continue;
      comparison.where = (candidate.name.empty() ? "" : candidate.name + ", ") + describe(graphName, run);
      try {
        verifyPrograms(comparison, model, candidate.path, expected, run, options.nearTie);
      } catch (const gnn::Error &error) {
        comparison.fail(error.what());
      }
    }
  }
  if (report.failures.empty())
    return report;
  if (expected.margin < options.nearTie) {
    report.failures.clear();
    ++report.nearTies;
  } else if (movedByRounding(model, expected, options.rounding) > options.tolerance) {
    report.failures.clear();
    ++report.cancellations;
  }
  return report;
}

} // namespace gnnc::verify
