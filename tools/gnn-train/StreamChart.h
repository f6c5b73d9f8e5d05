//===- StreamChart.h - An epoch of a streamed run as a picture --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_STREAMCHART_H
#define GNN_TOOLS_TRAIN_STREAMCHART_H

#include "runtime/src/program/Library.h"
#include "runtime/src/stream/WithinMemory.h"
#include "support/LanesDrawing.h"
#include "tools/gnn-train/BusyTimes.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace gnn::train_tool {

/// An epoch, one of whose runs comes after the other.
class StreamChart {
public:
  explicit StreamChart(const rt::Library &library) : library(library) {}

  /// Appends the timeline of a run of a program, [queues], to those that were added before.
  void add(const gnn_program_t &program, const Timeline::Bars &run);
  /// An SVG with lanes that load, compute and store.
  std::string svg(const std::string &title) const;

private:
  const rt::Library &library;
  std::array<std::vector<tools::DrawnBar>, rt::numQueues> bars; // [queues]
  double end = 0;
};

/// "seconds" of a run, of which it is busy to "load", "compute" and "store", to transfer either way ("file"), and the
/// "overlap" of that and computing.
nlohmann::json timesJson(const BusyTimes &times);

/// Watches the epochs of a streamed graph.
class EpochWatch {
public:
  /// `streams`: TrainingContext::streams, which must outlive this.
  explicit EpochWatch(const rt::WithinMemory *streams);
  ~EpochWatch();
  EpochWatch(const EpochWatch &) = delete;
  EpochWatch &operator=(const EpochWatch &) = delete;

  void endEpoch();
  /// The time of an epoch, "measured" after the first epoch and "predicted" by the second; "epochs" is the number that
  /// were measured. Null without a stream, and for several processes.
  nlohmann::json times() const;
  /// The chart of the last finished epoch; empty if there is none, or if the graph is not streamed on a processor.
  std::string svg(const rt::Library &library, const std::string &title) const;

private:
  void note(size_t run, const rt::LaneSpan &span);
  void predict();

  const rt::WithinMemory *within;   // null: not streamed, or on a GPU
  std::array<Timeline, 2> runs;     // a step and an evaluation
  std::array<BusyWatch, 2> busy;
  std::array<rt::Prices, 2> prices{rt::Prices(nullptr), rt::Prices(nullptr)}; // of an epoch
  size_t epochs = 0;                                                          // that have ended
  std::optional<BusyTimes> predicted;
  std::vector<BusyTimes> measured;
  std::array<Timeline::Bars, 2> last;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_STREAMCHART_H
