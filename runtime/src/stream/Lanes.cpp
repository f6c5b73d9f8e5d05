//===- Lanes.cpp - What a streamed run asks of an engine ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Lanes.h"

#include "runtime/src/engine/Peers.h"
#include "runtime/src/stream/Prices.h"

#include <algorithm>

namespace gnn::rt {

static std::vector<Ticket> ticketsOf(const std::vector<Asked> &after) {
  std::vector<Ticket> tickets;
  for (const Asked &before : after)
    tickets.push_back(before.ticket);
  return tickets;
}

static std::vector<LinkRehearsal::Id> idsOf(const std::vector<Asked> &after) {
  std::vector<LinkRehearsal::Id> ids;
  for (const Asked &before : after)
    ids.push_back(before.id);
  return ids;
}

void Lanes::begin(const Watch *told, const Prices *priced, const OnPaper &onPaper) {
  watch = told;
  prices = priced;
  paper = onPaper;
  origin = Clock::now();
  free.fill(0);
  now = 0;
}

double Lanes::end() const { return std::max(now, *std::max_element(free.begin(), free.end())); }

/// What this process does itself takes no time on paper, but for files: a thread reads and writes these in turn.
Asked Lanes::ask(const Order &order, const std::vector<Asked> &after, std::function<void()> work) {
  if (prices)
    return rehearse(order, after);
  if (paper.clock) {
    const bool isOfFile = paper.disk && order.bytesBelow > 0;
    const double seconds = isOfFile                     ? double(order.bytesBelow) / paper.disk->of(order.queue)
                           : order.queue == Queue::Work ? paper.prices->seconds(order.step, order.rows, order.edges)
                                                        : 0;
    return {{}, 0, paper.clock->work(paper.device, isOfFile ? Queue::Load : order.queue, seconds, idsOf(after))};
  }
  if (!watch)
    return {engine.transferBy(order.queue, std::move(work), ticketsOf(after)), 0, 0, /*isReal=*/true};
  auto watched = [this, order, work = std::move(work)] {
    const Clock::time_point begin = Clock::now();
    work();
    const std::chrono::duration<double> before = begin - origin, until = Clock::now() - origin;
    (*watch)({order, before.count(), until.count()});
  };
  return {engine.transferBy(order.queue, std::move(watched), ticketsOf(after)), 0, 0, /*isReal=*/true};
}

Asked Lanes::copy(const Order &order, const std::vector<Asked> &after, void *to, const void *from) {
  if (prices)
    return rehearse(order, after);
  if (paper.clock) {
    const auto here = int(paper.device), host = Topology::host;
    const bool isIn = order.queue == Queue::Load;
    return {{},
            0,
            paper.clock->move(paper.device, order.queue, isIn ? host : here, isIn ? here : host, order.bytes,
                              idsOf(after))};
  }
  return {engine.copy(order.queue, to, from, order.bytes, ticketsOf(after))};
}

Asked Lanes::copyFrom(const Lanes &other, const std::vector<Asked> &after, void *to, const void *from, size_t bytes) {
  if (paper.clock)
    return {
        {},
        0,
        paper.clock->move(paper.device, Queue::Load, int(other.paper.device), int(paper.device), bytes, idsOf(after))};
  return {engine.peers()->copyFrom(other.engine, to, from, bytes, ticketsOf(after))};
}

/// One thread does all in turn, and of two one does what both transfers ask for, unless they have threads of their own.
double &Lanes::isFreeAt(Queue queue) {
  if (const TransferThreads *threads = engine.transferThreads(); threads && threads->areStarted())
    return free[unsigned(queue)];
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

void Lanes::awaitAll(std::vector<Asked> &asked) {
  for (const Asked &each : asked)
    await(each);
  asked.clear();
}

void Lanes::await(const Asked &asked) {
  if (prices)
    now = std::max(now, asked.end);
  else if (paper.clock)
    paper.clock->await(asked.id);
  else
    asked.ticket.await();
}

} // namespace gnn::rt
