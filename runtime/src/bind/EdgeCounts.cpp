//===- EdgeCounts.cpp - How many edges a row has --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/EdgeCounts.h"

namespace gnn::rt {

Tensor countEdges(Span<const int64_t> offsets, uint32_t element) {
  const auto rows = int64_t(offsets.size()) - 1;
  Tensor counts = Tensor::empty(GNN_I64, {rows});
  for (int64_t row = 0; row < rows; ++row)
    counts.mutableData<int64_t>()[row] = offsets[size_t(row) + 1] - offsets[size_t(row)];
  return element == GNN_I64 ? counts : counts.converted(element, "the number of edges of a vertex");
}

Tensor countEdgesByType(Span<const int64_t> offsets, Span<const int32_t> types, int64_t numTypes, uint32_t element) {
  const auto rows = int64_t(offsets.size()) - 1;
  EdgeTypeCounts counts(rows, numTypes);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t e = offsets[size_t(row)]; e < offsets[size_t(row) + 1]; ++e)
      counts.add(row, types[size_t(e)]);
  return counts.table(element);
}

Tensor EdgeTypeCounts::table(uint32_t element) const {
  return element == GNN_I64 ? counts : counts.converted(element, "the number of edges of a vertex, by type");
}

} // namespace gnn::rt
