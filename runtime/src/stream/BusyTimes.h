//===- BusyTimes.h - How long the queues of a run were busy -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_BUSYTIMES_H
#define GNN_STREAM_BUSYTIMES_H

#include "runtime/src/stream/Lanes.h"

#include <mutex>
#include <utility>
#include <vector>

namespace gnn::rt {

/// Seconds of a run, or of some that came one after the other.
struct BusyTimes {
  double seconds = 0;                   // from its begin to the end of its last order
  std::array<double, numQueues> busy{}; // of these, how long each queue had something to do
  double transfers = 0;                 // how long one of Queue::Load and Queue::Store had
  double together = 0;                  // how long one of these had while Queue::Work had, too

  double computing() const { return busy[unsigned(Queue::Work)]; }
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
  void note(const LaneSpan &span);
  /// Returns the times noted so far and resets them. No other thread may note times meanwhile.
  BusyTimes take();

private:
  std::mutex mutex;
  BusyTimes times;
  std::vector<std::pair<double, double>> transferred, computed; // begin and end of each
};

} // namespace gnn::rt

#endif // GNN_STREAM_BUSYTIMES_H
