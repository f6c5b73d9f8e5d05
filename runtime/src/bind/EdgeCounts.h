//===- EdgeCounts.h - How many edges a row has ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of tensors with GNN_ROLE_DEGREE_* and GNN_ROLE_COUNT_*. An executor that works on some edges of a vertex
// counts those of its view.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_EDGECOUNTS_H
#define GNN_BIND_EDGECOUNTS_H

#include "runtime/src/bind/BoundGraph.h"

namespace gnn::rt {

/// The edges of each row, in numbers of `element`. `offsets` are those of a view's block: one more than there are rows.
Tensor countEdges(Span<const int64_t> offsets, uint32_t element);
/// The edges of each row by type, [rows, numTypes]. What has another type, as an added self loop, counts nowhere.
Tensor countEdgesByType(Span<const int64_t> offsets, Span<const int32_t> types, int64_t numTypes, uint32_t element);

/// The degree of each vertex over the whole graph; if `info` has a shape, of each vertex and type of edges. A vertex
/// sees all of its edges there, so its count is its degree.
Tensor degreesOf(const BoundGraph &graph, const gnn_tensor_info_t &info);
/// True if both are the degrees of the same vertices, in the same numbers.
bool areSameDegrees(const gnn_tensor_info_t &one, const gnn_tensor_info_t &other);

} // namespace gnn::rt

#endif // GNN_BIND_EDGECOUNTS_H
