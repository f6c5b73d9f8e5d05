//===- SnapshotRows.h - A snapshot as a library sees it ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rows of a library's relations are others in a snapshot than in the prepared graph of its epoch, and which
// libraries can read one.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GROW_SNAPSHOTROWS_H
#define GNN_GROW_SNAPSHOTROWS_H

#include "runtime/src/bind/SchemaMatch.h"
#include "runtime/src/exec/ChangedRows.h"
#include "runtime/src/grow/GrowingGraph.h"
#include "runtime/src/grow/GrownRelation.h"
#include "runtime/src/program/Library.h"

#include <optional>

namespace gnn::rt {

/// Throws GNN_ERROR_MISMATCH, which says why, unless @infer of a library can answer over a graph that grows: for some
/// vertices, of features as they are.
void requireSnapshots(const Library &library, const GraphEpoch &epoch);

class SnapshotRows : public ChangedRows {
public:
  /// The snapshot must outlive this.
  SnapshotRows(const Library &library, const Snapshot &snapshot);

  bool find(uint32_t relation, uint32_t direction, int64_t row, std::vector<RowEdge> &edges) const override;
  /// The relation of the graph that one of the library is; -1 of pairs.
  int32_t relationOf(uint32_t relation) const { return relations[relation] ? match.relations[relation] : -1; }
  /// Calls `body(col)` for the edges of a row. `binding`: over the epoch of the snapshot.
  template <class Body>
  void forRow(const Binding &binding, uint32_t relation, uint32_t direction, int64_t row, Body body) const {
    if (std::vector<RowEdge> edges; find(relation, direction, row, edges)) {
      for (const RowEdge &edge : edges)
        body(int64_t(edge.col));
      return;
    }
    const Csr &csr = binding.relation(relation).csr(direction);
    for (auto e = size_t(csr.offsets[size_t(row)]); e < size_t(csr.offsets[size_t(row) + 1]); ++e)
      body(int64_t(csr.cols[e]));
  }
  /// The number of vertices of a type of the library.
  int64_t vertices(uint32_t type) const { return snapshot.vertices[size_t(match.vertices[type])]; }

private:
  const Snapshot &snapshot;
  const SchemaMatch match;
  std::vector<std::optional<GrownRelation>> relations; // of the library; none of pairs
};

} // namespace gnn::rt

#endif // GNN_GROW_SNAPSHOTROWS_H
