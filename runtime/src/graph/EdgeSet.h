//===- EdgeSet.h - The prepared edges of a relation -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A validated, transformed and sorted list of edges, immutable and shared. Ids, order and transforms are specified in
// gnn/graph.h.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_EDGESET_H
#define GNN_GRAPH_EDGESET_H

#include "gnn/graph.h"
#include "runtime/src/core/Tensor.h"
#include "runtime/src/graph/Relation.h"
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace gnn::rt {

struct GrowingEdges;

struct EdgeOptions {
  uint32_t transforms = 0; // GNN_GRAPH_*
  uint32_t order = GNN_ORDER_GIVEN;
  uint32_t numTypes = 0;          // 0: the largest type + 1
  Span<const int64_t> edgeTypes;  // null: none, unless there are no edges and `numTypes` says how many
  std::function<void()> onCopied; // called when the list given is needed no more; may be empty
};

/// For errors about an id that is not in [0, bound): the usual mistake, if all look so.
const char *fromOneHint(Span<const int64_t> ids, int64_t bound);

/// Throws a data error naming the first position of `ids`, one per edge, that is not in [0, bound): "`where`edge 17:
/// `what` 9 is out of range …".
void checkEdgeIds(Span<const int64_t> ids, int64_t bound, const char *what, const std::string &where = "");

/// The parts of an EdgeSet, which documents them.
struct EdgeSetParts {
  Csr byDestination, bySource;
  std::shared_ptr<const EdgeFile> file;     // of what these have but offsets, or null
  std::shared_ptr<const VertexOrder> order; // or null
  Buffer<int64_t> addedFrom;
  uint32_t transforms = 0, givenTypes = 0, types = 0;
  int64_t givenEdges = 0;
  bool isBetweenTypes = false;
  uint64_t digest = 0; // where there is a file
};

class EdgeSet {
public:
  /// Edges among `numVertices` vertices. The order asked for is that of the set's vertices.
  static std::shared_ptr<const EdgeSet> fromEdges(Span<const int64_t> src, Span<const int64_t> dst, int64_t numVertices,
                                                  const EdgeOptions &options = {});
  /// Edges between vertices of two types, in the order of ids. They can't be transformed.
  static std::shared_ptr<const EdgeSet> between(Span<const int64_t> src, Span<const int64_t> dst, int64_t numSources,
                                                int64_t numDestinations, const EdgeOptions &options = {});
  /// A set that was prepared before; the parts must fit each other.
  static std::shared_ptr<const EdgeSet> fromParts(EdgeSetParts parts);
  /// `set` with `transforms` applied too; `set` itself if it has them. With `inGivenOrder` the vertices are in the
  /// order of ids afterwards. All who ask share it, from any thread, for as long as one of them has it.
  static std::shared_ptr<const EdgeSet> transformed(std::shared_ptr<const EdgeSet> set, uint32_t transforms,
                                                    bool inGivenOrder = false);

  /// `set`, whose vertices are of one type, in the order of ids and its edges in memory, with its vertices in `order`:
  /// what `fromEdges` makes in that order.
  static std::shared_ptr<const EdgeSet> reordered(const EdgeSet &set, std::shared_ptr<const VertexOrder> order);

  /// `set`, whose edges are in memory, without their ids: for sweeps that ask for none.
  static std::shared_ptr<const EdgeSet> withoutIds(const EdgeSet &set);

  int64_t numEdges() const { return edges->numEdges(); }
  int64_t numEdgeIds() const { return edges->numEdgeIds(); }
  uint32_t numEdgeTypes() const { return edgeTypes; }
  /// How many types there are when `transforms` are applied too.
  uint32_t numEdgeTypesWith(uint32_t transforms) const;
  uint32_t transforms() const { return applied; }
  /// Those of the list that the set was made from.
  int64_t numGivenEdges() const { return givenEdges; }
  uint32_t numGivenTypes() const { return givenTypes; }
  /// For each edge that transforms added, by id: the edge that it mirrors, -1 for a self loop.
  const Buffer<int64_t> &addedEdges() const { return addedFrom; }
  const Relation &relation() const { return *edges; }
  /// The sum of digestOfEdge over the given edges that it has; of a set whose relation is paged.
  uint64_t digest() const { return givenDigest; }
  /// In-degree of a local vertex is relation().csr(GNN_TO_DESTINATION).degree(v); out-degree that of GNN_TO_SOURCE.

  /// Null where vertices are in the given order; otherwise tables over vertices are permuted on the way in and out.
  const std::shared_ptr<const VertexOrder> &order() const { return vertexOrder; }

  /// See gnn_graph_extend_edges. `what` names the table in errors.
  Tensor extendEdgeTable(const Tensor &rows, const std::string &what) const;
  /// The shape of such a table. Throws likewise.
  std::vector<int64_t> extendedShape(std::vector<int64_t> rows, const std::string &what) const;

private:
  EdgeSet() = default;
  std::shared_ptr<const EdgeSet> transform(uint32_t transforms, bool inGivenOrder) const;
  EdgeSetParts partsBesideEdges() const;
  static std::shared_ptr<const EdgeSet> prepare(GrowingEdges edges, int64_t numVertices,
                                                std::shared_ptr<const VertexOrder> order, uint32_t transforms);

  std::shared_ptr<const Relation> edges;
  std::shared_ptr<const VertexOrder> vertexOrder;
  uint32_t edgeTypes = 0;
  uint32_t applied = 0;
  bool isBetweenTypes = false;
  uint32_t givenTypes = 0;
  int64_t givenEdges = 0;
  uint64_t givenDigest = 0;
  Buffer<int64_t> addedFrom; // [numEdgeIds - givenEdges]
  mutable std::mutex making;
  mutable std::map<std::pair<uint32_t, bool>, std::weak_ptr<const EdgeSet>> made; // of `transformed`
};

} // namespace gnn::rt

#endif // GNN_GRAPH_EDGESET_H
