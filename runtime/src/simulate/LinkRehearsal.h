//===- LinkRehearsal.h - What devices and links would do when ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A clock for what is asked of several devices, of which nothing is done. Each queue of a device does one thing after
// the other. What is on a link in the same direction at the same time shares it evenly. Who asks takes no time.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SIMULATE_LINKREHEARSAL_H
#define GNN_SIMULATE_LINKREHEARSAL_H

#include "runtime/src/engine/Queues.h"
#include "runtime/src/links/Topology.h"

#include <array>
#include <deque>

namespace gnn::rt {

class LinkRehearsal {
public:
  /// Identifies a simulated transfer or call; 0 is one that was complete from the start.
  using Id = size_t;

  /// The load of a link in one direction.
  struct Load {
    uint64_t bytes = 0;
    double seconds = 0; // that it takes for these alone
  };

  explicit LinkRehearsal(const Topology &topology);

  /// In its turn in a queue of a device, after `after`.
  Id work(size_t device, Queue queue, double seconds, const std::vector<Id> &after);
  /// Moves bytes from the memory of a device, or of the host, to that of another.
  Id move(size_t device, Queue queue, int from, int to, uint64_t bytes, const std::vector<Id> &after);
  /// Who asks goes on when it has ended.
  void await(Id id);
  /// When all that was asked for has ended, in seconds.
  double end();

  /// The total of everything simulated so far.
  struct Taken {
    double seconds;
    std::vector<Load> loads;       // [links][2]
    std::vector<double> computing; // [devices]
  };
  /// Once it has ended.
  Taken taken();
  /// Treats everything simulated since `since` as a sample of `times` as much, and adds the rest to the total, once the
  /// sample has ended.
  void repeat(const Taken &since, double times);

  const Topology &topology() const { return connections; }
  /// The load of a link, in the direction of the hop.
  const Load &load(const Topology::Hop &hop) const { return loads[2 * hop.link + (hop.isForward ? 0 : 1)]; }
  /// How long Queue::Work of a device has something to do.
  double computing(size_t device) const { return busy[device]; }

private:
  struct Order {
    std::vector<Id> after;
    std::vector<size_t> links; // with their directions, of what moves
    double seconds;            // before anything moves, or of work
    double bytes;
    bool hasEnded = false;
  };

  Id ask(size_t device, Queue queue, Order order);
  bool canBegin(const Order &order) const;
  double rateOf(const Order &order) const;
  bool advance();

  const Topology &connections;
  std::vector<Load> loads;           // [links][2]
  std::vector<double> busy;          // [devices]
  std::deque<Order> orders;          // by Id, from 1 on
  std::vector<std::deque<Id>> lanes; // [devices][queues] what has not ended
  std::vector<Id> running;           // [devices][queues] the first of them if it has begun, else 0
  std::vector<size_t> sharers;       // [links][2] that move something now
  double now = 0;
};

} // namespace gnn::rt

#endif // GNN_SIMULATE_LINKREHEARSAL_H
