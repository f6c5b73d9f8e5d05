//===- ChunkBlock.h - Pieces of a relation ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bipartite piece of a relation between any two lists of vertices: what gnn_block_t points to.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_CHUNKBLOCK_H
#define GNN_TEST_CHUNKBLOCK_H

#include "runtime/src/graph/Relation.h"

#include <vector>

struct ChunkBlock {
  std::vector<int64_t> rows, cols; // vertex ids; the block's tables have rows in this order
  std::vector<int64_t> offsets{0}, edgeIds{}, rowPositions{};
  std::vector<uint32_t> neighbours{};
  std::vector<int32_t> types{};
};

/// The edges of `rows` that lead to `cols` and have positions [first, last) in the whole row, in canonical order.
/// `positions` counts the edges of each row over successive blocks.
ChunkBlock cutBlock(const gnn::rt::Csr &csr, const std::vector<int64_t> &rows, const std::vector<int64_t> &cols,
                    int64_t first, int64_t last, std::vector<int64_t> &positions);

#endif // GNN_TEST_CHUNKBLOCK_H
