//===- PredictedTimes.cpp - How long a streamed run would take ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/PredictedTimes.h"

#include "runtime/src/train/Recipe.h"
#include "tools/gnn-train/BusyTimes.h"
#include "tools/gnn-train/DiskProbe.h"

#include <algorithm>

namespace gnn::train_tool {

namespace {

/// For which intervals are run to see what they take; more where they wait for a disk.
constexpr double trialSeconds = 2, trialSecondsOfDisk = 6;
/// Written and read to see how fast the disk is; more where that decides.
constexpr size_t probedBytes = 16 << 20, probedBytesOfDisk = 256 << 20;

const char *whatBinds(const BusyTimes &run) { return run.computing() >= run.transfers ? "arithmetic" : "file"; }

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
  const int64_t epochs = rt::recipeOf(*problem.model.library()).epochs;
  const double epoch = step.seconds + evaluation.seconds;
  times["evaluation"] = timesJson(evaluation);
  times["epoch"] = epoch;
  times["epochs"] = epochs;
  times["run"] = double(epochs) * epoch;
  return times;
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
