//===- RowsByDepth.h - Who a loss reaches -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vertices of a loss and, depth by depth, all who they read through edges: the rows that steps need, by what a
// program says of them (gnn_step_t::row_depth).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_ROWSBYDEPTH_H
#define GNN_TEST_ROWSBYDEPTH_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/sample/SeenEdges.h"

#include <vector>

class RowsByDepth {
public:
  using Ids = std::vector<int64_t>;

  RowsByDepth() = default;
  /// Whether nothing that is summed over vertices is read by steps over vertices or kept as a state.
  static bool isLocal(const gnn::rt::Library &library, const gnn_program_t &program);
  /// `seeds` are vertices of the type that has a loss. All rows are at every depth where the loss is of edges, and
  /// where what is summed over vertices is read by vertices or kept, so that results depend on all; but where not all
  /// edges are seen totals are over the rows of a depth.
  RowsByDepth(const gnn::rt::Library &library, const gnn::rt::Binding &binding, const gnn_program_t &program,
              const Ids &seeds, const gnn::rt::SeenEdges &seen);

  /// Ascending.
  const Ids &at(int32_t depth, uint32_t vertexType) const { return rows[size_t(depth)][vertexType]; }

private:
  using ByType = std::vector<Ids>;

  static ByType reach(const gnn::rt::Library &library, const gnn::rt::Binding &binding, const gnn_program_t &program,
                      int32_t depth, ByType from, const gnn::rt::SeenEdges &seen);

  std::vector<ByType> rows; // [depth]
};

#endif // GNN_TEST_ROWSBYDEPTH_H
