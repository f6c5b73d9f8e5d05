//===- Queues.cpp - What an engine does later -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody waits in a circle: what an order waits for, by its queue or by `after`, was asked for before it.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/engine/Queues.h"

#include "runtime/src/core/AddressSanitizer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace gnn::rt {

using Lock = std::unique_lock<std::mutex>;

struct Ticket::Order {
  std::shared_ptr<Queues::State> home;
  Queue queue;
  std::vector<std::shared_ptr<Order>> after;
  std::function<void()> work;
  std::atomic<bool> hasEnded{false}; // but for `event`; written under the mutex of home, as is
  bool hasBegun = false, isCancelled = false;
  std::exception_ptr error;
  std::shared_ptr<Queues::Event> event; // may be null

  bool isReady() const;
  void issue();
  void run();
};

struct Queues::Lane {
  std::deque<std::shared_ptr<Ticket::Order>> orders; // that have not ended
  bool isTaken = false;                              // by a thread, with the first of them
  bool isSummoned = false;                           // somebody who will look at it
};

struct Queues::State : std::enable_shared_from_this<State> {
  explicit State(Queues &queues) : queues(queues) {}

  std::mutex mutex;
  std::condition_variable changed; // an order has ended
  std::array<Lane, numQueues> lanes;
  Queues &queues; // while a lane has orders

  void takeFirst(Lane &lane, Lock &lock);
  bool takeFirstIfReady(Lane &lane, Lock &lock);
  bool sendFor(Lane &lane);
  void help(Lane &lane, Lock &lock);
};

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// Of one that nobody has taken: whether nothing is to be awaited for it.
bool Ticket::Order::isReady() const {
  return std::all_of(after.begin(), after.end(), [](const auto &before) { return before->hasEnded.load(); });
}

/// Returns when it has ended but for what a device does. While another thread is at it, steps are done that need not
/// await anything: a store would else hold up what is computed for the next one.
void Ticket::Order::issue() {
  Queues::State &state = *home;
  Lock lock(state.mutex);
  Queues::Lane &lane = state.lanes[unsigned(queue)], &steps = state.lanes[unsigned(Queue::Work)];
  while (!hasEnded)
    if (!lane.isTaken && !state.queues.serves(queue))
      state.takeFirst(lane, lock);
    else if (!state.takeFirstIfReady(steps, lock))
      state.changed.wait(lock);
}

void Ticket::Order::run() {
  std::exception_ptr failure;
  std::vector<std::shared_ptr<Queues::Event>> events;
  auto isOut = [&] {
    Lock lock(home->mutex);
    return isCancelled;
  };
  for (size_t i = 0; i < after.size() && !isOut(); ++i) {
    after[i]->issue();
    Lock lock(after[i]->home->mutex);
    if (!failure)
      failure = after[i]->error;
    if (after[i]->event)
      events.push_back(after[i]->event);
  }
  {
    Lock lock(home->mutex);
    hasBegun = !failure && !isCancelled;
  }
  std::shared_ptr<Queues::Event> underWay;
  if (hasBegun)
    try {
      home->queues.begin(queue, events);
      work();
      underWay = home->queues.end(queue);
    } catch (...) {
      failure = std::current_exception();
    }
  work = nullptr;
  after.clear(); // or the first ticket of a long chain would keep all
  Lock lock(home->mutex);
  error = isCancelled ? std::make_exception_ptr(Cancelled()) : failure;
  event = std::move(underWay);
  hasEnded = true;
}

void Ticket::await() const {
  if (!order)
    return;
  order->issue();
  std::shared_ptr<Queues::Event> event;
  {
    Lock lock(order->home->mutex);
    if (order->error)
      std::rethrow_exception(order->error);
    event = order->event;
  }
  if (event)
    event->await();
}

bool Ticket::cancel() const {
  if (!order)
    return false;
  Lock lock(order->home->mutex);
  if (!order->hasBegun && !order->hasEnded)
    order->isCancelled = true;
  return order->isCancelled;
}

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

Queues::Queues() : state(std::make_shared<State>(*this)) {
  ignoreLeak(state.get()); // a process may end before a helper that was sent for has come
}

Ticket Queues::ask(Queue queue, std::vector<Ticket> after, std::function<void()> work) {
  auto order = std::make_shared<Ticket::Order>();
  order->home = state;
  order->queue = queue;
  order->work = std::move(work);
  for (Ticket &ticket : after)
    if (ticket.order)
      order->after.push_back(std::move(ticket.order));
  Lock lock(state->mutex);
  Lane &lane = state->lanes[unsigned(queue)];
  lane.orders.push_back(order);
  if (!state->sendFor(lane))
    state->help(lane, lock);
  return Ticket(std::move(order));
}

/// Does the first order of a lane that nobody has taken.
void Queues::State::takeFirst(Lane &lane, Lock &lock) {
  const std::shared_ptr<Ticket::Order> first = lane.orders.front();
  lane.isTaken = true;
  lock.unlock();
  first->run();
  lock.lock();
  lane.orders.pop_front();
  lane.isTaken = false;
  changed.notify_all();
  for (Lane &each : lanes) // what may be ready now
    sendFor(each);
}

/// The same if there is one and nothing is to be awaited for it.
bool Queues::State::takeFirstIfReady(Lane &lane, Lock &lock) {
  if (lane.orders.empty() || lane.isTaken || !lane.orders.front()->isReady())
    return false;
  takeFirst(lane, lock);
  return true;
}

/// Somebody to look at a lane that nobody has; false if there is nobody.
bool Queues::State::sendFor(Lane &lane) {
  if (lane.orders.empty() || lane.isTaken || lane.isSummoned)
    return true;
  return lane.isSummoned = queues.summon(Queue(&lane - lanes.data()), [state = shared_from_this(), &lane] {
    Lock lock(state->mutex);
    state->help(lane, lock);
    lane.isSummoned = false;
  });
}

/// Does what need not await anything. Who has to await is in the way of nobody here.
void Queues::State::help(Lane &lane, Lock &lock) {
  while (takeFirstIfReady(lane, lock)) {
  }
}

void Queues::begin(Queue, const std::vector<std::shared_ptr<Event>> &events) {
  for (const std::shared_ptr<Event> &event : events)
    event->await();
}

void Queues::close() {
  Lock lock(state->mutex);
  for (Lane &lane : state->lanes)
    for (const std::shared_ptr<Ticket::Order> &order : lane.orders)
      order->isCancelled |= !order->hasBegun && !order->hasEnded;
  for (Lane &lane : state->lanes)
    while (!lane.orders.empty())
      lane.isTaken ? state->changed.wait(lock) : state->takeFirst(lane, lock);
}

} // namespace gnn::rt
