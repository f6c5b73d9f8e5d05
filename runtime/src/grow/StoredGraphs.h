//===- StoredGraphs.h - Stored rows by graph --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that a model stores over graphs that grow. This owns epochs, but no graph: when the last owner releases a graph
// and its snapshots, the rows stored for it are freed, too (GraphLife). Thread safe.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GROW_STOREDGRAPHS_H
#define GNN_GROW_STOREDGRAPHS_H

#include <cstddef>
#include <memory>

namespace gnn::rt {

class GrownRows;
struct GraphEpoch;
struct Snapshot;

class StoredGraphs {
public:
  struct OfEpoch {
    std::shared_ptr<const GraphEpoch> epoch;
    std::shared_ptr<GrownRows> rows;
  };

  StoredGraphs();

  /// The rows of a snapshot's epoch, or of the newest epoch of its graph; null members if there are none.
  OfEpoch find(const Snapshot &snapshot) const;
  /// The rows of the newest epoch, which is the snapshot's. Those of another one stay while its snapshot is served.
  void put(const Snapshot &snapshot, std::shared_ptr<GrownRows> rows);
  /// All rows are known over a snapshot.
  void serve(const Snapshot &snapshot);
  /// The newest snapshot of the same graph of which all rows are known; null if there is none.
  std::shared_ptr<const Snapshot> served(const Snapshot &snapshot) const;
  /// Forgets all rows.
  void clear();
  /// Graphs of which there are rows.
  size_t size() const;

private:
  struct Graphs;
  std::shared_ptr<Graphs> graphs; // those that end find it while it lives
};

} // namespace gnn::rt

#endif // GNN_GROW_STOREDGRAPHS_H
