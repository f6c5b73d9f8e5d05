//===- BusyTimes.cpp - How long the queues of a run were busy -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/BusyTimes.h"

#include "tools/gnn-train/Median.h"

#include <algorithm>

namespace gnn::train_tool {

using namespace rt;

double BusyTimes::overlap() const {
  const double shorter = std::min(transfers, computing());
  return shorter > 0 ? std::min(together / shorter, 1.0) : 0;
}

BusyTimes &BusyTimes::operator+=(const BusyTimes &other) {
  seconds += other.seconds;
  transfers += other.transfers;
  together += other.together;
  for (unsigned queue = 0; queue < numQueues; ++queue)
    busy[queue] += other.busy[queue];
  return *this;
}

BusyTimes medianOf(const std::vector<BusyTimes> &runs) {
  auto medianBy = [&](auto numberOf) {
    std::vector<double> numbers;
    for (const BusyTimes &run : runs)
      numbers.push_back(numberOf(run));
    return median(std::move(numbers));
  };
  BusyTimes times;
  times.seconds = medianBy([](const BusyTimes &run) { return run.seconds; });
  times.transfers = medianBy([](const BusyTimes &run) { return run.transfers; });
  times.together = medianBy([](const BusyTimes &run) { return run.together; });
  for (unsigned queue = 0; queue < numQueues; ++queue)
    times.busy[queue] = medianBy([&](const BusyTimes &run) { return run.busy[queue]; });
  return times;
}

void BusyWatch::note(const LaneSpan &span) {
  const std::lock_guard lock(mutex);
  times.seconds = std::max(times.seconds, span.end);
  times.busy[unsigned(span.order.queue)] += span.end - span.begin;
  (span.order.queue == Queue::Work ? computed : transferred).emplace_back(span.begin, span.end);
}

/// The same time, as intervals that rise and do not overlap.
static std::vector<std::pair<double, double>> united(std::vector<std::pair<double, double>> spans) {
  std::sort(spans.begin(), spans.end());
  std::vector<std::pair<double, double>> result;
  for (const auto &span : spans)
    if (result.empty() || span.first > result.back().second)
      result.push_back(span);
    else
      result.back().second = std::max(result.back().second, span.second);
  return result;
}

BusyTimes BusyWatch::take() {
  const std::vector<std::pair<double, double>> transfers = united(std::exchange(transferred, {})),
                                               work = united(std::exchange(computed, {}));
  size_t next = 0;
  for (auto [begin, end] : transfers) {
    times.transfers += end - begin;
    while (next < work.size() && work[next].second <= begin)
      ++next;
    for (size_t i = next; i < work.size() && work[i].first < end; ++i)
      times.together += std::min(end, work[i].second) - std::max(begin, work[i].first);
  }
  return std::exchange(times, BusyTimes());
}

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

BusyTimes rehearsed(Streamed &streamed, const Prices &prices, const Lanes::Watch &told) {
  BusyWatch watch;
  const double seconds = streamed.rehearse(prices, [&](const LaneSpan &span) {
    watch.note(span);
    if (told)
      told(span);
  });
  BusyTimes times = watch.take();
  times.seconds = seconds;
  return times;
}

BusyTimes predict(Streamed &streamed, const DiskRates *rates, double trialSeconds, const Lanes::Watch &told) {
  Prices prices(rates);
  streamed.runSome(trialSeconds, [&](const LaneSpan &span) { prices.note(span); });
  return rehearsed(streamed, prices, told);
}

} // namespace gnn::train_tool
