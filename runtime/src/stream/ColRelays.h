//===- ColRelays.h - From which device to which cols go ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_COLRELAYS_H
#define GNN_STREAM_COLRELAYS_H

#include "runtime/src/links/Topology.h"
#include "runtime/src/stream/ColRoute.h"

namespace gnn::rt {

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
