//===- LinkRehearsal.cpp - What devices and links would do when -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the end of one order to that of the next all rates stay as they are. So the clock goes on in such steps, as far
// as somebody waits: what is asked for later is not known before.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/simulate/LinkRehearsal.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace gnn::rt {

/// What is left of an order when it has ended, for all that rounding does.
static constexpr double leastSeconds = 1e-15, leastBytes = 1e-6;

LinkRehearsal::LinkRehearsal(const Topology &topology)
    : connections(topology), loads(2 * topology.links().size()), busy(topology.numDevices(), 0),
      lanes(numQueues * topology.numDevices()), running(lanes.size(), 0), sharers(loads.size(), 0) {}

LinkRehearsal::Id LinkRehearsal::ask(size_t device, Queue queue, Order order) {
  orders.push_back(std::move(order));
  lanes[device * numQueues + unsigned(queue)].push_back(orders.size());
  return orders.size();
}

LinkRehearsal::Id LinkRehearsal::work(size_t device, Queue queue, double seconds, const std::vector<Id> &after) {
  if (queue == Queue::Work)
    busy[device] += seconds;
  return ask(device, queue, {after, {}, seconds, 0});
}

LinkRehearsal::Id LinkRehearsal::move(size_t device, Queue queue, int from, int to, uint64_t bytes,
                                      const std::vector<Id> &after) {
  if (bytes == 0)
    return ask(device, queue, {after, {}, 0, 0});
  const std::vector<Topology::Hop> way = connections.way(from, to);
  Order order{after, {}, connections.latencyOf(way), double(bytes)};
  for (const Topology::Hop &hop : way) {
    const size_t link = 2 * hop.link + (hop.isForward ? 0 : 1);
    order.links.push_back(link);
    loads[link].bytes += bytes;
    loads[link].seconds += double(bytes) / connections.links()[hop.link].rate;
  }
  return ask(device, queue, std::move(order));
}

bool LinkRehearsal::canBegin(const Order &order) const {
  return std::all_of(order.after.begin(), order.after.end(),
                     [this](Id id) { return id == 0 || orders[id - 1].hasEnded; });
}

/// An equal share of each link, of which the narrowest counts.
double LinkRehearsal::rateOf(const Order &order) const {
  double rate = std::numeric_limits<double>::infinity();
  for (size_t link : order.links)
    rate = std::min(rate, connections.links()[link / 2].rate / double(sharers[link]));
  return rate;
}

/// To the next end of something. False: nothing is under way.
bool LinkRehearsal::advance() {
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    if (running[lane] == 0 && !lanes[lane].empty() && canBegin(orders[lanes[lane].front() - 1]))
      running[lane] = lanes[lane].front();
  std::fill(sharers.begin(), sharers.end(), size_t(0));
  for (Id id : running)
    if (id != 0 && orders[id - 1].seconds <= leastSeconds)
      for (size_t link : orders[id - 1].links)
        ++sharers[link];
  double step = std::numeric_limits<double>::infinity();
  for (Id id : running) {
    if (id == 0)
      continue;
    const Order &order = orders[id - 1];
    auto secondsToMove = [&] { return order.links.empty() ? 0 : order.bytes / rateOf(order); };
    step = std::min(step, order.seconds > leastSeconds ? order.seconds : secondsToMove());
  }
  if (step == std::numeric_limits<double>::infinity())
    return false;
  now += step;
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    if (running[lane] == 0)
      continue;
    Order &order = orders[running[lane] - 1];
    if (order.seconds > leastSeconds)
      order.seconds -= step;
    else if (!order.links.empty())
      order.bytes -= rateOf(order) * step;
    if (order.seconds > leastSeconds || order.bytes > leastBytes)
      continue;
    order.hasEnded = true;
    order.after.clear();
    lanes[lane].pop_front();
    running[lane] = 0;
  }
  return true;
}

void LinkRehearsal::await(Id id) {
  while (id != 0 && !orders[id - 1].hasEnded)
    if (!advance()) {
      assert(false && "what is awaited was asked for, and nothing waits in a circle");
      return;
    }
}

double LinkRehearsal::end() {
  while (advance())
    ;
  return now;
}

LinkRehearsal::Taken LinkRehearsal::taken() { return {end(), loads, busy}; }

void LinkRehearsal::repeat(const Taken &since, double times) {
  now = since.seconds + times * (end() - since.seconds);
  for (size_t i = 0; i < loads.size(); ++i) {
    const Load &before = since.loads[i];
    loads[i].bytes = before.bytes + uint64_t(std::llround(times * double(loads[i].bytes - before.bytes)));
    loads[i].seconds = before.seconds + times * (loads[i].seconds - before.seconds);
  }
  for (size_t device = 0; device < busy.size(); ++device)
    busy[device] = since.computing[device] + times * (busy[device] - since.computing[device]);
}

} // namespace gnn::rt
