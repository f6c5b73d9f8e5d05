//===- Prices.cpp - What orders of a streamed run take --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Prices.h"

namespace gnn::rt {

void Prices::note(const LaneSpan &span) {
  const std::lock_guard lock(mutex);
  const Key key{span.order.queue, span.order.step};
  Seen &seen = first.count(key) ? others[key] : first[key];
  ++seen.orders;
  seen.size += span.order.size;
  seen.seconds += span.end - span.begin;
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
