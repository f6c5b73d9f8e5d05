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
#include "test/Verify/VerifyPoison.h"
#include "test/Verify/VerifyPullback.h"
#include "test/Verify/VerifySteps.h"
#include <algorithm>
#include <cmath>

namespace gnnc::verify {

static void verifyPrograms(Comparison &comparison, const CheckedModel &model, const std::string &library,
                           const Expected &expected, const RunOptions &run, const VerifyOptions &options) {
  if (run.executor == Executor::Pullback)
    return verifyPullback(comparison, model, library, expected, run);
  if (run.executor == Executor::FewEdges)
    return verifyFewEdges(comparison, model, library, expected, run, options);
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
  if (run.executor == Executor::Batch)
    verifyBatch(comparison, model, library, expected, run, options);
  else
    verifyStep(comparison, model, library, expected, run);
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
  OracleBindings bindings = expected.scenario.bindings, step = expected.trainingScenario().bindings;
  bindings.rounding = step.rounding = rounding;
  for (int seed = 0; seed < 4; ++seed) {
    bindings.roundingSeed = step.roundingSeed = seed;
    const OracleValues inference = evaluate(model, bindings), training = evaluate(model, step);
    CompiledResults moved;
    for (const Output &output : model.outputs)
      moved.outputs[output.name] = inference[output.value].data;
    compareOutputs(comparison, model, expected.inference, moved);
    if (!hasLoss(model, expected.scenario))
      continue;
    comparison.compare("losses", masked(expected.scenario, inference[model.loss].data),
                       masked(expected.scenario, expected.inference[model.loss].data), 1);
    moved.gradients = differentiateLoss(model, step, training);
    compareGradients(comparison, model, expected.training.gradients, moved);
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

std::string describe(const std::string &graphName, const RunOptions &run) {
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
                                          ", streamed",
                                          ", pulled back"};
  static_assert(sizeof executors / sizeof *executors == size_t(Executor::Pullback) + 1);
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
  withoutBound += other.withoutBound;
  poisonedRows += other.poisonedRows;
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

std::vector<RunOptions> pullbackRuns(const std::string &isa) {
  return {{isa, Executor::Pullback, 1, /*degreeOrder=*/false}, {isa, Executor::Pullback, 2, /*degreeOrder=*/true}};
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
  if (options.withPoison)
    return verifyPoisoned(model, candidates, graphName, options);
  VerifyReport report;
  Comparison comparison(report, options.tolerance);
  const Expected expected =
      options.withOffset ? drawAroundOffset(model, graphName, options) : drawExpected(model, graphName, options);
  ++report.scenarios;
  comparison.where = graphName;
  const std::string error = checkBindings(model, expected.scenario.bindings);
  if (!error.empty()) {
    comparison.fail(error);
    return report;
  }
  if (options.withOffset && !expected.bound) {
    ++report.withoutBound;
    return report;
  }
  comparison.bound = expected.bound ? &*expected.bound : nullptr;
  for (const Candidate &candidate : candidates) {
    const unsigned variants = numVariants(candidate.path);
    for (const RunOptions &run : candidate.runs) {
      if (run.variant >= variants)
        continue;
      comparison.where = (candidate.name.empty() ? "" : candidate.name + ", ") + describe(graphName, run);
      try {
        verifyPrograms(comparison, model, candidate.path, expected, run, options);
      } catch (const gnn::Error &error) {
        comparison.fail(error.what());
      }
    }
  }
  if (report.failures.empty() || options.withOffset)
    return report;
  // Four random roundings seldom move the oracle as far as rounding can.
  const double largest = report.largestError;
  auto isExplained = [&](double moved) {
    return moved > options.tolerance || (largest > options.tolerance && 8 * moved > largest);
  };
  if (expected.margin < options.nearTie) {
    report.failures.clear();
    ++report.nearTies;
  } else if (isExplained(movedByRounding(model, expected, options.rounding)) ||
             (hasLoss(model, expected.scenario) && model.values[model.loss].type.kind == GraphKind::V &&
              isExplained(movedByRounding(model, asBatch(model, expected), options.rounding)))) {
    report.failures.clear();
    ++report.cancellations;
  }
  return report;
}

} // namespace gnnc::verify
