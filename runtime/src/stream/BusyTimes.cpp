//===- BusyTimes.cpp - How long the queues of a run were busy -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/BusyTimes.h"

#include <algorithm>

namespace gnn::rt {

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
  auto median = [&](auto numberOf) {
    std::vector<double> numbers;
    for (const BusyTimes &run : runs)
      numbers.push_back(numberOf(run));
    std::sort(numbers.begin(), numbers.end());
    return numbers.empty() ? 0 : numbers[numbers.size() / 2];
  };
  BusyTimes times;
  times.seconds = median([](const BusyTimes &run) { return run.seconds; });
  times.transfers = median([](const BusyTimes &run) { return run.transfers; });
  times.together = median([](const BusyTimes &run) { return run.together; });
  for (unsigned queue = 0; queue < numQueues; ++queue)
    times.busy[queue] = median([&](const BusyTimes &run) { return run.busy[queue]; });
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

} // namespace gnn::rt
