//===- DeviceBlocks.h - The edges of a relation on a GPU --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of the arrays of a relation's blocks: made when a program first asks for one, and made again for other edges.
// Programs over the same lasting edges share them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICEBLOCKS_H
#define GNN_CUDA_DEVICEBLOCKS_H

#include "gnn/program.h"
#include "runtime/src/core/Buffer.h"
#include "runtime/src/cuda/DeviceCopies.h"
#include "runtime/src/engine/View.h"

#include <map>
#include <tuple>
#include <vector>

namespace gnn::rt {

/// A sweep over a block has one group of threads for each row, and its hardware gives groups to processors in order. So
/// that no group has far more edges than others, and the last ones have few, hubs, rows of many edges, are split, and
/// all come in the order of falling length (Wu et al. 2021, section 6.3.3, where no row is split). Of rows about as
/// long, those side by side stay so: they may read the same neighbours.
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

/// RowPieces on a device; 0: there is no such array.
struct DevicePieces {
  int64_t count = 0, numHubs = 0, numStates = 0;
  cuda::Address rows = 0, offsets = 0, ends = 0, positions = 0, moreOffsets = 0, moreEnds = 0;
};

class DeviceBlocks {
public:
  DeviceBlocks(std::shared_ptr<DeviceCopies> copies, uint32_t relation)
      : copies(std::move(copies)), relation(relation) {}

  /// From now on the arrays are those of a view with these edges (View::content): each is copied when it is asked for.
  void turnTo(uint64_t edges) { content = edges; }
  /// The same, and copies all again that were asked for, if the edges are others: for who does not ask anew. The view
  /// has their directions.
  void see(const View &view);
  /// Member `member` (GNN_BLOCK_*) of the block in a direction, none of those of pieces; 0 if the block has none.
  cuda::Address array(uint32_t direction, const gnn_block_t &block, uint32_t member);
  /// GNN_BLOCK_HOT or GNN_BLOCK_HOT_COLS, of which at most `hotCols` cols are hot.
  cuda::Address hotArray(uint32_t direction, const gnn_block_t &block, uint32_t hotCols, uint32_t member);
  DevicePieces pieces(uint32_t direction, const gnn_block_t &block, const RowSplit &split);

private:
  struct Hot {
    DeviceCopy cols, list;
  };
  /// The arrays of RowPieces, in the order of DevicePieces.
  struct PiecesCopy {
    DevicePieces there{};
    std::vector<DeviceCopy> arrays{};
    uint64_t content = 0; // 0: not all of them are there
  };

  void update(DeviceCopy &copy, const gnn_block_t &block, uint32_t member);
  void update(Hot &hot, const gnn_block_t &block, uint32_t hotCols);
  void update(PiecesCopy &copy, const gnn_block_t &block, const RowSplit &split);

  std::shared_ptr<DeviceCopies> copies;
  const uint32_t relation;
  uint64_t content = 0;                                          // View::content
  std::map<std::pair<uint32_t, uint32_t>, DeviceCopy> arrays;    // by direction and member
  std::map<std::pair<uint32_t, uint32_t>, Hot> hots;             // by direction and how many at most
  std::map<std::pair<uint32_t, RowSplit>, PiecesCopy> splitRows; // by direction and split
};

/// The cols of at most `count` that most edges read, the most read first; of two that are read as often the lower.
std::vector<uint32_t> hottestCols(const gnn_block_t &block, uint32_t count);
/// For each edge its col as its place in `hot`, or `count` + the col.
std::vector<uint32_t> colsByHeat(const gnn_block_t &block, const std::vector<uint32_t> &hot, uint32_t count);

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICEBLOCKS_H
