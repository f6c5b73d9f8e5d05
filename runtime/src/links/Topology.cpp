//===- Topology.cpp - How the devices of a machine are connected ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/links/Topology.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cassert>

namespace gnn::rt {

size_t Topology::addNode(const std::string &name, size_t below, double rate, double latency) {
  names.push_back(name);
  uplinks.push_back(allLinks.size());
  allLinks.push_back({below, names.size() - 1, rate, latency, /*isPeer=*/false});
  return names.size() - 1;
}

size_t Topology::addSwitch(const std::string &name, size_t below, double rate, double latency) {
  return addNode(name, below, rate, latency);
}

size_t Topology::addDevice(size_t below, double rate, double latency) {
  const size_t device = deviceNodes.size();
  deviceNodes.push_back(addNode("cuda:" + std::to_string(device), below, rate, latency));
  for (std::vector<Reach> &others : reach)
    others.push_back(Reach::ByWay);
  reach.emplace_back(device + 1, Reach::ByWay);
  return device;
}

void Topology::addPeerLink(size_t device, size_t other, double rate, double latency) {
  assert(device != other && peerLink(device, other) == none);
  allLinks.push_back({deviceNodes[device], deviceNodes[other], rate, latency, /*isPeer=*/true});
}

void Topology::setReach(size_t device, size_t other, bool reaches) {
  reach[device][other] = reach[other][device] = reaches ? Reach::Yes : Reach::No;
}

std::string Topology::name(const Hop &hop) const {
  const Link &link = allLinks[hop.link];
  return names[hop.isForward ? link.from : link.to] + " -> " + names[hop.isForward ? link.to : link.from];
}

size_t Topology::peerLink(size_t device, size_t other) const {
  const size_t a = deviceNodes[device], b = deviceNodes[other];
  for (size_t l = 0; l < allLinks.size(); ++l)
    if (const Link &link = allLinks[l];
        link.isPeer && ((link.from == a && link.to == b) || (link.from == b && link.to == a)))
      return l;
  return none;
}

std::vector<Topology::Hop> Topology::wayDown(size_t device) const {
  std::vector<Hop> way;
  for (size_t node = deviceNodes[device]; uplinks[node] != none; node = allLinks[uplinks[node]].from)
    way.push_back({uplinks[node], /*isForward=*/true});
  std::reverse(way.begin(), way.end());
  return way;
}

/// What two ways down have in common is the way to the node that parts them.
static size_t sharedHops(const std::vector<Topology::Hop> &a, const std::vector<Topology::Hop> &b) {
  return size_t(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

bool Topology::reaches(size_t device, size_t other) const {
  if (peerLink(device, other) != none)
    return true;
  const Reach said = reach[device][other];
  return said == Reach::ByWay ? sharedHops(wayDown(device), wayDown(other)) > 0 : said == Reach::Yes;
}

std::vector<Topology::Hop> Topology::way(int from, int to) const {
  std::vector<Hop> way;
  if (from != host && to != host)
    if (const size_t link = peerLink(size_t(from), size_t(to)); link != none)
      return {{link, allLinks[link].from == deviceNodes[size_t(from)]}};
  const std::vector<Hop> up = from == host ? std::vector<Hop>() : wayDown(size_t(from)),
                         down = to == host ? std::vector<Hop>() : wayDown(size_t(to));
  const size_t shared =
      from != host && to != host && reaches(size_t(from), size_t(to)) ? sharedHops(up, down) : size_t(0);
  for (size_t i = up.size(); i-- > shared;)
    way.push_back({up[i].link, /*isForward=*/false});
  way.insert(way.end(), down.begin() + std::ptrdiff_t(shared), down.end());
  return way;
}

double Topology::rateOf(const std::vector<Hop> &way) const {
  double rate = allLinks[way.front().link].rate;
  for (const Hop &hop : way)
    rate = std::min(rate, allLinks[hop.link].rate);
  return rate;
}

double Topology::latencyOf(const std::vector<Hop> &way) const {
  double latency = 0;
  for (const Hop &hop : way)
    latency += allLinks[hop.link].latency;
  return latency;
}

Topology Topology::of(const std::vector<int> &devices, const std::string &origin) const {
  Topology some = *this;
  some.deviceNodes.clear();
  some.reach.clear();
  for (int device : devices)
    require(device >= 0 && size_t(device) < numDevices(), GNN_ERROR_ARGUMENT, origin, ": there is no cuda:", device,
            ", but ", numDevices(), numDevices() == 1 ? " device" : " devices");
  for (int device : devices) {
    some.deviceNodes.push_back(deviceNodes[size_t(device)]);
    some.reach.emplace_back();
    for (int other : devices)
      some.reach.back().push_back(reach[size_t(device)][size_t(other)]);
  }
  return some;
}

} // namespace gnn::rt
