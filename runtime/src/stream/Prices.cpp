//===- Prices.cpp - What orders of a streamed run take --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Prices.h"

#include <algorithm>

namespace gnn::rt {

/// Of a file that is not in the page cache, what came much faster than the disk can did not ask it: nothing had been
/// written there yet. A run will find something, so it says nothing of that.
static bool askedDisk(const LaneSpan &span, const DiskRate &rate) {
  constexpr double least = 0.5;
  return span.end - span.begin >= least * double(span.order.bytes) / rate.peak;
}

void Prices::note(const LaneSpan &span) {
  const std::lock_guard lock(mutex);
  const Order &order = span.order;
  const bool isOfDisk = rates && order.bytes > 0;
  if (isOfDisk && !askedDisk(span, rateOf(order.queue)))
    return;
  const Key key{order.queue, order.step};
  Seen &seen = first.count(key) ? others[key] : first[key];
  ++seen.orders;
  seen.size += order.size;
  seen.seconds += span.end - span.begin;
  if (isOfDisk)
    seen.ofLimit += disks[unsigned(order.queue)].seconds(rateOf(order.queue), double(order.bytes), span.begin);
}

const Prices::Seen *Prices::like(const Order &order) const {
  const Key key{order.queue, order.step};
  if (const auto found = others.find(key); found != others.end())
    return &found->second;
  const auto found = first.find(key);
  return found != first.end() ? &found->second : nullptr;
}

/// Of so many seconds of orders of some size together.
static double shareOf(double seconds, uint64_t size, uint64_t orders, const Order &order) {
  return size == 0 ? seconds / double(orders) : seconds * (double(order.size) / double(size));
}

double Prices::seconds(const Order &order) const {
  const Seen *seen = like(order);
  return seen ? shareOf(seen->seconds, seen->size, seen->orders, order) : 0;
}

double Prices::secondsBesideLimit(const Order &order) const {
  const Seen *seen = like(order);
  if (!seen || seen->besideLimit() <= 0)
    return 0;
  double all = 0, longer = 0; // longer: of those that took longer than was reckoned
  for (const auto *some : {&first, &others})
    for (const auto &[key, each] : *some)
      if (key.first == order.queue) {
        all += each.besideLimit();
        longer += std::max(each.besideLimit(), 0.0);
      }
  return shareOf(seen->besideLimit() * (std::max(all, 0.0) / longer), seen->size, seen->orders, order);
}

} // namespace gnn::rt
