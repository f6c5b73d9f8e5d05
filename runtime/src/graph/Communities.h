//===- Communities.h - Communities of vertices side by side -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An order in which vertices that share many edges lie together, so that what the rows of one read is at hand for the
// next.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_COMMUNITIES_H
#define GNN_GRAPH_COMMUNITIES_H

#include "runtime/src/core/Span.h"
#include "runtime/src/graph/Relation.h"

#include <memory>

namespace gnn::rt {

/// Louvain's hierarchy of communities (Blondel et al. 2008) in depth-first order, as Rabbit order (Arai et al. 2016)
/// numbers its own: members of a community are contiguous at every level, and within the smallest ones by id. Edges of
/// both directions count, types do not. `relation` is of vertices of one type, in the order of ids. The same at any
/// number of threads.
std::shared_ptr<const VertexOrder> communityOrder(const Relation &relation);

} // namespace gnn::rt

#endif // GNN_GRAPH_COMMUNITIES_H
