//===- PropagatedOrder.h - Communities found by little memory ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of vertices by communities for graphs whose edges are in a file: these are read from begin to end a few
// times, and memory has some numbers of each vertex.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_PROPAGATEDORDER_H
#define GNN_GRAPH_PROPAGATEDORDER_H

#include "runtime/src/graph/Relation.h"

#include <functional>
#include <memory>

namespace gnn::rt {

/// Label propagation (Raghavan et al. 2007) with at most a 64th of the vertices in a community, as of Meyerhenke,
/// Sanders and Schulz (2014): each vertex, one after the other, joins the community that most of its neighbours are in
/// and that has room. Then members lie side by side, in the order of ids, and communities in that of their first
/// members. `neighbours` has a row of its neighbours for each vertex, as edges to destinations. Takes 20 bytes a
/// vertex, with the order, beside `offsets`. `report` is told of the share that is done.
std::shared_ptr<const VertexOrder> propagatedOrder(const EdgeFile &neighbours, const Buffer<int64_t> &offsets,
                                                   const std::function<void(double)> &report);

} // namespace gnn::rt

#endif // GNN_GRAPH_PROPAGATEDORDER_H
