//===- FoundTopology.h - How devices are connected, as found ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_LINKS_FOUNDTOPOLOGY_H
#define GNN_LINKS_FOUNDTOPOLOGY_H

#include "runtime/src/links/Topology.h"

namespace gnn::rt {

/// "0000:3b:00.0", as sysfs names devices.
std::string pciName(int domain, int bus, int device);

/// The topology of devices by their names in sysfs: bridges and switches are those that the system lists above them,
/// with the speed and width of each link. A device that sysfs does not list, or without a speed, is attached to the
/// host at 24 GB/s. `sysfs` is "/sys" except in tests.
Topology foundTopology(const std::vector<std::string> &devices, const std::string &sysfs = "/sys");

} // namespace gnn::rt

#endif // GNN_LINKS_FOUNDTOPOLOGY_H
