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

  /// From any thread.
  void note(const LaneSpan &span);
  /// Of an order like some that were noted.
  double seconds(const Order &order) const;
  /// Whose file is not in the page cache; null: it is there.
  const DiskRates *disk() const { return rates; }
  /// Of that disk, one that is limited no faster than it was for the orders that were noted, if these were many: short
  /// pieces come more slowly than the long ones that it was measured by.
  DiskRate rateOf(Queue queue) const;

private:
  struct Seen {
    uint64_t orders = 0, size = 0;
    double seconds = 0;
  };
  using Key = std::pair<Queue, uint32_t>;

  const DiskRates *rates;
  std::mutex mutex;
  std::array<Seen, numQueues> all;   // of what has bytes, which are its size
  std::map<Key, Seen> first, others; // what is done first touches memory, and may compile a product
};

} // namespace gnn::rt

#endif // GNN_STREAM_PRICES_H
