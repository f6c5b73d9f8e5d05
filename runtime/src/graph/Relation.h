//===- Relation.h - Edges prepared for sweeps ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A relation in both directions: rows of edges by destination and by source, which the sweeps of a compiled library
// walk as blocks. The graph's own edges are one relation; a sparse input (columns -> vertices, one edge per nonzero) is
// another.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_RELATION_H
#define GNN_GRAPH_RELATION_H

#include "gnn/program.h"
#include "runtime/src/core/Buffer.h"
#include "runtime/src/core/UniqueNumber.h"
#include "runtime/src/graph/EdgeFile.h"
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace gnn::rt {

/// Edge `i` goes from local vertex src[i] to dst[i] and has id i.
/// The source of an edge that a transform leaves out; its id stays, and no edge has it.
constexpr uint32_t leftOutEdge = UINT32_MAX;

struct EdgeList {
  Buffer<uint32_t> src, dst;
  Buffer<int32_t> type; // or empty
};

/// A permutation of vertices chosen for locality: local index -> id and back; both empty: the identity.
struct VertexOrder {
  Buffer<int64_t> id;
  Buffer<uint32_t> local;
};

/// Ids of edges, in 32 bits where they fit.
struct EdgeIds {
  Buffer<uint32_t> narrow;
  Buffer<int64_t> wide; // one of the two is empty

  int64_t operator[](size_t i) const { return wide.empty() ? int64_t(narrow[i]) : wide[i]; }
};

/// The edges by row, each row sorted by (type, col, edge id).
struct Csr {
  Buffer<int64_t> offsets; // [rows + 1]
  Buffer<uint32_t> cols;   // [edges]
  EdgeIds edgeIds;         // [edges], or empty where nobody asks for them
  Buffer<int32_t> types;   // [edges], or empty

  int64_t numRows() const { return int64_t(offsets.size()) - 1; }
  int64_t degree(int64_t row) const { return offsets[row + 1] - offsets[row]; }
};

/// Both directions of the same edges.
struct SortedEdges {
  Csr byDestination, bySource;
};

class Partitions;

class Relation {
public:
  /// Sorts `edges`, whose ends must be in range. `sourceOrder` and `destinationOrder` may be null (identity).
  Relation(const EdgeList &edges, int64_t numSources, int64_t numDestinations,
           std::shared_ptr<const VertexOrder> sourceOrder, std::shared_ptr<const VertexOrder> destinationOrder);
  /// Edges sorted before, whose ids are less than `numEdgeIds`. With a file `edges` has offsets alone, and the file
  /// what belongs to them.
  Relation(SortedEdges edges, int64_t numEdgeIds, std::shared_ptr<const VertexOrder> sourceOrder,
           std::shared_ptr<const VertexOrder> destinationOrder, std::shared_ptr<const EdgeFile> file = nullptr);

  /// No other relation of this process has had it.
  uint64_t number() const { return unique; }
  int64_t numEdges() const { return sorted.byDestination.offsets.end()[-1]; }
  /// Rows of a table over the edges: one more than the largest id that an edge could have.
  int64_t numEdgeIds() const { return edgeIds; }
  /// Whether edges are in a file: then `forPieces` and the file give them.
  bool isPaged() const { return file != nullptr; }
  bool hasTypes() const { return file ? file->fields().types : !sorted.byDestination.types.empty(); }
  bool hasWideIds() const { return file ? file->fields().wideIds : !sorted.byDestination.edgeIds.wide.empty(); }
  /// Bytes of the edges in memory, in both directions.
  size_t bytes() const;
  int64_t numSources() const { return sorted.bySource.numRows(); }
  int64_t numDestinations() const { return sorted.byDestination.numRows(); }

  /// `direction` is GNN_TO_DESTINATION (rows are destinations) or GNN_TO_SOURCE.
  const Csr &csr(uint32_t direction) const {
    return direction == GNN_TO_DESTINATION ? sorted.byDestination : sorted.bySource;
  }
  /// Calls `body` with the edges [begin, end) of a direction, some at a time, in order.
  void forPieces(uint32_t direction, int64_t begin, int64_t end,
                 const std::function<void(const EdgePiece &)> &body) const;
  /// The file of the edges; the relation must have one.
  const EdgeFile &edgeFile() const { return *file; }
  /// All of it as one block, borrowed from this relation.
  gnn_block_t block(uint32_t direction) const;
  /// The same over `count` ranges of columns. All who ask share it, from any thread, for as long as one of them has it;
  /// it borrows from this relation.
  std::shared_ptr<const Partitions> partitions(uint32_t direction, int64_t count, bool withIds) const;

private:
  const uint64_t unique = uniqueNumber();
  SortedEdges sorted;
  std::shared_ptr<const EdgeFile> file; // or null
  int64_t edgeIds;
  std::shared_ptr<const VertexOrder> sourceOrder, destinationOrder;
  mutable std::mutex making;
  mutable std::map<std::tuple<uint32_t, int64_t, bool>, std::weak_ptr<const Partitions>> made; // of `partitions`
};

} // namespace gnn::rt

#endif // GNN_GRAPH_RELATION_H
