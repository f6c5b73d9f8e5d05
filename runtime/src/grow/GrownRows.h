//===- GrownRows.h - Stored rows over a graph that grows --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that a model stores for the vertices of one epoch, and their invalidation by appended edges: a row is forgotten
// if an edge that it depends on was appended, and only then. An edge changes the rows of its ends. The rows that read
// these are found by walking edges backwards, as far as the depth at which a step still reads a changed row.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GROW_GROWNROWS_H
#define GNN_GROW_GROWNROWS_H

#include "runtime/src/exec/StoredRows.h"
#include "runtime/src/grow/SnapshotRows.h"

#include <atomic>

namespace gnn::rt {

class GrownRows {
public:
  /// For snapshots of the epoch of `first`, from that one on. The library must outlive this.
  GrownRows(const Library &library, const gnn_program_t &program, const StoredLayout &layout,
            const std::vector<std::vector<int64_t>> &chosen, const Snapshot &first);

  StoredRows &rows() { return stored; }
  /// Forgets what has changed until `snapshot`. All edges that it, and `now`, which may be later, have are those of the
  /// binding with those that `now` has changed. Before a run over `snapshot`; for any number of threads.
  void follow(const Binding &binding, const SnapshotRows &now, const Snapshot &snapshot);

  /// Takes over what those of the epoch before know that is the same in `first`, the snapshot of the constructor, which
  /// is `now` too.
  void inherit(GrownRows &before, const std::shared_ptr<const GraphEpoch> &epoch, const Binding &binding,
               const SnapshotRows &now, const Snapshot &first);

private:
  struct Touched;
  void touchEnds(const SnapshotRows &now, const Snapshot &snapshot, Touched &touched);
  void touchReaders(const Binding &binding, const SnapshotRows &now, Touched &touched) const;

  const Library &library;
  StoredRows stored;
  std::vector<std::array<int32_t, 2>> sweepDepth; // [relations][directions] of the deepest rows of sweeps; -1: none
  std::vector<std::array<int32_t, 2>> rowDepth;   // the same, or at which numbers of edges are read
  std::mutex following;                           // of who writes what follows
  std::atomic<uint64_t> moment;                   // up to which it is done
  std::vector<int64_t> seen;                      // [relations of the graph] appended edges
};

} // namespace gnn::rt

#endif // GNN_GROW_GROWNROWS_H
