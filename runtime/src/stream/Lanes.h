//===- Lanes.h - What a streamed run asks of an engine ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queues of an engine, where what is asked can be watched. In a rehearsal nothing is done, and prices say when each
// order would have begun and ended.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_LANES_H
#define GNN_STREAM_LANES_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/simulate/KernelPrices.h"
#include "runtime/src/simulate/LinkRehearsal.h"

#include <array>
#include <chrono>

namespace gnn::rt {

class Prices;

/// How much a disk reads and writes, in bytes a second.
struct DiskRates {
  double reads, writes;

  double of(Queue transfers) const { return transfers == Queue::Load ? reads : writes; }
};

/// An order to a queue and the time that it takes.
struct Order {
  Queue queue;
  uint32_t step;                // of the program; that a transfer is for
  uint64_t bytes;               // of the file, or that are copied; 0 of Queue::Work
  uint64_t size;                // that its time grows with: bytes, or rows and edges
  uint64_t rows = 0, edges = 0; // of Queue::Work
  bool isThere = true;          // false: what it loads nobody has written yet
  uint64_t bytesBelow = 0;      // that are read or written of a file below memory
};

/// When it was done, in seconds since the run began.
struct LaneSpan {
  Order order;
  double begin, end;
};

/// A ticket, or its end in a rehearsal.
struct Asked {
  Ticket ticket;
  double end = 0;
  LinkRehearsal::Id id = 0; // of one by links
  bool isReal = false;      // false: of a rehearsal, or nothing was asked for
};

/// A rehearsal by links, where the engine is one of several devices.
struct OnPaper {
  LinkRehearsal *clock = nullptr; // null: there is none
  size_t device = 0;
  const KernelPrices *prices = nullptr;
  const DiskRates *disk = nullptr; // where files below memory are; null: they take no time
};

class Lanes {
public:
  /// Is told of orders that have ended, from the thread that did them.
  using Watch = std::function<void(const LaneSpan &)>;

  explicit Lanes(Engine &engine) : engine(engine) {}

  /// Before a run. Null: nobody is told. `prices`: it is a rehearsal; null: it is real. Both stay until it has ended.
  void begin(const Watch *watch, const Prices *prices, const OnPaper &paper = {});
  bool isRehearsal() const { return prices || paper.clock; }
  /// The time at which all orders of a rehearsal have ended.
  double end() const;

  /// `work` is done in its turn, after what was asked of the queue before and `after`.
  Asked ask(const Order &order, const std::vector<Asked> &after, std::function<void()> work);
  /// Copies so many bytes into the memory of the engine or out of it, as Engine::copy. Nobody is told.
  Asked copy(const Order &order, const std::vector<Asked> &after, void *to, const void *from);
  /// The same from the memory of another engine, which computes with this one.
  Asked copyFrom(const Lanes &other, const std::vector<Asked> &after, void *to, const void *from, size_t bytes);
  void await(const Asked &asked);
  /// The same of all of these, which are empty then.
  void awaitAll(std::vector<Asked> &asked);

private:
  using Clock = std::chrono::steady_clock;

  Asked rehearse(const Order &order, const std::vector<Asked> &after);
  double &isFreeAt(Queue queue);

  Engine &engine;
  const Watch *watch = nullptr;
  const Prices *prices = nullptr;
  OnPaper paper;
  Clock::time_point origin;
  // For a rehearsal:
  std::array<double, numQueues> free{}; // when each queue is
  double now = 0;                       // of who asks
};

} // namespace gnn::rt

#endif // GNN_STREAM_LANES_H
