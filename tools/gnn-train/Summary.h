//===- Summary.h - What the runs of one command gave ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_TOOL_SUMMARY_H
#define GNN_TRAIN_TOOL_SUMMARY_H

#include "tools/gnn-train/Console.h"
#include "tools/gnn-train/TrainingLoop.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gnn::train_tool {

/// A number for each run, with its mean and standard deviation (of the sample).
/// A metric of each run. Mean and deviation are over the runs that have a value.
struct Series {
  std::vector<rt::MetricValue> values;

  rt::MetricValue mean() const;
  rt::MetricValue deviation() const;
};

/// Statistics over all runs.
class Summary {
public:
  void add(uint64_t seed, const TrainOutcome &outcome);
  nlohmann::json json() const;
  void say(Console &console) const;

private:
  struct Missing {
    int64_t labels = 0, negatives = 0;
  };

  void sayMissing(Console &console) const;
  void sayOthers(Console &console, const std::string &prefix, std::string line) const;

  std::vector<uint64_t> seeds;
  std::vector<int64_t> epochs, bestEpochs;
  std::vector<double> stepMs, epochMs;
  std::map<std::string, Series> series;
  std::map<std::string, std::vector<std::vector<int64_t>>> confusions; // of the last run, by split
  std::map<std::string, Missing> missing;                              // the same
};

} // namespace gnn::train_tool

#endif // GNN_TRAIN_TOOL_SUMMARY_H
