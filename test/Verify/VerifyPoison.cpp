//===- VerifyPoison.cpp - Programs with NaN in what must not matter -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/VerifyPoison.h"
#include "test/Verify/Comparison.h"
#include "test/Verify/Poison.h"
#include "test/Verify/SampleDepths.h"
#include "llvm/Support/FormatVariadic.h"

namespace gnnc::verify {

/// Whether two runs gave the same bits, where any NaN is like any other.
static void expectSame(Comparison &comparison, const std::string &what, const std::vector<double> &actual,
                       const std::vector<double> &expected) {
  ++comparison.report.arrays;
  for (size_t i = 0; i < expected.size(); ++i)
    if (distance(actual.at(i), expected[i]) != 0)
      return comparison.fail(what + "[" + std::to_string(i) + "] is " + llvm::formatv("{0:e6}", actual[i]).str() +
                             " where data that must not matter is NaN, and " +
                             llvm::formatv("{0:e6}", expected[i]).str() + " otherwise");
}

static void expectSame(Comparison &comparison, const std::string &kind,
                       const std::map<std::string, std::vector<double>> &actual,
                       const std::map<std::string, std::vector<double>> &expected) {
  for (const auto &[name, numbers] : expected)
    expectSame(comparison, kind + " `" + name + "`", actual.at(name), numbers);
}

/// `step` as `run` takes it: a batch computes totals over the vertices that its sample reaches, and one with few edges
/// decides conditions by sums over these.
static Scenario seenBy(const RunOptions &run, const CheckedModel &model, const std::string &library, Scenario step) {
  if (run.executor == Executor::FewEdges) {
    step.bindings.isSeen = fewEdges(library, model, step, run);
    if (!step.bindings.isSeen)
      return step;
  }
  if (run.executor == Executor::FewEdges || (run.executor == Executor::Batch && reachOfBatch(library, run)))
    step.bindings.totalVertices = SampleDepths(model).totalVertices(step);
  return step;
}

VerifyReport verifyPoisoned(const CheckedModel &model, const std::vector<Candidate> &candidates,
                            const std::string &graphName, const VerifyOptions &options) {
  VerifyReport report;
  Comparison comparison(report, options.tolerance);
  const Expected expected = drawExpected(model, graphName, options);
  ++report.scenarios;
  if (expected.inference.empty())
    return report; // a graph that the model does not take, which verifyOn reports
  const Scenario &clean = expected.scenario, cleanStep = expected.trainingScenario();
  const Scenario forAll = poisoned(model, clean, Program::Infer, report.poisonedRows),
                 forStep = poisoned(model, cleanStep, Program::Train, report.poisonedRows);
  for (const Candidate &candidate : candidates)
    for (const RunOptions &run : candidate.runs) {
      if (run.variant >= numVariants(candidate.path))
        continue;
      comparison.where = (candidate.name.empty() ? "" : candidate.name + ", ") + describe(graphName, run);
      const bool hasAllRows = run.executor != Executor::Seeds && run.executor != Executor::Batch &&
                              run.executor != Executor::FewEdges && run.executor != Executor::Reached;
      auto runOver = [&](const Scenario &scenario, Program program) {
        return runCompiled(candidate.path, model, scenario, program, run);
      };
      if (hasAllRows)
        expectSame(comparison, "output", runOver(forAll, Program::Infer).outputs,
                   runOver(clean, Program::Infer).outputs);
      if (run.executor == Executor::InferAt || !hasLoss(model, clean))
        continue;
      const Scenario seen = seenBy(run, model, candidate.path, cleanStep);
      const bool isSample = seen.bindings.isSeen || !seen.bindings.totalVertices.empty();
      const Scenario hidden = isSample ? poisoned(model, seen, Program::Train, report.poisonedRows) : forStep;
      const CompiledResults step = runOver(hidden, Program::Train), cleanResults = runOver(cleanStep, Program::Train);
      expectSame(comparison, "loss", {step.loss}, {cleanResults.loss});
      expectSame(comparison, "gradient of", step.gradients, cleanResults.gradients);
      expectSame(comparison, "next value of", step.states, cleanResults.states);
    }
  return report;
}

} // namespace gnnc::verify
