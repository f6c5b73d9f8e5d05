//===- RowPieces.h - Rows of a block in pieces ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sweep over a block has one group of threads for each row, and its hardware gives groups to processors in order.
// So that no group has far more edges than others, and the last ones have few, hubs, rows of many edges, are
// split, and all come in the order of falling length (Wu et al. 2021, section 6.3.3, where no row is split). Of rows
// about as long, those side by side stay so: they may read the same neighbours.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_ROWPIECES_H
#define GNN_CUDA_ROWPIECES_H

#include "gnn/program.h"
#include "runtime/src/core/Buffer.h"

#include <tuple>

namespace gnn::rt {

struct RowSplit {
  /// As `longest`: rows are as they are, in their own order.
  static constexpr int64_t none = 0;

  /// Whether edges are folded: then pieces are segments, whose states are merged, and there is one for each row that is
  /// no hub. Without, pieces are just edges, and rows that have none are left out.
  bool hasStates;
  /// Edges of a row that is no hub; without states also those of a piece. A power of two, with states at least
  /// GNN_SEGMENT_LENGTH.
  int64_t longest;
  /// Whether there are to be as many pieces over any block with as many rows and edges: empty ones follow. Rows with
  /// states are not split then.
  bool isFixed;

  bool operator<(const RowSplit &other) const {
    return std::tie(hasStates, longest, isFixed) < std::tie(other.hasStates, other.longest, other.isFixed);
  }
};

/// Pieces of the hubs with states, the first piece of each before all others, then rows that are whole. Each
/// array has an entry for each piece.
struct RowPieces {
  RowPieces(const gnn_block_t &whole, const RowSplit &split);

  int64_t count() const { return int64_t(rows.size()); }

  Buffer<uint32_t> rows;                 // that it is of
  Buffer<int64_t> offsets, ends;         // its edges in the block
  Buffer<int64_t> positions;             // of its first edge in the row; nothing where no hub has states
  int64_t numHubs = 0;                   // of those with states
  int64_t numStates = 0;                 // their pieces
  Buffer<int64_t> moreOffsets, moreEnds; // [numHubs] which pieces follow the first of the row

private:
  void takeRows(const gnn_block_t &whole);
  void splitStates(const gnn_block_t &whole, int64_t longest);
  void splitEdges(const gnn_block_t &whole, const RowSplit &split);
  void allocate(int64_t count);
  void put(int64_t piece, uint32_t row, int64_t begin, int64_t end);
};

} // namespace gnn::rt

#endif // GNN_CUDA_ROWPIECES_H
