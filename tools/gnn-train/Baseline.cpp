//===- Baseline.cpp - What metrics are compared with ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Baseline.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace gnn::train_tool {

namespace {

rt::MetricValue share(int64_t part, int64_t whole) {
  return whole > 0 ? rt::MetricValue(double(part) / double(whole)) : std::nullopt;
}

/// Rows of each class, by what the confusion matrix has of labels.
std::vector<int64_t> classCounts(const rt::Metrics &metrics) {
  std::vector<int64_t> counts;
  for (const std::vector<int64_t> &row : metrics.confusion)
    counts.push_back(std::accumulate(row.begin(), row.end(), int64_t(0)));
  return counts;
}

void addOfTwoClasses(rt::Metrics &metrics) {
  if (metrics.confusion.size() != 2)
    return;
  const auto &confusion = metrics.confusion;
  const int64_t hits = confusion[1][1];
  metrics.others["precision"] = share(hits, hits + confusion[0][1]);
  metrics.others["recall"] = share(hits, hits + confusion[1][0]);
  metrics.others["f1"] = share(2 * hits, 2 * hits + confusion[0][1] + confusion[1][0]);
}

/// Labels of a split that are not missing.
std::vector<double> labelsOf(const rt::Dataset &data, const std::string &split) {
  std::vector<double> labels;
  for (int64_t row : data.splits.at(split).values<int64_t>())
    if (const double label = rt::numberAt(data.labels, row); !std::isnan(label))
      labels.push_back(label);
  return labels;
}

double meanOf(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

/// Whether the metrics are those of these labels, not of a feature that the model finds: r2 and rmse say the variance.
bool areOf(const rt::Metrics &metrics, const std::vector<double> &labels) {
  const auto rmse = metrics.others.find("rmse"), r2 = metrics.others.find("r2");
  if (labels.empty() || rmse == metrics.others.end() || r2 == metrics.others.end() || !rmse->second || !r2->second)
    return false;
  const double mean = meanOf(labels), residual = *rmse->second * *rmse->second;
  double variance = 0;
  for (double label : labels)
    variance += (label - mean) * (label - mean) / double(labels.size());
  return std::abs(residual - (1 - *r2->second) * variance) <= 1e-6 * (residual + variance);
}

} // namespace

void addBaselines(std::map<std::string, rt::Metrics> &splits, const rt::Dataset &data) {
  for (auto &[split, metrics] : splits)
    addOfTwoClasses(metrics);
  const auto train = splits.find("train");
  if (train == splits.end())
    return;
  if (const std::vector<int64_t> known = classCounts(train->second); !known.empty()) {
    const size_t guess = size_t(std::max_element(known.begin(), known.end()) - known.begin());
    for (auto &[split, metrics] : splits)
      if (const std::vector<int64_t> counts = classCounts(metrics); guess < counts.size())
        metrics.others["baseline_accuracy"] =
            share(counts[guess], std::accumulate(counts.begin(), counts.end(), int64_t(0)));
    return;
  }
  const bool haveLabels = data.labels && data.labels.rank() == 1 && data.splits.count("train");
  if (!haveLabels || !areOf(train->second, labelsOf(data, "train")))
    return;
  const double guess = meanOf(labelsOf(data, "train"));
  for (auto &[split, metrics] : splits) {
    const std::vector<double> labels = data.splits.count(split) ? labelsOf(data, split) : std::vector<double>();
    if (labels.empty())
      continue;
    double absolute = 0, squared = 0;
    for (double label : labels) {
      absolute += std::abs(label - guess) / double(labels.size());
      squared += (label - guess) * (label - guess) / double(labels.size());
    }
    metrics.others["baseline_mae"] = absolute;
    metrics.others["baseline_rmse"] = std::sqrt(squared);
  }
}

} // namespace gnn::train_tool
