//===- MetisOrder.h - Parts of METIS side by side ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_METISORDER_H
#define GNN_GRAPH_METISORDER_H

#include "runtime/src/graph/Relation.h"

#include <memory>
#include <string>

namespace gnn::rt {

/// Why there is no METIS here: this build does not know it, or the library is not installed; empty: there is.
std::string whyNoMetis();

/// 64 parts of about as many vertices each, between which few edges are (Karypis and Kumar 1998, by METIS), side by
/// side; fewer where a part would have less than 8. Within a part vertices are in the order of ids. Edges of both
/// directions count, types and multiplicities do not. `relation` is of vertices of one type, in the order of ids.
/// Throws GNN_ERROR_ARGUMENT where there is no METIS, or where its 32 bits are not enough for the ends of edges.
std::shared_ptr<const VertexOrder> metisOrder(const Relation &relation);

} // namespace gnn::rt

#endif // GNN_GRAPH_METISORDER_H
