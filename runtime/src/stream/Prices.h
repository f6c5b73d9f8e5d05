//===- Prices.h - What orders of a streamed run take ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seconds of each step and of what is transferred for it, by how much there is: from some orders that were watched.
// These have waited for a disk, found some of their bytes in the page cache and shared the cores with each other, as
// those of a run do.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_PRICES_H
#define GNN_STREAM_PRICES_H

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
  /// The time of an order by similar orders that were noted; a transfer without any takes the time of the disk.
  double seconds(const Order &order) const;
  /// Nobody notes anything meanwhile.
  void forget() { all.clear(); }

private:
  struct Seen {
    uint64_t orders = 0, size = 0;
    double seconds = 0;
  };

  const DiskRates *rates;
  std::mutex mutex;
  std::map<std::pair<Queue, uint32_t>, Seen> all;
};

} // namespace gnn::rt

#endif // GNN_STREAM_PRICES_H
