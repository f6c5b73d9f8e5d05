//===- ChunkBlock.cpp - Pieces of a relation ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkBlock.h"

#include "runtime/src/bind/EdgeCounts.h"

#include <algorithm>
#include <map>
#include <tuple>

gnn_block_t ChunkBlock::block(uint32_t, uint32_t) const {
  return {sizeof(gnn_block_t),    0,
          int64_t(rowIds.size()), int64_t(colIds.size()),
          offsets.data(),         offsets.data() + 1,
          neighbours.data(),      rowIds.data(),
          colIds.data(),          edgeIds.data(),
          /*edge_id32=*/nullptr,  types.data(),
          rowPositions.data()};
}

ChunkBlock cutBlock(const gnn::rt::Csr &csr, const std::vector<int64_t> &rows, const std::vector<int64_t> &cols,
                    int64_t first, int64_t last, const IsSeen &isSeen, std::vector<int64_t> &positions) {
  ChunkBlock block(rows, cols);
  std::map<int64_t, uint32_t> local;
  for (size_t i = 0; i < cols.size(); ++i)
    local[cols[i]] = uint32_t(i);
  for (size_t r = 0; r < rows.size(); ++r) {
    int64_t begin = csr.offsets[size_t(rows[r])], end = std::min(begin + last, csr.offsets[size_t(rows[r]) + 1]);
    std::vector<std::tuple<int32_t, uint32_t, int64_t>>
        edges; // type, prepared index of the other end, id: their canonical order
    for (int64_t e = begin + first; e < end; ++e)
      if (auto col = local.find(csr.cols[size_t(e)]); col != local.end() && (!isSeen || isSeen(csr.edgeIds[size_t(e)])))
        edges.emplace_back(csr.types.empty() ? 0 : csr.types[size_t(e)], col->second, csr.edgeIds[size_t(e)]);
    std::sort(edges.begin(), edges.end());
    for (auto [type, col, id] : edges) {
      block.types.push_back(type);
      block.neighbours.push_back(col);
      block.edgeIds.push_back(id);
    }
    block.rowPositions.push_back(positions[r]);
    positions[r] += int64_t(edges.size());
    block.offsets.push_back(int64_t(block.edgeIds.size()));
  }
  return block;
}

gnn::rt::Tensor countSeen(const gnn::rt::Relation &relation, const gnn_tensor_info_t &info, int64_t numTypes,
                          const IsSeen &isSeen) {
  const gnn::rt::Csr &csr = relation.csr(info.role == GNN_ROLE_COUNT_IN ? GNN_TO_DESTINATION : GNN_TO_SOURCE);
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> types;
  for (int64_t row = 0; row < csr.numRows(); ++row) {
    offsets.push_back(offsets.back());
    for (int64_t e = csr.offsets[size_t(row)]; e < csr.offsets[size_t(row) + 1]; ++e) {
      if (isSeen && !isSeen(csr.edgeIds[size_t(e)]))
        continue;
      ++offsets.back();
      if (numTypes > 0)
        types.push_back(csr.types[size_t(e)]);
    }
  }
  return numTypes > 0 ? gnn::rt::countEdgesByType(offsets, types, numTypes, info.element)
                      : gnn::rt::countEdges(offsets, info.element);
}
