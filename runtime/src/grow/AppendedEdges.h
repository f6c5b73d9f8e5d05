//===- AppendedEdges.h - Edges that come after preparation ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of edges that are found by their ends. One thread appends while any number read: nothing that was appended
// moves or changes. A reader is told how many edges there are for it, and sees the first so many.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GROW_APPENDEDEDGES_H
#define GNN_GROW_APPENDEDEDGES_H

#include "gnn/program.h"
#include "runtime/src/core/Buffer.h"

#include <atomic>

namespace gnn::rt {

class AppendedEdges {
public:
  /// Edges are numbered in 32 bits.
  static constexpr int64_t most = int64_t(UINT32_MAX) - 1;

  /// For `room` edges, at most `most`, among so many vertices.
  AppendedEdges(int64_t room, int64_t numSources, int64_t numDestinations);

  int64_t room() const { return int64_t(edges.size()); }
  /// For the thread that appends. There must be room, and ends must be in range.
  int64_t count() const { return appended; }
  void append(uint32_t source, uint32_t destination, int32_t type);
  /// An end of an edge that this thread has seen.
  uint32_t end(int64_t edge, uint32_t direction) const { return edges[size_t(edge)].ends[direction]; }
  int32_t type(int64_t edge) const { return edges[size_t(edge)].type; }

  /// Whether a row, a vertex at its end in that direction, may have edges.
  bool hasEdges(uint32_t direction, int64_t row) const {
    return heads[direction][size_t(row)].load(std::memory_order_relaxed) != 0;
  }
  /// Calls `body(edge, col, type)` for those of a row that are among the first `count`, the last of them first.
  template <class Body> void forRow(uint32_t direction, int64_t row, int64_t count, Body body) const {
    for (uint32_t next = heads[direction][size_t(row)].load(std::memory_order_acquire); next != 0;) {
      const Edge &edge = edges[next - 1];
      if (int64_t(next) <= count)
        body(int64_t(next) - 1, edge.ends[1 - direction], edge.type);
      next = edge.next[direction];
    }
  }

private:
  static_assert(GNN_TO_DESTINATION < 2 && GNN_TO_SOURCE < 2);

  /// `next`: one more than the number of the row's edge before this one, or 0.
  struct Edge {
    uint32_t ends[2]; // [directions] the row that the edge is of
    int32_t type;
    uint32_t next[2]; // [directions]
  };
  using Heads = std::unique_ptr<std::atomic<uint32_t>[]>;

  Heads heads[2]; // [directions][rows] as Edge::next, of the row's last edge
  Buffer<Edge> edges;
  int64_t appended = 0;
};

} // namespace gnn::rt

#endif // GNN_GROW_APPENDEDEDGES_H
