//===- Reach.h - What a loss sees of the graph ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loss over some vertices sees those whom they read, edge by edge, and no others. Counted depth by depth
// (gnn_step_t::row_depth), this says how much less a training step would do and take over these rows alone.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_REACH_H
#define GNN_EXEC_REACH_H

#include "runtime/src/bind/Binding.h"

#include <map>
#include <utility>
#include <vector>

namespace gnn::rt {

class Reach {
public:
  /// The program must have no obstacle (obstacleToReached); the loss is over the rows that the binding selects.
  Reach(const Library &library, const Binding &binding, const gnn_program_t &program);

  /// Rows of the tables of a vertex type, by depth.
  int64_t rows(int32_t depth, uint32_t vertexType) const { return numRows[size_t(depth)][vertexType]; }
  int32_t deepest() const { return int32_t(numRows.size()) - 1; }
  /// Rows and edges that the steps of a run go over, of those that all vertices would be.
  double share() const { return double(work) / double(wholeWork); }
  /// Temporaries, and what there is beside them: rows of inputs and edges, each again.
  size_t bytes() const { return arenaBytes + besideBytes; }
  /// Whether a step over these rows does less than `worthwhile` of one over all, for no more than `littleMemory` beyond
  /// what that takes. `others`: temporaries of other programs, which lie in the same place.
  bool pays(size_t others) const;
  static constexpr double worthwhile = 0.7;
  static constexpr size_t littleMemory = size_t(16) << 20;

private:
  using Way = std::pair<uint32_t, uint32_t>; // relation and direction in which values come
  struct Followed {
    int32_t depth = 0;                 // of the deepest rows
    bool hasIds = false, back = false; // whether edges have ids or tables, and gradients go back over them
    std::vector<int64_t> edges{};      // [depths] of the rows there
  };

  void findWays(const gnn_program_t &program);
  void count(const Binding &binding);
  void addWork(const Binding &binding, const gnn_program_t &program);
  void addBytes(const Binding &binding, const gnn_program_t &program);

  const Library &library;
  std::vector<std::vector<int64_t>> numRows; // [depths][vertex types]
  std::map<Way, Followed> ways;
  int64_t work = 0, wholeWork = 0;
  size_t arenaBytes = 0, besideBytes = 0, wholeArenaBytes = 0, wholeBesideBytes = 0;
};

/// The vertices that the loss of a binding is over: rows of whole tables, ascending.
std::vector<int64_t> rowsOfLoss(const Library &library, const Binding &binding);

} // namespace gnn::rt

#endif // GNN_EXEC_REACH_H
