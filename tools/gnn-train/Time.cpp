//===- Time.cpp - The timing command --------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the kernels of a training step take, or those of inference where there is nothing to train on.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "runtime/src/engine/Tunings.h"
#include "runtime/src/exec/Whole.h"
#include "runtime/src/train/Recipe.h"
#include "tools/gnn-train/Problem.h"
#include "tools/gnn-train/Rounds.h"
#include "tools/gnn-train/TriedPlans.h"

#include <algorithm>
#include <chrono>

namespace gnn::train_tool {

namespace {

using Clock = std::chrono::steady_clock;

/// A library that is ready to run.
class Version {
public:
  Version(const TimeOptions &options, const std::string &library, const Version *other) : path(library) {
    ProblemOptions own = options;
    own.model = library;
    other ? problem = std::make_unique<Problem>(own, *other->problem) : problem = std::make_unique<Problem>(own);
    if (!other)
      problem->chooseOrder(own, rt::recipeOf(*problem->model.library()).epochs);
    problem->model.initialize(/*seed=*/0);
    subject = std::make_unique<Subject>(*problem, library);
    subject->executor().startProfile();
  }

  /// Whether sweeps go in other ways than those in which they will stay.
  bool isTrying() const {
    const std::vector<rt::TriedPlan> plans = problem->model.engine().report().triedPlans;
    return std::any_of(plans.begin(), plans.end(), [&](const rt::TriedPlan &plan) {
      return plan.program == subject->executor().walked().name && !plan.taken;
    });
  }
  std::map<std::string, double> run() {
    subject->executor().repeatFixedSteps();
    subject->executor().run(/*stepKey=*/0);
    return subject->executor().stepProfile().last();
  }
  /// What decides which measurements a graph resembles.
  rt::GraphStatistics graph() const {
    const rt::Library &library = *problem->model.library();
    return rt::statisticsOf(library, rt::WholeView(library, subject->data()));
  }
  const char *program() const { return subject->program(); }

  const std::string path;
  std::unique_ptr<Problem> problem;

private:
  std::unique_ptr<Subject> subject;
};

/// The versions that ran until plans are settled, which touches memory; of others null, and why in `failures`. The
/// first must run: others are compared with it.
std::vector<std::unique_ptr<Version>> open(const TimeOptions &options, std::vector<std::string> &failures) {
  std::vector<std::unique_ptr<Version>> versions;
  for (const std::string &library : options.libraries) {
    const bool isFirst = versions.empty();
    failures.emplace_back();
    try {
      versions.push_back(std::make_unique<Version>(options, library, isFirst ? nullptr : versions[0].get()));
      do
        versions.back()->run();
      while (versions.back()->isTrying());
    } catch (const Error &error) {
      if (isFirst)
        throw;
      failures.back() = error.what();
      versions.resize(failures.size());
      versions.back() = nullptr;
    }
  }
  return versions;
}

/// Runs the versions in turns until there was enough of it.
Rounds measure(const std::vector<std::unique_ptr<Version>> &versions, double seconds) {
  Rounds rounds(versions.size());
  Clock::time_point begin = Clock::now();
  double spent = 0;
  do {
    for (size_t i = 0; i < versions.size(); ++i)
      if (versions[i] && !rounds.isOut(i))
        rounds.add(i, versions[i]->run());
    spent = std::chrono::duration<double>(Clock::now() - begin).count();
  } while (!rounds.endRound(spent, seconds));
  return rounds;
}

void print(const Version &version, const Rounds &rounds, size_t index) {
  std::printf("%s: %s, %zu rounds%s\n", version.path.c_str(), version.program(), rounds.rounds(index),
              rounds.isOut(index) ? ", left out as slower in everything" : "");
  for (const auto &[kernel, seconds] : rounds.medians(index))
    std::printf("%10.4f ms  %s\n", seconds * 1e3, kernel.c_str());
  std::printf("%s", triedPlansText(triedPlans(version.problem->model.engine())).c_str());
}

} // namespace

int time(const TimeOptions &options) {
  std::vector<std::string> failures;
  const std::vector<std::unique_ptr<Version>> versions = open(options, failures);
  const Rounds rounds = measure(versions, options.seconds);
  rt::Model &first = versions[0]->problem->model;
  const rt::GraphStatistics graph = versions[0]->graph();
  nlohmann::json result{{"model", first.library()->name()},
                        {"data", versions[0]->problem->data->source},
                        {"program", versions[0]->program()},
                        {"device", first.engine().device()},
                        {"isa", first.engine().architecture()},
                        {"threads", first.engine().threads()},
                        {"graph", {{"vertices", graph.vertices}, {"edges", graph.edges}, {"longest", graph.longest}}}};
  for (size_t i = 0; i < versions.size(); ++i) {
    if (!versions[i]) {
      result["libraries"].push_back({{"library", options.libraries[i]}, {"failed", failures[i]}});
      if (!options.json)
        std::printf("%s: %s\n", options.libraries[i].c_str(), failures[i].c_str());
      continue;
    }
    nlohmann::json kernels = nlohmann::json::object();
    for (const auto &[kernel, seconds] : rounds.medians(i))
      kernels[kernel] = seconds * 1e3;
    result["libraries"].push_back({{"library", versions[i]->path},
                                   {"rounds", rounds.rounds(i)},
                                   {"kernel_ms", std::move(kernels)},
                                   {"tried_plans", triedPlans(versions[i]->problem->model.engine())}});
    if (!options.json)
      print(*versions[i], rounds, i);
  }
  if (options.json)
    std::printf("%s\n", jsonText(result).c_str());
  return 0;
}

} // namespace gnn::train_tool
