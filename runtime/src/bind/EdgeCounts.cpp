//===- EdgeCounts.cpp - How many edges a row has --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/EdgeCounts.h"

#include "runtime/src/core/Guard.h"

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

namespace {

class EdgeTypeCounts {
public:
  EdgeTypeCounts(int64_t rows, int64_t numTypes) : types(numTypes), counts(Tensor::zeros(GNN_I64, {rows, numTypes})) {}

  void add(int64_t row, int32_t type) {
    if (type >= 0 && type < types)
      ++counts.mutableData<int64_t>()[row * types + type];
  }
  Tensor table(uint32_t element) const {
    return element == GNN_I64 ? counts : counts.converted(element, "the number of edges of a vertex, by type");
  }

private:
  int64_t types;
  Tensor counts;
};

} // namespace

Tensor countEdgesByType(Span<const int64_t> offsets, Span<const int32_t> types, int64_t numTypes, uint32_t element) {
  const auto rows = int64_t(offsets.size()) - 1;
  EdgeTypeCounts counts(rows, numTypes);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t e = offsets[size_t(row)]; e < offsets[size_t(row) + 1]; ++e)
      counts.add(row, types[size_t(e)]);
  return counts.table(element);
}

static uint32_t directionOf(const gnn_tensor_info_t &counts) {
  const bool isIn = counts.role == GNN_ROLE_DEGREE_IN || counts.role == GNN_ROLE_COUNT_IN;
  return isIn ? GNN_TO_DESTINATION : GNN_TO_SOURCE;
}

bool areSameDegrees(const gnn_tensor_info_t &one, const gnn_tensor_info_t &other) {
  return countsEdges(one.role) && countsEdges(other.role) && one.rank == 0 && other.rank == 0 &&
         directionOf(one) == directionOf(other) && one.source == other.source && one.element == other.element;
}

static Tensor degreesByType(const BoundGraph &graph, const gnn_tensor_info_t &info) {
  const Relation &edges = graph.relation(uint32_t(info.source));
  require(edges.hasTypes() || edges.numEdges() == 0, GNN_ERROR_MISMATCH, graph.library().name(),
          " counts edges by type, but the edges in ", graph.where(), " have no types");
  const Buffer<int64_t> &offsets = edges.csr(directionOf(info)).offsets;
  EdgeTypeCounts counts(int64_t(offsets.size()) - 1, graph.dimensions().rowElements(info));
  size_t row = 0;
  edges.forPieces(directionOf(info), 0, edges.numEdges(), [&](const EdgePiece &piece) {
    for (int64_t e = piece.begin; e < piece.end; ++e) {
      while (offsets[row + 1] <= e)
        ++row;
      counts.add(int64_t(row), piece.types[e - piece.begin]);
    }
  });
  return counts.table(info.element);
}

Tensor degreesOf(const BoundGraph &graph, const gnn_tensor_info_t &info) {
  if (info.rank > 0)
    return degreesByType(graph, info);
  const Csr &csr = graph.relation(uint32_t(info.source)).csr(directionOf(info));
  return countEdges({csr.offsets.data(), csr.offsets.size()}, info.element);
}

} // namespace gnn::rt
