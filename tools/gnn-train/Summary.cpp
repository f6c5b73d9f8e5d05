//===- Summary.cpp - What the runs of one command gave --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Summary.h"

#include "tools/gnn-train/Display.h"
#include "tools/gnn-train/Median.h"
#include "tools/gnn-train/Problem.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace gnn::train_tool {

namespace {

std::string milliseconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f ms", value);
  return text;
}

std::vector<double> known(const std::vector<rt::MetricValue> &values) {
  std::vector<double> result;
  for (const rt::MetricValue &value : values)
    if (value)
      result.push_back(*value);
  return result;
}

} // namespace

rt::MetricValue Series::mean() const {
  const std::vector<double> some = known(values);
  if (some.empty())
    return std::nullopt;
  return std::accumulate(some.begin(), some.end(), 0.0) / double(some.size());
}

rt::MetricValue Series::deviation() const {
  const std::vector<double> some = known(values);
  if (some.empty())
    return std::nullopt;
  double squares = 0;
  for (double value : some)
    squares += (value - *mean()) * (value - *mean());
  return some.size() < 2 ? 0 : std::sqrt(squares / double(some.size() - 1));
}

void Summary::add(uint64_t seed, const TrainOutcome &outcome) {
  seeds.push_back(seed);
  epochs.push_back(outcome.progress.epoch);
  bestEpochs.push_back(outcome.progress.bestEpoch);
  if (outcome.progress.epoch > 0)
    series["loss"].values.emplace_back(outcome.final.loss);
  for (const auto &[split, metrics] : outcome.final.splits) {
    series[split + "_loss"].values.push_back(metrics.loss);
    missing[split] = {metrics.numMissingLabels, metrics.numMissingNegatives};
    if (!metrics.confusion.empty())
      confusions[split] = metrics.confusion;
    for (const auto &[name, value] : metrics.others)
      series[split + "_" + name].values.push_back(value);
  }
  for (const EpochReport &report : outcome.history) {
    if (report.steps > 0)
      stepMs.push_back(report.stepMs);
    epochMs.push_back(report.epochMs);
  }
}

nlohmann::json Summary::json() const {
  nlohmann::json result{{"seeds", seeds},
                        {"epochs", epochs},
                        {"best_epochs", bestEpochs},
                        {"step_ms_median", median(stepMs)},
                        {"epoch_ms_median", median(epochMs)}};
  if (seeds.size() == 1)
    for (const auto &[split, confusion] : confusions)
      result[split + "_confusion"] = confusion;
  for (const auto &[split, numbers] : missing) {
    if (numbers.labels > 0)
      result[split + "_missing_labels"] = numbers.labels;
    if (numbers.negatives > 0)
      result[split + "_missing_negatives"] = numbers.negatives;
  }
  for (const auto &[name, values] : series) {
    result[name] = valueJson(values.mean());
    result[name + "_sd"] = valueJson(values.deviation());
    for (const rt::MetricValue &value : values.values)
      result[name + "_runs"].push_back(valueJson(value));
  }
  return result;
}

void Summary::say(Console &console) const {
  for (const char *name : {"val_accuracy", "test_accuracy"}) {
    auto found = series.find(name);
    if (found == series.end())
      continue;
    std::string label = name[0] == 'v' ? "validation accuracy" : "test accuracy";
    std::string spread = found->second.values.size() > 1 ? " ± " + percent(found->second.deviation()) : "";
    const auto baseline = series.find(std::string(name, std::strchr(name, '_')) + "_baseline_accuracy");
    if (baseline != series.end())
      spread += ", baseline " + percent(baseline->second.mean());
    console.say("%s %s%s", label.c_str(), percent(found->second.mean()).c_str(), spread.c_str());
  }
  sayOthers(console, "val_", "validation:");
  sayOthers(console, "test_", "test:");
  sayMissing(console);
  if (*std::max_element(epochs.begin(), epochs.end()) == 0) // nothing is known
    return;
  const auto found = series.find("train_loss"); // absent where splits are not evaluated
  std::string line = found != series.end() ? "loss " + decimal(found->second.mean())
                                           : "loss of the last epoch " + decimal(series.at("loss").mean());
  for (const auto &[name, times] : {std::pair("step", &stepMs), std::pair("epoch", &epochMs)})
    if (!times->empty()) // of this process
      line += ", median " + std::string(name) + " " + milliseconds(median(*times));
  console.say("%s", line.c_str());
}

void Summary::sayMissing(Console &console) const {
  for (const auto &[split, numbers] : missing)
    if (const std::string text = missingText(numbers.labels, numbers.negatives); !text.empty())
      console.say("%s: %s", split.c_str(), text.c_str());
}

void Summary::sayOthers(Console &console, const std::string &prefix, std::string line) const {
  const size_t empty = line.size();
  for (const auto &[name, values] : series) {
    const std::string metric = name.substr(std::min(name.size(), prefix.size()));
    if (name.rfind(prefix, 0) != 0 || metric == "loss" || metric == "accuracy" || metric == "baseline_accuracy")
      continue;
    if (metric == "f1_micro" && series.count(prefix + "accuracy"))
      continue; // the same number
    line += "  " + metric + " " + decimal(values.mean());
    if (values.values.size() > 1)
      line += " ± " + decimal(values.deviation());
  }
  if (line.size() > empty)
    console.say("%s", line.c_str());
}

} // namespace gnn::train_tool
