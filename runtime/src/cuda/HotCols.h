//===- HotCols.h - The cols that most edges read ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a block that functions with hot columns read (GNN_BLOCK_HOT and GNN_BLOCK_HOT_COLS of program.h).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_HOTCOLS_H
#define GNN_CUDA_HOTCOLS_H

#include "gnn/program.h"

#include <vector>

namespace gnn::rt {

/// The cols of at most `count` that most edges read, the most read first; of two that are read as often the lower.
std::vector<uint32_t> hottestCols(const gnn_block_t &block, uint32_t count);
/// For each edge its col as its place in `hot`, or `count` + the col.
std::vector<uint32_t> colsByHeat(const gnn_block_t &block, const std::vector<uint32_t> &hot, uint32_t count);

} // namespace gnn::rt

#endif // GNN_CUDA_HOTCOLS_H
