//===- Prices.cpp - What orders of a streamed run take --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Prices.h"

#include <algorithm>

namespace gnn::rt {

void Prices::note(const LaneSpan &span) {
  const std::lock_guard lock(mutex);
  const Key key{span.order.queue, span.order.step};
  Seen &seen = first.count(key) ? others[key] : first[key];
  ++seen.orders;
  seen.size += span.order.size;
  seen.seconds += span.end - span.begin;
  if (span.order.bytes > 0) {
    all[unsigned(span.order.queue)].size += span.order.bytes;
    all[unsigned(span.order.queue)].seconds += span.end - span.begin;
  }
}

DiskRate Prices::rateOf(Queue queue) const {
  constexpr double enough = 4; // times what it saves up while it rests
  DiskRate rate = queue == Queue::Load ? rates->reads : rates->writes;
  const Seen &seen = all[unsigned(queue)];
  if (rate.isLimited() && double(seen.size) > enough * rate.credit && seen.seconds > 0)
    rate.steady = std::min(rate.steady, double(seen.size) / seen.seconds);
  return rate;
}

double Prices::seconds(const Order &order) const {
  const Key key{order.queue, order.step};
  auto found = others.find(key);
  if (found == others.end() && (found = first.find(key)) == first.end())
    return 0;
  const Seen &seen = found->second;
  return seen.size == 0 ? seen.seconds / double(seen.orders) : seen.seconds * (double(order.size) / double(seen.size));
}

} // namespace gnn::rt
