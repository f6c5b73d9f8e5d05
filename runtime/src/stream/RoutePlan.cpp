//===- RoutePlan.cpp - What a run would take by one route -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/RoutePlan.h"

#include <algorithm>

namespace gnn::rt {

RoutePlan routePlan(ColRoute route, LinkRehearsal &clock) {
  RoutePlan plan{route, clock.end(), 0, {}, {}};
  const Topology &topology = clock.topology();
  for (size_t link = 0; link < topology.links().size(); ++link)
    for (bool isForward : {true, false}) {
      const Topology::Hop hop{link, isForward};
      const LinkRehearsal::Load &load = clock.load(hop);
      if (load.bytes == 0)
        continue;
      plan.links.push_back({topology.name(hop), load.bytes, load.seconds});
      if (topology.links()[link].from == 0)
        plan.hostBytes += load.bytes;
    }
  for (size_t device = 0; device < topology.numDevices(); ++device)
    plan.computing.push_back(clock.computing(device));
  return plan;
}

const RoutePlan &bestOf(const std::vector<RoutePlan> &plans) {
  constexpr double alike = 1.01;
  const auto shorter = [](const RoutePlan &a, const RoutePlan &b) { return a.seconds < b.seconds; };
  const double least = std::min_element(plans.begin(), plans.end(), shorter)->seconds;
  const RoutePlan *best = nullptr;
  for (const RoutePlan &plan : plans)
    if (plan.seconds <= alike * least && (!best || plan.hostBytes < best->hostBytes))
      best = &plan;
  return *best;
}

} // namespace gnn::rt
