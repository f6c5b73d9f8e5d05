//===- Machines.h - Machines with several devices, by hand ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_MACHINES_H
#define GNN_TEST_MACHINES_H

#include "runtime/src/links/Topology.h"

#include <numeric>
#include <utility>

namespace machines {

using gnn::rt::Topology;
using Devices = std::vector<size_t>;

constexpr double x16 = 16e9, latency = 1e-6;

/// Switches below the host with so many devices each, all links x16.
inline Topology switches(const Devices &counts) {
  Topology topology;
  for (size_t s = 0; s < counts.size(); ++s) {
    const size_t below = topology.addSwitch("switch" + std::to_string(s), /*host=*/0, x16, latency);
    for (size_t d = 0; d < counts[s]; ++d)
      topology.addDevice(below, x16, latency);
  }
  return topology;
}

/// Figure 7 of NGra: two sockets, each with a bridge to two switches of two devices.
inline Topology ofNgra() {
  Topology topology;
  size_t below = 0;
  for (const char *bridge : {"bridge0", "bridge1"}) {
    const size_t socket = topology.addSwitch(bridge, 0, 2 * x16, latency);
    for (int s = 0; s < 2; ++s) {
      below = topology.addSwitch(std::string(bridge) + "/" + std::to_string(s), socket, x16, latency);
      topology.addDevice(below, x16, latency);
      topology.addDevice(below, x16, latency);
    }
  }
  return topology;
}

/// Links of NVLink between these pairs.
inline Topology linked(Topology topology, const std::vector<std::pair<size_t, size_t>> &pairs, double rate) {
  for (auto [a, b] : pairs)
    topology.addPeerLink(a, b, rate, latency);
  return topology;
}

inline std::vector<std::pair<size_t, size_t>> allPairs(size_t count) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t a = 0; a < count; ++a)
    for (size_t b = a + 1; b < count; ++b)
      pairs.push_back({a, b});
  return pairs;
}

inline Topology withoutPeers(Topology topology) {
  for (auto [a, b] : allPairs(topology.numDevices()))
    topology.setReach(a, b, false);
  return topology;
}

/// The first so many devices.
inline Topology some(const Topology &topology, size_t count) {
  std::vector<int> devices(count);
  std::iota(devices.begin(), devices.end(), 0);
  return topology.of(devices, "the test");
}

/// The hybrid cube mesh of eight V100 (DGX-1): four links for each, below four switches.
inline Topology cube() {
  return linked(ofNgra(),
                {{0, 1},
                 {0, 2},
                 {0, 3},
                 {0, 4},
                 {1, 2},
                 {1, 3},
                 {1, 5},
                 {2, 3},
                 {2, 6},
                 {3, 7},
                 {4, 5},
                 {4, 6},
                 {4, 7},
                 {5, 6},
                 {5, 7},
                 {6, 7}},
                25e9);
}

} // namespace machines

#endif // GNN_TEST_MACHINES_H
