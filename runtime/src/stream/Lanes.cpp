//===- Lanes.cpp - What a streamed run asks of an engine ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Lanes.h"

#include "runtime/src/exec/Peers.h"
#include "runtime/src/stream/Prices.h"

#include <algorithm>

namespace gnn::rt {

void Lanes::begin(const Watch *told, const Prices *priced) {
  watch = told;
  prices = priced;
  origin = Clock::now();
  free.fill(0);
  now = 0;
}

double Lanes::end() const { return std::max(now, *std::max_element(free.begin(), free.end())); }

Asked Lanes::ask(const Order &order, const std::vector<Asked> &after, std::function<void()> work) {
  if (prices)
    return rehearse(order, after);
  std::vector<Ticket> tickets;
  for (const Asked &before : after)
    tickets.push_back(before.ticket);
  if (!watch)
    return {engine.transferBy(order.queue, std::move(work), std::move(tickets))};
  auto watched = [this, order, work = std::move(work)] {
    const Clock::time_point begin = Clock::now();
    work();
    const std::chrono::duration<double> before = begin - origin, until = Clock::now() - origin;
    (*watch)({order, before.count(), until.count()});
  };
  return {engine.transferBy(order.queue, std::move(watched), std::move(tickets))};
}

Asked Lanes::copy(const Order &order, const std::vector<Asked> &after, void *to, const void *from) {
  if (prices)
    return rehearse(order, after);
  std::vector<Ticket> tickets;
  for (const Asked &before : after)
    tickets.push_back(before.ticket);
  return {engine.copy(order.queue, to, from, order.bytes, std::move(tickets))};
}

Asked Lanes::copyFrom(Engine &other, const std::vector<Asked> &after, void *to, const void *from, size_t bytes) {
  std::vector<Ticket> tickets;
  for (const Asked &before : after)
    tickets.push_back(before.ticket);
  return {dynamic_cast<Peers &>(engine).copyFrom(other, to, from, bytes, std::move(tickets))};
}

/// One thread does all in turn, and of two one does what both transfers ask for.
double &Lanes::isFreeAt(Queue queue) {
  if (engine.threads() == 1)
    queue = Queue::Work;
  else if (engine.threads() == 2 && queue == Queue::Store)
    queue = Queue::Load;
  return free[unsigned(queue)];
}

Asked Lanes::rehearse(const Order &order, const std::vector<Asked> &after) {
  double &isFree = isFreeAt(order.queue);
  double begin = std::max(now, isFree);
  for (const Asked &before : after)
    begin = std::max(begin, before.end);
  isFree = begin + prices->seconds(order);
  if (watch)
    (*watch)({order, begin, isFree});
  return {Ticket(), isFree};
}

void Lanes::await(const Asked &asked) {
  if (prices)
    now = std::max(now, asked.end);
  else
    asked.ticket.await();
}

} // namespace gnn::rt
