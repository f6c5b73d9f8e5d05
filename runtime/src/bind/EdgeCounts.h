//===- EdgeCounts.h - How many edges a row has ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of tensors with GNN_ROLE_COUNT_*. An executor that works on some edges of a vertex counts those of its
// view.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_EDGECOUNTS_H
#define GNN_BIND_EDGECOUNTS_H

#include "runtime/src/core/Span.h"
#include "runtime/src/core/Tensor.h"

namespace gnn::rt {

/// The edges of each row, in numbers of `element`. `offsets` are those of a view's block: one more than there are rows.
Tensor countEdges(Span<const int64_t> offsets, uint32_t element);
/// Counts the edges of each row by type, [rows, numTypes]. What has another type, as an added self loop, counts
/// nowhere.
class EdgeTypeCounts {
public:
  EdgeTypeCounts(int64_t rows, int64_t numTypes) : types(numTypes), counts(Tensor::zeros(GNN_I64, {rows, numTypes})) {}

  void add(int64_t row, int32_t type) {
    if (type >= 0 && type < types)
      ++counts.mutableData<int64_t>()[row * types + type];
  }
  Tensor table(uint32_t element) const;

private:
  int64_t types;
  Tensor counts;
};

/// Those of a view's block.
Tensor countEdgesByType(Span<const int64_t> offsets, Span<const int32_t> types, int64_t numTypes, uint32_t element);

} // namespace gnn::rt

#endif // GNN_BIND_EDGECOUNTS_H
