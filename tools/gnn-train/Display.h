//===- Display.h - Progress for people --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line with a bar that is rewritten on a terminal; elsewhere and in the log a line now and then, by the time that
// has passed: often at the beginning, then once a minute.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_DISPLAY_H
#define GNN_TOOLS_TRAIN_DISPLAY_H

#include "tools/gnn-train/Console.h"
#include "tools/gnn-train/TrainingLoop.h"

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

namespace gnn::train_tool {

class Display {
public:
  /// `edges` are those of one sweep over the graph, for edges a second; 0 where a step is not over all of it.
  /// `monitor`: the metric to show, or empty.
  Display(Console &console, int64_t epochs, int64_t edges, std::string monitor);

  void show(const EpochReport &report);
  /// Ends the live line, so that what follows starts on its own.
  void finish();

private:
  bool isLineDue(const EpochReport &report);
  std::string lineFor(const EpochReport &report, const std::string &bar = "") const;

  using Clock = std::chrono::steady_clock;
  Console &console;
  int64_t epochs, edges;
  std::string monitor;
  int64_t firstEpoch = 0;
  bool isTerminal, isLineOpen = false;
  Clock::time_point begin, lastShown, nextLine;
};

/// " loss 0.4312  accuracy 81.50 %" and so on, then what is missing in parentheses.
std::string metricsText(const rt::Metrics &metrics);
/// "3 labels are missing, 5 true pairs have no negative"; empty if nothing is missing.
std::string missingText(int64_t labels, int64_t negatives);

/// "0.4312", or "none".
std::string decimal(const rt::MetricValue &value);
/// "81.50 %", or "none".
std::string percent(const rt::MetricValue &fraction);

/// Says to standard error what share of `work` is done, and in how long it will be, where that takes long: a line that
/// changes on a terminal, else a line now and then.
/// It goes at the end, or with the last copy of what is returned. `before`, if there is any, is called before a line.
std::function<void(double)> showShare(const std::string &work, std::function<void()> before = {});
/// The same of one epoch after the other.
std::function<void(int64_t epoch, double share)> showEpochs(std::function<void()> before = {});
/// The same of the ranking of one split after the other.
std::function<void(const std::string &split, double share)> showRanking(std::function<void()> before = {});

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_DISPLAY_H
