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
  return shorter > 0 ? (transfers + computing() - seconds) / shorter : 0;
}

BusyTimes &BusyTimes::operator+=(const BusyTimes &other) {
  seconds += other.seconds;
  transfers += other.transfers;
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
  for (unsigned queue = 0; queue < numQueues; ++queue)
    times.busy[queue] = median([&](const BusyTimes &run) { return run.busy[queue]; });
  return times;
}

void BusyWatch::note(const LaneSpan &span) {
  const std::lock_guard lock(mutex);
  times.seconds = std::max(times.seconds, span.end);
  times.busy[unsigned(span.order.queue)] += span.end - span.begin;
  if (span.order.queue != Queue::Work)
    transferred.emplace_back(span.begin, span.end);
}

BusyTimes BusyWatch::take() {
  std::sort(transferred.begin(), transferred.end());
  double until = 0;
  for (auto [begin, end] : transferred) {
    times.transfers += std::max(end - std::max(begin, until), 0.0);
    until = std::max(until, end);
  }
  transferred.clear();
  return std::exchange(times, BusyTimes());
}

} // namespace gnn::rt
