//===- EdgeCounts.h - How many edges a row has ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tensors of GNN_ROLE_COUNT_* are given. An executor that shows a vertex some of its edges counts those of the
// view that it shows.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_EDGECOUNTS_H
#define GNN_BIND_EDGECOUNTS_H

#include "runtime/src/core/Span.h"
#include "runtime/src/core/Tensor.h"

namespace gnn::rt {

/// The edges of each row, in numbers of `element`. `offsets` are those of a view's block: one more than there are rows.
Tensor countEdges(Span<const int64_t> offsets, uint32_t element);
/// The same of each type below `numTypes`, [rows, numTypes]. What has another, as an added self loop, counts nowhere.
Tensor countEdgesByType(Span<const int64_t> offsets, Span<const int32_t> types, int64_t numTypes, uint32_t element);

} // namespace gnn::rt

#endif // GNN_BIND_EDGECOUNTS_H
