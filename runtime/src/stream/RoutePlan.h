//===- RoutePlan.h - What a run would take by one route ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_ROUTEPLAN_H
#define GNN_STREAM_ROUTEPLAN_H

#include "runtime/src/simulate/LinkRehearsal.h"
#include "runtime/src/stream/ColRelays.h"

namespace gnn::rt {

/// The predicted times of a route, from a rehearsal over links at stated rates.
struct RoutePlan {
  struct Use {
    std::string name; // "host -> switch0"
    uint64_t bytes;
    double seconds; // that it takes for these alone
  };

  ColRoute route;
  double seconds; // of a run
  uint64_t hostBytes;
  std::vector<Use> links;        // those that something moves over, in that direction
  std::vector<double> computing; // [devices] seconds of kernels
};

/// The times that `clock` has counted.
RoutePlan routePlan(ColRoute route, LinkRehearsal &clock);

/// The shortest; of those that are within a hundredth of it, which no prediction tells apart, the one that moves fewest
/// bytes from and to the host. There is one at least.
const RoutePlan &bestOf(const std::vector<RoutePlan> &plans);

} // namespace gnn::rt

#endif // GNN_STREAM_ROUTEPLAN_H
