//===- GrownRelation.h - A relation and what was appended -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows as preparing all edges at once would have them, transforms and order included (gnn/graph.h). They are made when
// they are asked for.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GROW_GROWNRELATION_H
#define GNN_GROW_GROWNRELATION_H

#include "runtime/src/exec/ChangedRows.h"
#include "runtime/src/graph/EdgeSet.h"
#include "runtime/src/grow/AppendedEdges.h"

namespace gnn::rt {

class GrownRelation {
public:
  /// The first `count` of the appended edges come after those of `given`, which has no transforms and the order of ids.
  /// What is referred to must outlive this.
  GrownRelation(const EdgeSet &given, const AppendedEdges &appended, int64_t count, uint32_t transforms);

  /// Whether a row may differ from that of the given edges with the transforms.
  bool isChanged(uint32_t direction, int64_t row) const;
  /// Appends the edges of a row. Ids of edges that transforms add are those of what they were made from.
  void addRow(uint32_t direction, int64_t row, std::vector<RowEdge> &to) const;

private:
  std::vector<RowEdge> given(uint32_t direction, int64_t row) const;
  void addMirrored(int64_t row, const std::vector<RowEdge> &opposite, std::vector<RowEdge> &edges) const;

  const EdgeSet &set;
  const AppendedEdges &appended;
  const int64_t count;
  const uint32_t transforms;
};

} // namespace gnn::rt

#endif // GNN_GROW_GROWNRELATION_H
