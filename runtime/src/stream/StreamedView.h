//===- StreamedView.h - What a call of a stream sees ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations that the files of the streamed executor share.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STREAMEDVIEW_H
#define GNN_STREAM_STREAMEDVIEW_H

#include "runtime/src/core/UniqueNumber.h"
#include "runtime/src/stream/Streamed.h"

namespace gnn::rt {

/// The overhead of an order, as an equivalent number of bytes copied or of rows computed.
constexpr uint64_t bytesOfCall = 16 << 10, rowsOfCall = 256;

/// The rows of an interval and, of a sweep, the edges of a chunk.
class Streamed::EdgeView : public View {
public:
  EdgeView(int64_t rows, const int64_t *ids, const gnn_block_t &block = {})
      : numRows(rows), rowIds(ids), edges(block) {}
  int64_t rows(uint32_t) const override { return numRows; }
  const int64_t *ids(uint32_t) const override { return rowIds; }
  gnn_block_t block(uint32_t, uint32_t) const override { return edges; }
  uint64_t content(uint32_t) const override { return number; }
  const Relation *lasting(uint32_t) const override { return nullptr; }
  bool isThere() const override { return true; }

private:
  const int64_t numRows;
  const int64_t *rowIds;
  const gnn_block_t edges;
  const uint64_t number = uniqueNumber();
};

// Pieces of rings: `tickets` are what has to end before their memory serves again.

struct Streamed::RowPiece {
  size_t at = 0; // in the memory of the engine
  std::unique_ptr<EdgeView> view;
  std::vector<std::unique_ptr<EdgeView>> sweeps; // of edges that are in memory
  std::vector<Asked> loaded;                     // when the rows are there
  std::vector<Asked> tickets;
};

struct Streamed::ColPiece {
  size_t at = 0;
  std::map<uint32_t, std::pair<size_t, std::vector<Asked>>> loaded; // by operand: its place, and its pieces
  std::vector<Asked> tickets;
};

struct Streamed::EdgePiece {
  size_t at = 0;
  std::unique_ptr<EdgeView> view;
  std::vector<Asked> tickets;
};

} // namespace gnn::rt

#endif // GNN_STREAM_STREAMEDVIEW_H
