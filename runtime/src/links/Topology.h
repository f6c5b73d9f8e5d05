//===- Topology.h - How the devices of a machine are connected --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree of links with the memory of the host as its root and devices as its leaves, with bridges and switches between
// (NGra, section 4.2: the bandwidth tree), and links from device to device beside it. Every link carries as much in
// either direction at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_LINKS_TOPOLOGY_H
#define GNN_LINKS_TOPOLOGY_H

#include "runtime/src/core/Span.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnn::rt {

/// As large as the numbers of devices that compute together.
constexpr size_t mostLinkedDevices = 16;

/// The properties of each device; all devices are of one kind.
struct DeviceKind {
  double memoryBytes = 80e9;   // that it has
  double memoryRate = 1500e9;  // bytes a second of it
  double arithmetic = 15e12;   // operations of products a second
  double launchSeconds = 4e-6; // of a kernel
  int arch = 90;               // 90 for sm_90
  int multiprocessors = 108;
};

class Topology {
public:
  /// A number for the memory of the host where that of a device may be.
  static constexpr int host = -1;

  struct Link {
    size_t from, to; // nodes; of a link of the tree the upper one first
    double rate;     // bytes a second, in either direction
    double latency;  // seconds
    bool isPeer;     // beside the tree, from device to device
  };
  /// A link in one of its directions.
  struct Hop {
    size_t link;
    bool isForward; // from `from` to `to`

    bool operator==(const Hop &other) const { return link == other.link && isForward == other.isForward; }
  };

  /// The host alone.
  Topology() : names{"host"}, uplinks{none} {}
  /// Adds a bridge or switch below another node. Nodes have numbers from 0, the host, on.
  size_t addSwitch(const std::string &name, size_t below, double rate, double latency);
  /// The same of the next device.
  size_t addDevice(size_t below, double rate, double latency);
  void addPeerLink(size_t device, size_t other, double rate, double latency);
  /// Says whether devices that have no link of their own reach each other's memory: as a rule those do that have a way
  /// to each other which is not by the host.
  void setReach(size_t device, size_t other, bool reaches);

  size_t numDevices() const { return deviceNodes.size(); }
  const std::vector<Link> &links() const { return allLinks; }
  const std::string &name(size_t node) const { return names[node]; }
  /// "host -> switch0".
  std::string name(const Hop &hop) const;
  /// That the device hangs from.
  size_t parentOf(size_t device) const { return allLinks[uplinks[deviceNodes[device]]].from; }
  /// From the host to a device.
  std::vector<Hop> wayDown(size_t device) const;

  /// Whether copies go from one device's memory to the other's without that of the host.
  bool reaches(size_t device, size_t other) const;
  /// The way between the memory of two devices, or of a device and the host. By the host where they do not reach each
  /// other: then it goes all the way up and down.
  std::vector<Hop> way(int from, int to) const;
  /// Bytes a second of a way that nothing else is on, and what the first byte takes.
  double rateOf(const std::vector<Hop> &way) const;
  double latencyOf(const std::vector<Hop> &way) const;

  /// The topology of a subset of the devices, renumbered from 0. Throws GNN_ERROR_ARGUMENT for an unknown device;
  /// `origin` names the topology in the message.
  Topology of(const std::vector<int> &devices, const std::string &origin) const;

  DeviceKind kind;

private:
  static constexpr size_t none = SIZE_MAX;

  size_t addNode(const std::string &name, size_t below, double rate, double latency);
  size_t peerLink(size_t device, size_t other) const;

  std::vector<std::string> names;  // [nodes]
  std::vector<size_t> uplinks;     // [nodes]
  std::vector<size_t> deviceNodes; // [devices]
  std::vector<Link> allLinks;
  enum class Reach : char { ByWay, Yes, No };
  std::vector<std::vector<Reach>> reach; // [devices][devices]
};

/// Reads the file of docs/distributed.md. Throws GNN_ERROR_IO, or GNN_ERROR_DATA that says where in the file what is
/// wrong.
Topology readTopology(const std::string &file);
/// The same of its text.
Topology parseTopology(Span<const char> text, const std::string &file);

} // namespace gnn::rt

#endif // GNN_LINKS_TOPOLOGY_H
