//===- EdgeRows.h - The edges of a relation by intervals of rows *- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All edges of the rows of an interval, in the memory of an engine, for sweeps whose cols are all there too.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_EDGEROWS_H
#define GNN_STREAM_EDGEROWS_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/stream/Chunks.h"

namespace gnn::rt {

class EdgeRows {
public:
  /// For the edges of a relation in a direction, whose rows and cols are of these types of vertices; with several
  /// ranks, only for the rank's own rows. `arePairs`: the edges are others in each run, of the same number, and cols
  /// are numbered among those that are `touched`. The intervals must outlive this, and the engine all filled memory.
  EdgeRows(const Relation &relation, uint32_t direction, EdgeNeeds needs, uint32_t rowType, uint32_t colType,
           const Intervals &intervals, Engine &engine, bool arePairs = false);
  /// Memory that they take, of the rank that has most.
  size_t bytes() const { return mostBytes; }
  /// Copies them. `relation` is that of before; of pairs another one of as many.
  void fill(const Relation &relation);
  bool isFilled() const { return memory != nullptr; }
  /// For pairs, true if they are the pairs of the relation.
  bool isOf(const Relation &relation) const { return content == relation.number(); }
  /// For pairs, the rows of cols at which any of them ends; below, the maximum number of such rows for `edges` edges.
  const RowMarks &touched() const { return marks; }
  static int64_t mostTouched(int64_t edges, int64_t cols) { return std::min(edges, cols); }
  /// Without ids of vertices, in the memory of the engine. An interval of this rank.
  gnn_block_t block(int64_t interval) const;
  int64_t numEdges(int64_t interval) const {
    const auto i = size_t(interval - ours.begin);
    return first[i + 1] - first[i];
  }

private:
  /// Where in memory the parts begin.
  struct Parts {
    size_t offsets, cols, ids, types, end;
  };
  Parts partsOf(int64_t rows, int64_t intervals, int64_t edges) const;
  size_t findMost(const Relation &relation) const;
  void forPieces(const Relation &relation, Intervals::Range rows,
                 const std::function<void(const EdgePiece &)> &body) const;

  const EdgeNeeds needs;
  const bool hasWideIds, arePairs;
  const uint32_t direction, rowType, colType;
  const Intervals &intervals;
  const Intervals::Range ours;
  Engine &engine;
  const size_t mostBytes;
  Parts parts{};
  RowMarks marks;
  uint64_t content = 0;           // Relation::number
  std::vector<int64_t> first;     // [intervals of ours + 1] edge in what follows
  std::unique_ptr<Memory> memory; // offsets are those of each interval of ours from 0 on, one after the other
};

} // namespace gnn::rt

#endif // GNN_STREAM_EDGEROWS_H
