//===- Prices.cpp - What orders of a streamed run take --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Prices.h"

namespace gnn::rt {

/// A disk is not asked for what nobody has written. A run will find something there, so it says nothing of that.
void Prices::note(const LaneSpan &span) {
  const std::lock_guard lock(mutex);
  const Order &order = span.order;
  if (rates && !order.isThere)
    return;
  Seen &seen = all[{order.queue, order.step}];
  ++seen.orders;
  seen.size += order.size;
  seen.seconds += span.end - span.begin;
}

double Prices::seconds(const Order &order) const {
  const auto found = all.find({order.queue, order.step});
  if (found == all.end())
    return rates && order.bytes > 0 ? double(order.bytes) / rates->of(order.queue) : 0;
  const Seen &seen = found->second;
  return seen.size == 0 ? seen.seconds / double(seen.orders) : seen.seconds * (double(order.size) / double(seen.size));
}

} // namespace gnn::rt
