//===- Cliques.h - Devices with links to each other -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_LINKS_CLIQUES_H
#define GNN_LINKS_CLIQUES_H

#include "runtime/src/links/Topology.h"

namespace gnn::rt {

/// Groups of devices of which each has a link of its own to all others: the largest of all first, then the largest of
/// the devices that are left; of those as large the one with the lowest numbers (Legion, section 4.1). Each device is
/// in one group, perhaps alone. [groups][devices], ascending.
std::vector<std::vector<size_t>> cliquesOf(const Topology &topology);

} // namespace gnn::rt

#endif // GNN_LINKS_CLIQUES_H
