//===- GatherSample.h - How often rows read the same columns ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates, from a sample of rows, how well an order of vertices uses the cache: whether edges read columns that rows
// shortly before have read.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_GATHERSAMPLE_H
#define GNN_TOOLS_TRAIN_GATHERSAMPLE_H

#include "runtime/src/graph/Relation.h"

#include <array>

namespace gnn::train_tool {

class GatherSample {
public:
  /// Samples rows of `csr`, which follow each other in `order`; without an order, as they are stored.
  explicit GatherSample(const rt::Csr &csr, int64_t numCols, const rt::VertexOrder *order = nullptr);

  /// The share, 0 to 1, of edges that read another column than the `columns` that were read last before them: what
  /// misses a cache of so many, by the growth of footprints (Xiang et al., ASPLOS 2013), to a power of two in
  /// `columns`.
  double fresh(double columns) const;

private:
  struct Reads {
    int64_t all = 0, fresh = 0;
  };
  std::array<Reads, 32> reads; // [bits of the number of columns that were read so far]
  int64_t numCols;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_GATHERSAMPLE_H
