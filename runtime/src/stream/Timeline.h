//===- Timeline.h - When the queues of a run did what -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For who draws it: what lies close together is one bar, so that there are not more than a picture has room for.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_TIMELINE_H
#define GNN_STREAM_TIMELINE_H

#include "runtime/src/stream/Lanes.h"

#include <mutex>

namespace gnn::rt {

class Timeline {
public:
  struct Bar {
    uint32_t step; // of what began it
    double begin, end;
  };
  using Bars = std::array<std::vector<Bar>, numQueues>;
  static constexpr size_t mostBars = 1000; // of a queue

  /// From any thread; of each queue in the order of time.
  void note(const LaneSpan &span);
  /// Returns the bars noted so far, [queues], and resets them. No other thread may note bars meanwhile.
  Bars take();

private:
  struct Lane {
    std::vector<Bar> bars;
    double least = 0; // shorter bars and breaks are not told apart

    void add(const Bar &bar);
  };

  std::mutex mutex;
  std::array<Lane, numQueues> lanes;
};

} // namespace gnn::rt

#endif // GNN_STREAM_TIMELINE_H
