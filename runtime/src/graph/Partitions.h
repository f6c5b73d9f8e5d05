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

#ifndef GNN_GRAPH_PARTITIONS_H
#define GNN_GRAPH_PARTITIONS_H

#include "gnn/program.h"
#include "runtime/src/core/Buffer.h"

#include <cstddef>
#include <vector>

namespace gnn::rt {

/// The edges of a block by partition and then by row. Where rows have many edges in each partition, these stay in the
/// block, and only where they begin is kept. Where they are few, reading them there would be reading all edges once for
/// each partition: they are copied.
class Partitions {
public:
  /// Edges that a row has in a partition, on average, from which on they are not copied: two cache lines.
  static constexpr int64_t longRun = 32;

  /// Cuts the columns of `whole` into `count` ranges. Rows must be sorted by column and have no edge types. Copies have
  /// edge ids `withIds` only.
  Partitions(const gnn_block_t &whole, int64_t count, bool withIds);

  int64_t count() const { return int64_t(blocks.size()); }
  /// Partition `i`; borrows from this and from what the whole block borrows from.
  const gnn_block_t &block(int64_t i) const { return blocks[size_t(i)]; }
  bool areCopied() const { return !cols.empty(); }
  size_t bytes() const;

private:
  void leaveEdges(const gnn_block_t &whole);
  void copyEdges(const gnn_block_t &whole, bool withIds);

  std::vector<gnn_block_t> blocks;
  Buffer<int64_t> positions;        // [count][rows] first edge of each partition, counted from that of the row
  Buffer<int64_t> bounds;           // of edges that stay [count + 1][rows], of copies [count][rows + 1]
  Buffer<uint32_t> cols, narrowIds; // of copies
  Buffer<int64_t> wideIds;
};

} // namespace gnn::rt

#endif // GNN_GRAPH_PARTITIONS_H
