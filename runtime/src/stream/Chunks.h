//===- Chunks.h - The edges of a relation in a grid of pieces ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_CHUNKS_H
#define GNN_STREAM_CHUNKS_H

#include "runtime/src/stream/ChunkLayout.h"
#include "runtime/src/stream/UsefulRows.h"

#include <functional>

namespace gnn::rt {

/// The edges of a relation in a spill file, each chunk where the layout has its place.
class Chunks : public ChunkLayout {
public:
  using ChunkLayout::ChunkLayout;

  /// Writes all of them. `relation` is that of before. `byDestination`: where places are needed, the same edges so.
  void write(const Relation &relation, const Chunks *byDestination);
  /// Calls `body` with ids of edges, and how many there are before them in the order of tables over edges, some at a
  /// time. Of edges by destination that have ids.
  void forIds(const std::function<void(int64_t, const std::vector<int64_t> &)> &body) const;

  /// Fills a slot with slice j of chunk (p, met(p)[k]). But for the first one of p, `before` is the slot that has the
  /// slice before it. Throws GNN_ERROR_IO where it is not what was written.
  void load(int64_t p, size_t k, int64_t j, char *slot, const char *before) const;
  /// Marks the rows of interval q that the edges of chunk (p, q) touch, where the file is memory.
  void mark(int64_t p, int64_t q, RowMarks &marks) const;

private:
  class Writer;

  std::vector<int64_t> readIds(int64_t p, int64_t q, int64_t first, int64_t count) const;
  size_t numberOf(int64_t p, size_t k, int64_t j) const;
  void readSlice(int64_t p, int64_t q, int64_t j, char *slot) const;
  uint64_t checksumOf(int64_t p, int64_t q, int64_t j, const char *slot) const;

  std::vector<std::vector<uint64_t>> checksums; // [intervals of rows][slices]; of a file, and of those that are here
};

} // namespace gnn::rt

#endif // GNN_STREAM_CHUNKS_H
