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

/// Of devices by their names in sysfs: bridges and switches are those that the system has found above them, with the
/// speed and width of each link. One that sysfs does not have hangs from the host, at 24 GB/s, as does what it has no
/// speed of. `sysfs` is "/sys" but in tests.
Topology foundTopology(const std::vector<std::string> &devices, const std::string &sysfs = "/sys");

} // namespace gnn::rt

#endif // GNN_LINKS_FOUNDTOPOLOGY_H
