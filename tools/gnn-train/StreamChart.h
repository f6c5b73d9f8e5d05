//===- StreamChart.h - An epoch of a streamed run as a picture --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_STREAMCHART_H
#define GNN_TOOLS_TRAIN_STREAMCHART_H

#include "runtime/src/program/Library.h"
#include "runtime/src/stream/Timeline.h"
#include "runtime/src/train/Session.h"
#include "support/LanesDrawing.h"

#include <string>

namespace gnn::train_tool {

/// An epoch, one of whose runs comes after the other.
class StreamChart {
public:
  explicit StreamChart(const rt::Library &library) : library(library) {}

  /// What a run of a program did, [queues], after those that were added before.
  void add(const gnn_program_t &program, const rt::Timeline::Bars &run);
  /// An SVG with lanes that load, compute and store.
  std::string svg(const std::string &title) const;

private:
  const rt::Library &library;
  std::array<std::vector<tools::DrawnBar>, rt::numQueues> bars; // [queues]
  double end = 0;
};

/// Watches the epochs of a session, which must outlive it.
class EpochWatch {
public:
  explicit EpochWatch(const rt::Session &session);
  ~EpochWatch();
  EpochWatch(const EpochWatch &) = delete;
  EpochWatch &operator=(const EpochWatch &) = delete;

  void endEpoch();
  /// Of the last epoch that ended; empty if there is none, or the session is not streamed on a processor.
  std::string svg(const rt::Library &library, const std::string &title) const;

private:
  const rt::WithinMemory *within;   // null: not streamed, or on a GPU
  std::array<rt::Timeline, 2> runs; // a step and an evaluation
  std::array<rt::Timeline::Bars, 2> last;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_STREAMCHART_H
