//===- GrowingGraph.h - A graph that is read while it grows -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vertices with their features and edges are appended; a snapshot is the graph as it was at a time, and stays so. Most
// edges are prepared, as those of any graph; those that came later are a list beside them until they are prepared too
// (compact). Prepared edges and the list, with the features, are an epoch. Snapshots of an epoch differ in numbers
// alone, so that taking one costs nothing, and what a model has bound of one serves all.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GROW_GROWINGGRAPH_H
#define GNN_GROW_GROWINGGRAPH_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/graph/Graph.h"
#include "runtime/src/grow/AppendedEdges.h"

#include <mutex>

namespace gnn::rt {

struct GrowthOptions {
  bool isFixed = false;            // what there is no room for is an error, instead of more room
  int64_t vertices = 0, edges = 0; // room beside those that are given, of each type and relation; 0: an eighth of these
  int64_t storedBytes = 0;         // of stored rows of each model (StoredRows.h); 0: there are none
};

/// The vertices and edges of one append. Names and numbers of edge types are those of the graph.
struct Growth {
  std::vector<VertexSet> vertices; // so many more of a type
  Features rows;                   // of these, for all features of the type
  std::vector<EdgeSpec> edges;
};

struct GraphEpoch {
  std::shared_ptr<const GrowthOptions> options;         // of the graph that grows
  uint64_t number = 0;                                  // the graph's epochs ascend by 1
  std::shared_ptr<const Graph> graph;                   // with as many vertices as there is room for
  Features features;                                    // the same
  std::vector<std::unique_ptr<AppendedEdges>> appended; // [relations]
  uint64_t preparedMoment = 0; // number of the last snapshot of the epoch before, whose edges are the prepared ones
};

struct Snapshot {
  std::shared_ptr<const GraphEpoch> epoch;
  std::vector<int64_t> vertices; // [vertex types]
  std::vector<int64_t> appended; // [relations] how many
  uint64_t number = 0;           // they ascend as the graph grows; of two with the same all answers are the same
  std::shared_ptr<const GraphLife> life{}; // of the graph; null: others see to it that the epoch stays

  int64_t numPrepared(size_t relation) const { return epoch->graph->relations()[relation].set->numGivenEdges(); }
  int64_t numEdges(size_t relation) const { return numPrepared(relation) + appended[relation]; }
};

class GrowingGraph {
public:
  /// Copies all. Features are dense ones of vertices; "x", or "Paper.x" where there are several types. Throws as
  /// Graph::fromSchema.
  GrowingGraph(std::vector<VertexSet> vertices, const std::vector<EdgeSpec> &edges, const Features &features,
               const GrowthOptions &options);

  // All of these may be called from any thread at any time. Nobody waits for a snapshot; who appends and who compacts
  // wait for each other.
  std::shared_ptr<const Snapshot> snapshot() const;
  /// All of it or, where it throws, nothing.
  void append(const Growth &growth);
  /// Prepares all edges.
  void compact();

private:
  size_t typeOf(const std::string &feature) const;
  size_t findRelation(const EdgeSpec &edges) const;
  Snapshot grownBy(const Growth &growth) const;
  void checkRows(const Growth &growth, const Snapshot &next) const;
  void checkEdges(const EdgeSpec &edges, const Snapshot &next) const;
  bool hasRoom(const Snapshot &next) const;
  int64_t roomFor(int64_t vertices) const;
  int64_t roomBeside(int64_t edges, size_t relation) const;
  std::shared_ptr<GraphEpoch> prepared(Snapshot &next) const;
  void publish(std::shared_ptr<GraphEpoch> from, std::shared_ptr<const Snapshot> next) noexcept;

  const std::shared_ptr<const GrowthOptions> given;
  const GrowthOptions &options;
  const std::shared_ptr<const GraphLife> life = std::make_shared<const GraphLife>();
  std::mutex growing; // of who appends or compacts
  std::shared_ptr<GraphEpoch> epoch;
  std::vector<int64_t> mostEdges; // [relations] where room is fixed
  mutable std::mutex publishing;  // of what follows
  std::shared_ptr<const Snapshot> current;
};

} // namespace gnn::rt

#endif // GNN_GROW_GROWINGGRAPH_H
