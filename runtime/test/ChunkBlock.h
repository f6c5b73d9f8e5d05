//===- ChunkBlock.h - Pieces of a relation ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bipartite piece of a relation between any two lists of vertices, as a view; one without edges is that of a map.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_CHUNKBLOCK_H
#define GNN_TEST_CHUNKBLOCK_H

#include "runtime/src/core/Tensor.h"
#include "runtime/src/core/UniqueNumber.h"
#include "runtime/src/engine/View.h"
#include "runtime/src/graph/Relation.h"

#include <functional>
#include <vector>

struct ChunkBlock : gnn::rt::View {
  ChunkBlock(std::vector<int64_t> rowIds, std::vector<int64_t> colIds)
      : rowIds(std::move(rowIds)), colIds(std::move(colIds)) {}

  int64_t rows(uint32_t) const override { return int64_t(rowIds.size()); }
  const int64_t *ids(uint32_t) const override { return rowIds.data(); }
  gnn_block_t block(uint32_t, uint32_t) const override;
  uint64_t content(uint32_t) const override { return number; }
  const gnn::rt::Relation *lasting(uint32_t) const override { return nullptr; }

  std::vector<int64_t> rowIds, colIds; // of vertices; tables have rows in this order
  std::vector<int64_t> offsets{0}, edgeIds{}, rowPositions{};
  std::vector<uint32_t> neighbours{};
  std::vector<int32_t> types{};
  uint64_t number = gnn::rt::uniqueNumber();
};

/// Whether an edge is seen, by its id; empty: all are.
using IsSeen = std::function<bool(int64_t)>;

/// The edges of `rows` that lead to `cols`, have positions [first, last) in the whole row and are seen, in canonical
/// order. `positions` counts the edges of each row over successive blocks.
ChunkBlock cutBlock(const gnn::rt::Csr &csr, const std::vector<int64_t> &rows, const std::vector<int64_t> &cols,
                    int64_t first, int64_t last, const IsSeen &isSeen, std::vector<int64_t> &positions);

/// How many edges of each vertex are seen, for a tensor of GNN_ROLE_COUNT_*; of each of `numTypes` types, if not 0.
gnn::rt::Tensor countSeen(const gnn::rt::Relation &relation, const gnn_tensor_info_t &info, int64_t numTypes,
                          const IsSeen &isSeen);

#endif // GNN_TEST_CHUNKBLOCK_H
