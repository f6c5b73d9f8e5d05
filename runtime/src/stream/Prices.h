//===- Prices.h - What orders of a streamed run take ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seconds of each step and of what is transferred for it, by how much there is: from some orders that were watched.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_PRICES_H
#define GNN_STREAM_PRICES_H

#include "runtime/src/stream/DiskRates.h"
#include "runtime/src/stream/Lanes.h"

#include <map>
#include <mutex>
#include <utility>

namespace gnn::rt {

class Prices {
public:
  /// `rates`: of the disk, whose file is not in the page cache; null: it is there.
  explicit Prices(const DiskRates *rates) : rates(rates) {}

  /// From any thread; what is of one queue in its order.
  void note(const LaneSpan &span);
  /// Of an order like some that were noted.
  double seconds(const Order &order) const;
  /// Whose file is not in the page cache; null: it is there.
  const DiskRates *disk() const { return rates; }
  /// In the direction of a queue of transfers, where there is such a disk.
  const DiskRate &rateOf(Queue queue) const { return queue == Queue::Load ? rates->reads : rates->writes; }
  /// Of a transfer, what it takes beside what a limit of that disk makes it take: where its pieces are short, or it
  /// waits for the processor. Limits go by jerks, so that one transfer waits longer than was reckoned and another less:
  /// all of a queue together take as long beside the limit as was seen.
  double secondsBesideLimit(const Order &order) const;

private:
  struct Seen {
    uint64_t orders = 0, size = 0;
    double seconds = 0, ofLimit = 0;

    double besideLimit() const { return seconds - ofLimit; }
  };
  using Key = std::pair<Queue, uint32_t>;

  const Seen *like(const Order &order) const;

  const DiskRates *rates;
  std::mutex mutex;
  std::array<RehearsedDisk, numQueues> disks; // with what was noted
  std::map<Key, Seen> first, others;          // what is done first touches memory, and may compile a product
};

} // namespace gnn::rt

#endif // GNN_STREAM_PRICES_H
