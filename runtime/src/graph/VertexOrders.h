//===- VertexOrders.h - Orders of vertices ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutations under which the rows that edges gather lie closer together. Nobody outside sees them: ids stay.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_VERTEXORDERS_H
#define GNN_GRAPH_VERTEXORDERS_H

#include "runtime/src/core/Span.h"
#include "runtime/src/graph/Relation.h"
#include <vector>

namespace gnn::rt {

/// By falling in-degree in the list, ties by id.
std::shared_ptr<const VertexOrder> degreeOrder(Span<const int64_t> dst, int64_t numVertices);
/// The same of the in-degrees of all vertices.
std::shared_ptr<const VertexOrder> degreeOrder(const std::vector<int64_t> &degrees);

/// Reverse Cuthill-McKee (Cuthill and McKee 1969, George 1971): breadth first along edges of either direction, from the
/// vertex of the least degree of each component, neighbours by rising degree; then backwards. Ends must be in range.
std::shared_ptr<const VertexOrder> localityOrder(Span<const int64_t> src, Span<const int64_t> dst, int64_t numVertices);

/// Rows and columns of `csr`, both vertices by id, in `order`.
Csr inOrder(const Csr &csr, const VertexOrder &order);

} // namespace gnn::rt

#endif // GNN_GRAPH_VERTEXORDERS_H
