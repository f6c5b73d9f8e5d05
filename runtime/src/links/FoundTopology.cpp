//===- FoundTopology.cpp - How devices are connected, as found ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// /sys/bus/pci/devices/0000:3b:00.0 leads to /sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0: the bridges on the way
// to a device are the folders that it is in.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/links/FoundTopology.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

namespace gnn::rt {

namespace fs = std::filesystem;

/// x16 of the fourth generation, with what its packets leave; stated, like that which picks rows are copied by.
static constexpr double usualRate = 24e9, usualLatency = 1e-6;

std::string pciName(int domain, int bus, int device) {
  char name[32];
  std::snprintf(name, sizeof name, "%04x:%02x:%02x.0", unsigned(domain), unsigned(bus), unsigned(device));
  return name;
}

/// "16.0 GT/s PCIe" and "16" in two files: bytes a second. A transfer is a bit, of which codes and packets leave about
/// 3 in 4.
static double rateOf(const fs::path &node) {
  double transfers = 0, lanes = 0;
  std::ifstream(node / "current_link_speed") >> transfers;
  std::ifstream(node / "current_link_width") >> lanes;
  constexpr double bytesOfTransfer = 0.75e9 / 8;
  return transfers > 0 && lanes > 0 ? transfers * lanes * bytesOfTransfer : usualRate;
}

static bool isBridge(const std::string &name) { return name.size() == 12 && name[4] == ':' && name[10] == '.'; }

Topology foundTopology(const std::vector<std::string> &devices, const std::string &sysfs) {
  Topology topology;
  std::map<std::string, size_t> nodes; // of bridges, by their folders
  for (const std::string &device : devices) {
    std::error_code error;
    const fs::path place = fs::canonical(fs::path(sysfs) / "bus/pci/devices" / device, error);
    size_t below = 0;
    fs::path at;
    for (const fs::path &part : error ? fs::path() : place.parent_path()) {
      at /= part;
      if (!isBridge(part.string()))
        continue;
      const auto [found, isNew] = nodes.try_emplace(at.string(), 0);
      if (isNew)
        found->second = topology.addSwitch(part.string(), below, rateOf(at), usualLatency);
      below = found->second;
    }
    topology.addDevice(below, error ? usualRate : rateOf(place), usualLatency);
  }
  return topology;
}

} // namespace gnn::rt
