//===- Partitions.h - Sweeps a part of the columns at a time ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the rows of the other end outgrow the caches, a sweep goes over one range of columns after the other, each
// small enough to stay, and, where the kernel allows it, over a part of the last dimension at a time: FeatGraph's 1-D
// partitioning combined with feature tiling (Hu et al. 2020, section III-C); SweepPlan.h chooses. What rows have so far
// waits in memory. Rows are sorted by column, so the parts of a row follow each other as its edges do: the bits are the
// same.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_PARTITIONS_H
#define GNN_EXEC_PARTITIONS_H

#include "gnn/program.h"
#include "runtime/src/core/Buffer.h"

#include <cstddef>
#include <vector>

namespace gnn::rt {

/// The edges of a block, by partition and then by row.
class Partitions {
public:
  /// Cuts the columns of `whole` into `count` ranges. Rows must be sorted by column and have no edge types. Edge ids
  /// are kept `withIds` only.
  Partitions(const gnn_block_t &whole, int64_t count, bool withIds);

  int64_t count() const { return int64_t(blocks.size()); }
  /// Partition `i`; borrows from this and from what the whole block borrows from.
  const gnn_block_t &block(int64_t i) const { return blocks[size_t(i)]; }
  size_t bytes() const;

private:
  std::vector<gnn_block_t> blocks;
  Buffer<int64_t> offsets, positions; // [count][rows + 1], [count][rows]
  Buffer<uint32_t> cols, narrowIds;
  Buffer<int64_t> wideIds;
};

} // namespace gnn::rt

#endif // GNN_EXEC_PARTITIONS_H
