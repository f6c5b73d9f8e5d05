//===- RunFolder.h - What a run leaves behind -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run directory: metrics.jsonl with one object an epoch, loss.svg with the curves, summary.json, and the checkpoints
// of training.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RUNFOLDER_H
#define GNN_TOOLS_TRAIN_RUNFOLDER_H

#include "tools/gnn-train/TrainingLoop.h"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gnn::train_tool {

class RunFolder {
public:
  /// Makes the folder if it is absent. With `resumedFrom` > 0 the metrics of the epochs up to there are kept, else
  /// none.
  RunFolder(const std::string &path, int64_t resumedFrom);

  void add(const EpochReport &report);
  /// Writes loss.svg over all epochs of metrics.jsonl, and summary.json. `degrees`: what is known of them by split.
  void finish(const TrainOutcome &outcome, const nlohmann::json &degrees);
  /// Writes stream.svg, if there is one.
  void drawStream(const std::string &svg) const;

private:
  struct Point {
    double epoch, trainLoss, valLoss; // NaN where there is none
  };
  struct Close {
    void operator()(FILE *file) const { std::fclose(file); }
  };

  void keepLines(int64_t resumedFrom);
  void drawLoss() const;
  void write(const std::string &line);

  std::string path;
  std::unique_ptr<FILE, Close> metrics;
  std::vector<Point> points;
  /// From the lines that were kept: the splits of the best epoch so far, or of the last one if none is the best.
  nlohmann::json keptSplits = nlohmann::json::object();
  int64_t bestEpoch = -1;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RUNFOLDER_H
