//===- Loaders.cpp - Which devices load what all of them need -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/links/Loaders.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace gnn::rt {

/// Rates are as people round them: x16 links below one of x16 may be said to be a little faster.
static constexpr double slack = 1.01;

/// Those that would share a link are left out: a device is taken where all links down to it have room left.
std::vector<size_t> loadersOf(const Topology &topology) {
  std::vector<size_t> devices(topology.numDevices()), loaders;
  std::iota(devices.begin(), devices.end(), size_t(0));
  auto demand = [&](size_t device) { return topology.rateOf(topology.wayDown(device)); };
  std::stable_sort(devices.begin(), devices.end(), [&](size_t a, size_t b) { return demand(a) > demand(b); });
  std::vector<double> used(topology.links().size(), 0);
  for (size_t device : devices) {
    const std::vector<Topology::Hop> way = topology.wayDown(device);
    if (!std::all_of(way.begin(), way.end(), [&](const Topology::Hop &hop) {
          return used[hop.link] + demand(device) <= slack * topology.links()[hop.link].rate;
        }))
      continue;
    for (const Topology::Hop &hop : way)
      used[hop.link] += demand(device);
    loaders.push_back(device);
  }
  std::sort(loaders.begin(), loaders.end());
  return loaders;
}

std::vector<std::vector<size_t>> chainsOf(const Topology &topology) {
  std::map<size_t, size_t> chainOf; // by the node that the devices hang from
  std::vector<std::vector<size_t>> chains;
  for (size_t device = 0; device < topology.numDevices(); ++device) {
    const auto [found, isNew] = chainOf.try_emplace(topology.parentOf(device), chains.size());
    if (isNew)
      chains.emplace_back();
    chains[found->second].push_back(device);
  }
  return chains;
}

namespace {

/// Devices in the order of the tree: those under one switch side by side.
std::vector<size_t> treeOrder(const Topology &topology) {
  std::vector<size_t> order(topology.numDevices());
  std::iota(order.begin(), order.end(), size_t(0));
  auto linksTo = [&](size_t device) {
    std::vector<size_t> links;
    for (const Topology::Hop &hop : topology.wayDown(device))
      links.push_back(hop.link);
    return links;
  };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return linksTo(a) < linksTo(b); });
  std::rotate(order.begin(), std::find(order.begin(), order.end(), size_t(0)), order.end());
  return order;
}

/// A ring over devices in which neighbours have `isNear`; empty if there is none. By the devices that a path from the
/// first has been at, and where it ends (Held and Karp 1962).
std::vector<size_t> ringWhere(const std::vector<std::vector<bool>> &isNear) {
  const size_t count = isNear.size(), sets = size_t(1) << count;
  auto has = [](size_t set, size_t device) { return (set >> device & 1) != 0; };
  std::vector<uint32_t> closes(sets, 0); // bits of devices from which the rest can be gone through, and back to 0
  for (size_t set = sets; set-- > 1;)
    for (size_t last = 0; last < count; ++last) {
      if (!has(set, last))
        continue;
      bool can = set == sets - 1 && (count <= 2 || isNear[last][0]);
      for (size_t next = 0; next < count && !can; ++next)
        can = !has(set, next) && isNear[last][next] && (closes[set | size_t(1) << next] >> next & 1);
      closes[set] |= uint32_t(can) << last;
    }
  if (!(closes[1] & 1))
    return {};
  std::vector<size_t> ring{0};
  for (size_t set = 1; ring.size() < count;)
    for (size_t next = 1; next < count; ++next)
      if (!has(set, next) && isNear[ring.back()][next] && (closes[set | size_t(1) << next] >> next & 1)) {
        set |= size_t(1) << next;
        ring.push_back(next);
        break;
      }
  return ring;
}

} // namespace

std::vector<size_t> ringOf(const Topology &topology) {
  const std::vector<size_t> order = treeOrder(topology);
  const size_t count = order.size();
  std::vector<std::vector<double>> rates(count, std::vector<double>(count, 0));
  std::set<double> all{0};
  for (size_t a = 0; a < count; ++a)
    for (size_t b = 0; b < count; ++b)
      if (a != b) {
        const double rate = topology.rateOf(topology.way(int(order[a]), int(order[b])));
        rates[a][b] = topology.reaches(order[a], order[b]) ? rate : rate / 2;
        all.insert(rates[a][b]);
      }
  std::vector<size_t> ring;
  for (auto least = all.rbegin(); ring.empty() && least != all.rend(); ++least) {
    std::vector<std::vector<bool>> isNear(count, std::vector<bool>(count));
    for (size_t a = 0; a < count; ++a)
      for (size_t b = 0; b < count; ++b)
        isNear[a][b] = rates[a][b] >= *least;
    for (size_t i : ringWhere(isNear))
      ring.push_back(order[i]);
  }
  return ring;
}

} // namespace gnn::rt
