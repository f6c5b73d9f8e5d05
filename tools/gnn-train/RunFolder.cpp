//===- RunFolder.cpp - What a run leaves behind ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunFolder.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/io/AtomicFiles.h"
#include "runtime/src/io/FileSystem.h"
#include "tools/gnn-train/Chart.h"
#include "tools/gnn-train/Problem.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace gnn::train_tool {

namespace {

using nlohmann::json;

json toJson(const EpochReport &report) {
  json line{{"epoch", report.epoch}, {"loss", report.loss}, {"lr", report.learningRate}, {"epoch_ms", report.epochMs}};
  if (report.steps > 0) // none is left to an epoch of which only the evaluation was
    line["step_ms"] = report.stepMs;
  if (report.bestEpoch > 0)
    line["best_epoch"] = report.bestEpoch;
  for (const auto &[split, metrics] : report.splits)
    line[split] = metricsJson(metrics);
  for (auto &[name, value] : line.items())
    if (value.is_object())
      value.erase("confusion");
  return line;
}

} // namespace

RunFolder::RunFolder(const std::string &folder, int64_t resumedFrom) : path(folder) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  rt::require(!error, GNN_ERROR_IO, "cannot make the run directory ", path, ": ", error.message());
  keepLines(resumedFrom);
}

/// A number; NaN, which JSON lacks, is written as null.
static double numberOf(const json &object, const char *key) {
  auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : NAN;
}

/// Replaces metrics.jsonl by those of its lines that the resumed checkpoint had seen, to which others are added.
void RunFolder::keepLines(int64_t resumedFrom) {
  const std::string file = path + "/metrics.jsonl";
  std::string kept;
  std::istringstream before;
  if (resumedFrom > 0 && std::filesystem::exists(file)) {
    const rt::FileBytes bytes = rt::readFile(file); // a stream would take a failed read for the end
    before.str(std::string(bytes.data, bytes.size));
  }
  for (std::string line; std::getline(before, line); kept += line + "\n") {
    json object = json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object() || !object["epoch"].is_number_integer() || object["epoch"].get<int64_t>() > resumedFrom)
      break;
    const double best = numberOf(object, "best_epoch");
    if (std::isnan(best) || int64_t(best) == object["epoch"].get<int64_t>()) {
      keptSplits = json::object();
      for (const auto &[name, value] : object.items())
        if (value.is_object())
          keptSplits[name] = value;
    }
    const json val = object.value("val", json());
    points.push_back({double(object["epoch"].get<int64_t>()), numberOf(object, "loss"),
                      val.is_object() ? numberOf(val, "loss") : NAN});
    if (best > 0)
      bestEpoch = int64_t(best);
  }
  rt::atomicWrite(file, {{kept.data(), kept.size()}});
  metrics.reset(std::fopen(file.c_str(), "ae"));
  rt::require(metrics != nullptr, GNN_ERROR_IO, "cannot write ", file, ": ", std::strerror(errno));
}

void RunFolder::write(const std::string &line) {
  bool isWritten = std::fprintf(metrics.get(), "%s\n", line.c_str()) >= 0 && std::fflush(metrics.get()) == 0;
  rt::require(isWritten, GNN_ERROR_IO, "cannot write ", path, "/metrics.jsonl: ", std::strerror(errno));
}

void RunFolder::add(const EpochReport &report) {
  auto val = report.splits.find("val");
  points.push_back(
      {double(report.epoch), report.loss, val == report.splits.end() ? NAN : val->second.loss.value_or(NAN)});
  bestEpoch = report.bestEpoch;
  write(toJson(report).dump());
}

void RunFolder::finish(const TrainOutcome &outcome, const nlohmann::json &degrees) {
  drawLoss();
  json summary{{"epochs", outcome.progress.epoch},
               {"steps", outcome.progress.step},
               {"loss", outcome.progress.epoch > 0 ? json(outcome.final.loss) : json()},
               {"best_epoch", outcome.progress.bestEpoch > 0 ? json(outcome.progress.bestEpoch) : json()},
               {"stopped_early", outcome.stoppedEarly},
               {"interrupted", outcome.interrupted}};
  if (outcome.final.splits.empty() && outcome.interrupted) // what was known before
    summary.update(keptSplits);
  for (const auto &[split, metrics] : outcome.final.splits)
    summary[split] = metricsJson(metrics);
  if (!degrees.empty())
    summary["degrees"] = degrees;
  const std::string text = summary.dump(2) + "\n";
  rt::atomicWrite(path + "/summary.json", {{text.data(), text.size()}});
}

void RunFolder::drawStream(const std::string &svg) const {
  if (!svg.empty())
    rt::atomicWrite(path + "/stream.svg", {{svg.data(), svg.size()}});
}

void RunFolder::drawLoss() const {
  std::vector<std::pair<double, double>> train, val;
  for (const Point &point : points) {
    train.emplace_back(point.epoch, point.trainLoss);
    val.emplace_back(point.epoch, point.valLoss);
  }
  Chart chart;
  chart.add("training loss", "#1f5fa8", train);
  chart.add("validation loss", "#c2571a", val);
  chart.mark(bestEpoch, "best: epoch " + std::to_string(bestEpoch));
  const std::string svg = chart.svg();
  rt::atomicWrite(path + "/loss.svg", {{svg.data(), svg.size()}});
}

} // namespace gnn::train_tool
