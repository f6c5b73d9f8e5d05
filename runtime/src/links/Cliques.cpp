//===- Cliques.cpp - Devices with links to each other ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/links/Cliques.h"

#include <cassert>

namespace gnn::rt {

namespace {

using Devices = uint32_t; // a bit for each
static_assert(mostLinkedDevices <= 16, "all groups are looked at");

bool hasLink(const Topology &topology, size_t device, size_t other) {
  const std::vector<Topology::Hop> way = topology.way(int(device), int(other));
  return way.size() == 1 && topology.links()[way[0].link].isPeer;
}

int countOf(Devices group) { return __builtin_popcount(group); }

bool isClique(Devices group, const std::vector<Devices> &linked) {
  for (Devices rest = group; rest != 0; rest &= rest - 1) {
    const auto device = size_t(__builtin_ctz(rest));
    if ((group & ~linked[device]) != Devices(1) << device)
      return false;
  }
  return true;
}

/// Larger or, of as many devices, with the lower numbers.
bool isBefore(Devices group, Devices other) {
  if (countOf(group) != countOf(other))
    return countOf(group) > countOf(other);
  const Devices differ = group ^ other;
  return (differ & -differ & group) != 0;
}

} // namespace

std::vector<std::vector<size_t>> cliquesOf(const Topology &topology) {
  const size_t number = topology.numDevices();
  assert(number <= mostLinkedDevices);
  std::vector<Devices> linked(number, 0); // [devices]
  for (size_t device = 0; device < number; ++device)
    for (size_t other = 0; other < number; ++other)
      if (device != other && hasLink(topology, device, other))
        linked[device] |= Devices(1) << other;
  std::vector<std::vector<size_t>> cliques;
  for (Devices left = (Devices(1) << number) - 1; left != 0;) {
    Devices best = 0;
    for (Devices group = left; group != 0; group = (group - 1) & left)
      if (isBefore(group, best) && isClique(group, linked))
        best = group;
    cliques.emplace_back();
    for (size_t device = 0; device < number; ++device)
      if (best >> device & 1)
        cliques.back().push_back(device);
    left &= ~best;
  }
  return cliques;
}

} // namespace gnn::rt
