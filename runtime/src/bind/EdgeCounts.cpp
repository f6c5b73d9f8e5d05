//===- EdgeCounts.cpp - How many edges a row has --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/EdgeCounts.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

Tensor countEdges(Span<const int64_t> offsets, uint32_t element) {
  constexpr int64_t atOnce = int64_t(1) << 20; // all of them as i64 would be large
  const auto rows = int64_t(offsets.size()) - 1;
  Tensor counts = Tensor::empty(element, {rows});
  for (int64_t begin = 0; begin < rows; begin += atOnce) {
    Tensor piece = Tensor::empty(GNN_I64, {std::min(atOnce, rows - begin)});
    for (int64_t i = 0; i < piece.count(); ++i)
      piece.mutableData<int64_t>()[i] = offsets[size_t(begin + i) + 1] - offsets[size_t(begin + i)];
    piece = piece.as(element, "the number of edges of a vertex");
    std::memcpy(static_cast<char *>(counts.mutableData()) + size_t(begin) * (piece.bytes() / size_t(piece.count())),
                piece.data(), piece.bytes());
  }
  return counts;
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
