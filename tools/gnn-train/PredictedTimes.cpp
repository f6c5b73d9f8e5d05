//===- PredictedTimes.cpp - How long a run would take ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/PredictedTimes.h"

#include "runtime/src/train/Recipe.h"
#include "tools/gnn-train/BusyTimes.h"
#include "tools/gnn-train/DiskProbe.h"
#include "tools/gnn-train/Median.h"

#include <chrono>
#include <functional>

namespace gnn::train_tool {

namespace {

/// For which intervals are run to see what they take; more where they wait for a disk.
constexpr double trialSeconds = 2, trialSecondsOfDisk = 6;
/// Written and read to see how fast the disk is; more where that decides.
constexpr size_t probedBytes = 16 << 20, probedBytesOfDisk = 256 << 20;

const char *whatBinds(const BusyTimes &run) { return run.computing() >= run.transfers ? "arithmetic" : "file"; }

/// For which steps run that are not streamed; the first step of several tries how it is fastest, and does not count.
constexpr double measuredSeconds = 1;
constexpr size_t mostMeasured = 200;

/// The median of what `run` takes, in seconds.
double measured(const std::function<void()> &run) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (double sum = 0; seconds.empty() || (sum < measuredSeconds && seconds.size() < mostMeasured);) {
    const Clock::time_point begin = Clock::now();
    run();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    sum += seconds.back();
  }
  if (seconds.size() > 1)
    seconds.erase(seconds.begin());
  return median(std::move(seconds));
}

/// An epoch has so many steps and an evaluation, where it is evaluated.
void addEpochs(nlohmann::json &times, double step, int64_t steps, double evaluation, int64_t epochs) {
  const double epoch = double(steps) * step + evaluation;
  times["epoch"] = epoch;
  times["epochs"] = epochs;
  times["run"] = double(epochs) * epoch;
}

std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 0.1 ? "%.4f s" : seconds < 100 ? "%.2f s" : "%.0f s", seconds);
  return text;
}

std::string rateText(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f MB/s", bytes / 1e6);
  return text;
}

std::string partsText(const nlohmann::json &run) {
  return secondsText(run["seconds"]) + " (load " + secondsText(run["load"]) + ", compute " +
         secondsText(run["compute"]) + ", store " + secondsText(run["store"]) + ")";
}

} // namespace

nlohmann::json predictedTimes(Problem &problem, Subject &subject, StreamChart &chart) {
  const rt::WithinMemory &within = *subject.withinMemory();
  problem.releaseData(); // as a run does, before its memory is filled
  problem.model.initialize(/*seed=*/0);
  const bool isInCache = within.plan().isCached;
  const rt::DiskRates rates =
      measureDisk(problem.config.memory->spillFolder, isInCache ? probedBytes : probedBytesOfDisk);
  auto predicted = [&](size_t index) {
    Timeline timeline;
    const BusyTimes run =
        predict(within.streamed(index), isInCache ? nullptr : &rates, isInCache ? trialSeconds : trialSecondsOfDisk,
                [&](const rt::LaneSpan &span) { timeline.note(span); });
    chart.add(within.streamed(index).walked(), timeline.take());
    return run;
  };
  const BusyTimes step = predicted(0);
  nlohmann::json times{{"disk_reads", rates.reads},
                       {"disk_writes", rates.writes},
                       {"file", isInCache ? "page cache" : "disk"},
                       {"binds", whatBinds(step)},
                       {"step", timesJson(step)}};
  if (!subject.trains())
    return times;
  const BusyTimes evaluation = predicted(1);
  times["evaluation"] = timesJson(evaluation);
  addEpochs(times, step.seconds, /*steps=*/1, evaluation.seconds, rt::recipeOf(*problem.model.library()).epochs);
  return times;
}

nlohmann::json measuredTimes(Problem &problem, Subject &subject) {
  problem.model.initialize(/*seed=*/0);
  if (!subject.trains())
    return {{"step", {{"seconds", measured([&] { subject.executor().run(/*stepKey=*/0); })}}}};
  const rt::Recipe recipe = rt::recipeOf(*problem.model.library());
  rt::Optimizer optimizer = rt::makeOptimizer(problem.model, recipe);
  rt::StepSource &steps = subject.steps();
  try {
    const double step = measured([&, next = uint64_t(0)]() mutable { steps.step(/*seed=*/0, next++, optimizer); });
    nlohmann::json times{{"step", {{"seconds", step}}}, {"steps", steps.batches().stepsOfEpoch()}};
    double evaluation = 0;
    if (rt::Evaluator *evaluator = subject.evaluator()) {
      evaluation = measured([&] { evaluator->run(); });
      times["evaluation"] = {{"seconds", evaluation}};
    }
    addEpochs(times, step, steps.batches().stepsOfEpoch(), evaluation, recipe.epochs);
    return times;
  } catch (const Error &error) {
    if (error.code() != GNN_ERROR_NUMERIC)
      throw;
    return {{"failed", error.what()}};
  }
}

nlohmann::json timesLines(const nlohmann::json &times) {
  nlohmann::json lines{{"a step", partsText(times["step"])},
                       {"what binds", times["binds"] == "file" ? "the file" : "arithmetic"},
                       {"the file", times["file"] == "disk" ? "on the disk" : "in the page cache"},
                       {"the disk reads", rateText(times["disk_reads"])},
                       {"the disk writes", rateText(times["disk_writes"])}};
  if (!times.contains("epoch"))
    return lines;
  lines["an evaluation"] = partsText(times["evaluation"]);
  lines["an epoch"] = secondsText(times["epoch"]);
  lines["all " + times["epochs"].dump() + " epochs"] = secondsText(times["run"]);
  return lines;
}

} // namespace gnn::train_tool
