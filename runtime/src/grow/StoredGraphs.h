//===- StoredGraphs.h - Stored rows by graph --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a model stores over graphs that grow. It keeps epochs, but no graph: when the last one gives up a graph and its
// snapshots, what is stored of it goes too (GraphLife). Any number of threads at once.
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

  /// Of the epoch of a snapshot, or of the newest one of its graph; nulls: of none.
  OfEpoch find(const Snapshot &snapshot) const;
  /// The rows of the newest epoch, which is the snapshot's. Those of another one stay while its snapshot is served.
  void put(const Snapshot &snapshot, std::shared_ptr<GrownRows> rows);
  /// All rows are known over a snapshot.
  void serve(const Snapshot &snapshot);
  /// Of the graph of a snapshot the newest one of which all rows are known; null: none is.
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
