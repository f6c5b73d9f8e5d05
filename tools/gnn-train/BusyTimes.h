//===- BusyTimes.h - How long the queues of a run were busy -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_BUSYTIMES_H
#define GNN_TOOLS_TRAIN_BUSYTIMES_H

#include "runtime/src/stream/Prices.h"
#include "runtime/src/stream/Streamed.h"

#include <mutex>
#include <utility>
#include <vector>

namespace gnn::train_tool {

/// Seconds of a run, or of some that came one after the other.
struct BusyTimes {
  double seconds = 0;                       // from its begin to the end of its last order
  std::array<double, rt::numQueues> busy{}; // of these, how long each queue had something to do
  double transfers = 0;                     // how long one of Queue::Load and Queue::Store had
  double together = 0;                      // how long one of these had while Queue::Work had, too

  double computing() const { return busy[unsigned(rt::Queue::Work)]; }
  /// The share of the shorter of transfers and computing that overlapped with the other, in [0, 1]; 0 without either.
  double overlap() const;
  BusyTimes &operator+=(const BusyTimes &other);
};

/// The median of each number by itself.
BusyTimes medianOf(const std::vector<BusyTimes> &runs);

/// Is told of the orders of a run.
class BusyWatch {
public:
  /// From any thread.
  void note(const rt::LaneSpan &span);
  /// Returns the times noted so far and resets them. No other thread may note times meanwhile.
  BusyTimes take();

private:
  std::mutex mutex;
  BusyTimes times;
  std::vector<std::pair<double, double>> transferred, computed; // begin and end of each
};

/// When the queues of a run did what, for who draws it: what lies close together is one bar, so that there are not more
/// than a picture has room for.
class Timeline {
public:
  struct Bar {
    uint32_t step; // of what began it
    double begin, end;
  };
  using Bars = std::array<std::vector<Bar>, rt::numQueues>;
  static constexpr size_t mostBars = 1000; // of a queue

  /// From any thread; of each queue in the order of time.
  void note(const rt::LaneSpan &span);
  /// Returns the bars noted so far, [queues], and resets them. No other thread may note bars meanwhile.
  Bars take();

private:
  struct Lane {
    std::vector<Bar> bars;
    double least = 0; // shorter bars and breaks are not told apart

    void add(const Bar &bar);
  };

  std::mutex mutex;
  std::array<Lane, rt::numQueues> lanes;
};

/// Runs some intervals of a program, for about `trialSeconds` as far as that goes, and rehearses a run by what they
/// took. `rates`: of the disk, where the file will not be in the page cache; null: it will. What is bound must be in
/// the file, and parameters have values. `told` is told of all orders, from this thread.
BusyTimes predict(rt::Streamed &streamed, const rt::DiskRates *rates, double trialSeconds,
                  const rt::Lanes::Watch &told = {});

/// The same by orders of a run that were noted.
BusyTimes rehearsed(rt::Streamed &streamed, const rt::Prices &prices, const rt::Lanes::Watch &told = {});

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_BUSYTIMES_H
