//===- Timeline.cpp - When the queues of a run did what -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Timeline.h"

#include <algorithm>
#include <utility>

namespace gnn::rt {

void Timeline::note(const LaneSpan &span) {
  const std::lock_guard lock(mutex);
  Lane &lane = lanes[unsigned(span.order.queue)];
  lane.add({span.order.step, span.begin, span.end});
  while (lane.bars.size() > mostBars) {
    lane.least = std::max({2 * lane.least, lane.bars.back().end / mostBars, 1e-9}); // a clock may stand still
    for (const Bar &bar : std::exchange(lane.bars, {}))
      lane.add(bar);
  }
}

void Timeline::Lane::add(const Bar &bar) {
  if (!bars.empty()) {
    Bar &last = bars.back();
    const bool isSame = last.step == bar.step || last.end - last.begin < least;
    if (isSame && bar.begin - last.end <= least) {
      last.end = bar.end;
      return;
    }
  }
  bars.push_back(bar);
}

Timeline::Bars Timeline::take() {
  Bars taken;
  for (unsigned queue = 0; queue < numQueues; ++queue)
    taken[queue] = std::exchange(lanes[queue], Lane()).bars;
  return taken;
}

} // namespace gnn::rt
