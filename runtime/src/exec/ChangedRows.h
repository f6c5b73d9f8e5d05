//===- ChangedRows.h - Edges that a binding does not have -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph that grows is not bound anew for each edge: who walks it asks here which rows have become others.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_CHANGEDROWS_H
#define GNN_EXEC_CHANGEDROWS_H

#include <cstdint>
#include <vector>

namespace gnn::rt {

struct RowEdge {
  uint32_t col;
  int32_t type; // 0 where edges have none
  int64_t id;
};

class ChangedRows {
public:
  virtual ~ChangedRows() = default;
  /// Whether the edges of a row, of a relation of the library in a direction, may be others than those of the binding.
  /// If so, appends all of them, in the order of prepared rows.
  virtual bool find(uint32_t relation, uint32_t direction, int64_t row, std::vector<RowEdge> &edges) const = 0;
};

} // namespace gnn::rt

#endif // GNN_EXEC_CHANGEDROWS_H
