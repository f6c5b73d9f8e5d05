//===- Queues.h - What an engine does later ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine has a few queues, each of which does one thing after the other, beside the other queues. Whoever asks gets
// a ticket, and says which tickets come before. So that what is asked ends whatever helpers there are, also inside the
// loops of an application, whoever awaits a ticket does himself what it needs and nobody has begun. While another does
// it he does steps.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_QUEUES_H
#define GNN_ENGINE_QUEUES_H

#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

namespace gnn::rt {

enum class Queue : unsigned {
  Work,  // steps
  Load,  // copies into the memory of the engine
  Store, // copies out of it
};
constexpr unsigned numQueues = 3;

/// Thrown by Ticket::await for work that was cancelled (Ticket::cancel) or that the end of the engine left undone.
struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("this was cancelled before it began") {}
};

/// Something that was asked for. Any thread may hold and use one.
class Ticket {
public:
  /// A ticket of work that has been done.
  Ticket() = default;

  /// Returns when it has ended, and throws what ended it if it failed. Blocks nobody but the caller.
  void await() const;
  /// If it has not begun, it never will, and what comes after it neither: all of these end as Cancelled. False: it has
  /// begun.
  bool cancel() const;

private:
  friend class Queues;
  struct Order;
  explicit Ticket(std::shared_ptr<Order> order) : order(std::move(order)) {}

  std::shared_ptr<Order> order; // null: done
};

class Queues {
public:
  /// Marks the point in a device's queue after the calls that `work` made.
  class Event {
  public:
    virtual ~Event() = default;
    /// Returns when it is done; throws if that failed.
    virtual void await() = 0;
  };

  /// `work` is done after what was asked of this queue before has ended, or has begun on the device, and the same of
  /// `after`, which may be of other engines. Where one of these fails it is not done, and ends as the first that did.
  /// All that it touches stays until its ticket has ended. It asks for nothing itself.
  Ticket ask(Queue queue, std::vector<Ticket> after, std::function<void()> work);

protected:
  Queues();
  /// Whoever inherits calls `close` in its own destructor.
  virtual ~Queues() = default;
  /// Cancels what has not begun, and waits for the rest but what devices do.
  void close();

  /// Has another thread call `help`, once and whenever it likes, for what was asked of a queue; false if there is none,
  /// and he who asks is to do it. True with nobody called: it is done by who awaits it.
  virtual bool summon(Queue queue, const std::function<void()> &help) { return false; }
  /// Whether a thread of its own does what a queue is asked for, all of which comes after tickets of these queues
  /// alone: who awaits it leaves it to that thread.
  virtual bool serves(Queue queue) const { return false; }
  /// Before some work of a queue, whose thread this is: makes it wait for `events`, those of its predecessors.
  virtual void begin(Queue queue, const std::vector<std::shared_ptr<Event>> &events);
  /// After it: what is still under way; null if nothing.
  virtual std::shared_ptr<Event> end(Queue queue) { return nullptr; }

private:
  friend class Ticket;
  struct Lane;
  struct State;

  std::shared_ptr<State> state; // shared with helpers that come late
};

/// Capability of an engine whose threads do both steps and transfers: where transfers wait for a disk, steps would lack
/// the threads that wait.
class TransferThreads {
public:
  virtual ~TransferThreads() = default;
  /// Gives Queue::Load and Queue::Store a thread each, beside those of the steps. Does nothing if the system has none.
  virtual void start() = 0;
  virtual bool areStarted() const = 0;
};

} // namespace gnn::rt

#endif // GNN_ENGINE_QUEUES_H
