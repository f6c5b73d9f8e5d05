//===- ColRelays.h - From which device to which cols go ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_COLRELAYS_H
#define GNN_STREAM_COLRELAYS_H

#include "runtime/src/links/Topology.h"

#include <string>

namespace gnn::rt {

/// How the rows of an interval of cols come to the devices of a group that read them.
enum class ColRoute {
  Cheapest,   // of the others, that which is predicted to take least time
  Replicated, // to each of them from there
  Ring,       // from there to a loader, another for each interval, and on through all devices (NGra, section 4.2)
  Chain,      // from there to the first under each switch, and on to the others there (NeuGraph, section 3.3)
};

/// "auto", "replicated", "ring", "chain". Throws GNN_ERROR_ARGUMENT for others; `option` names it in messages.
ColRoute parseColRoute(const std::string &text, const std::string &option);
const char *nameOf(ColRoute route);

class ColRelays {
public:
  /// Devices in an order, by their numbers in the topology.
  using Sequence = std::vector<size_t>;

  explicit ColRelays(const Topology &topology);

  /// How the rows of interval `cols` come to `devices`, which go over them side by side: in each sequence the first one
  /// loads them and each gives them on to the next. Each of the devices is in one sequence.
  std::vector<Sequence> of(ColRoute route, int64_t cols, const std::vector<size_t> &devices) const;

private:
  std::vector<size_t> loaders, ring;
  std::vector<Sequence> chains;
};

} // namespace gnn::rt

#endif // GNN_STREAM_COLRELAYS_H
