//===- Loaders.h - Which devices load what all of them need -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rings of devices (NGra, section 4.2) and chains (NeuGraph, section 3.3) by how the devices are connected.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_LINKS_LOADERS_H
#define GNN_LINKS_LOADERS_H

#include "runtime/src/links/Topology.h"

namespace gnn::rt {

/// Devices that may load from the host at the same time, each as fast as if it were alone: the leaves of the maximal
/// fat tree of the bandwidth tree. No other can be added. In the order of their numbers.
std::vector<size_t> loadersOf(const Topology &topology);

/// The devices under each switch, a large virtual one: the first loads what all need, and each gives it on to the next.
/// Those that hang from the host itself are one chain.
std::vector<std::vector<size_t>> chainsOf(const Topology &topology);

/// All devices, from 0 on, so that the slowest way from one to the next, and from the last to the first, is as fast as
/// can be. Of such orders that which stays under a switch as long as it can. A way by the host counts as half as fast.
std::vector<size_t> ringOf(const Topology &topology);

} // namespace gnn::rt

#endif // GNN_LINKS_LOADERS_H
