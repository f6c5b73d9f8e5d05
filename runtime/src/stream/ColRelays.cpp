//===- ColRelays.cpp - From which device to which cols go -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/ColRelays.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/links/Loaders.h"

#include <algorithm>

namespace gnn::rt {

ColRoute parseColRoute(const std::string &text, const std::string &option) {
  for (ColRoute route : {ColRoute::Cheapest, ColRoute::Replicated, ColRoute::Ring, ColRoute::Chain})
    if (text == nameOf(route))
      return route;
  fail(GNN_ERROR_ARGUMENT, option, " ", text, ": there are auto, replicated, ring, chain");
}

const char *nameOf(ColRoute route) {
  switch (route) {
  case ColRoute::Replicated:
    return "replicated";
  case ColRoute::Ring:
    return "ring";
  case ColRoute::Chain:
    return "chain";
  default:
    return "auto";
  }
}

ColRelays::ColRelays(const Topology &topology)
    : loaders(loadersOf(topology)), ring(ringOf(topology)), chains(chainsOf(topology)) {}

/// In the order of `all`.
static ColRelays::Sequence those(const ColRelays::Sequence &all, const std::vector<size_t> &devices) {
  ColRelays::Sequence found;
  for (size_t device : all)
    if (std::count(devices.begin(), devices.end(), device) > 0)
      found.push_back(device);
  return found;
}

std::vector<ColRelays::Sequence> ColRelays::of(ColRoute route, int64_t cols, const std::vector<size_t> &devices) const {
  std::vector<Sequence> sequences;
  if (route == ColRoute::Ring) {
    Sequence around = those(ring, devices), loading = those(loaders, devices);
    if (loading.empty())
      loading = devices;
    const size_t first = loading[size_t(cols) % loading.size()];
    std::rotate(around.begin(), std::find(around.begin(), around.end(), first), around.end());
    return {around};
  }
  if (route == ColRoute::Chain) {
    for (const Sequence &chain : chains)
      if (Sequence present = those(chain, devices); !present.empty())
        sequences.push_back(std::move(present));
    return sequences;
  }
  for (size_t device : devices)
    sequences.push_back({device});
  return sequences;
}

} // namespace gnn::rt
