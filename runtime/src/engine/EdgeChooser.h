//===- EdgeChooser.h - Which edges rows are seen with -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between a neighbourhood, which meets vertices, and whoever draws their edges: what is asked for, and what is chosen.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_EDGECHOOSER_H
#define GNN_ENGINE_EDGECHOOSER_H

#include "runtime/src/core/Span.h"
#include "runtime/src/graph/Relation.h"

#include <cstdint>
#include <vector>

namespace gnn::rt {

/// The edges of a row in the whole graph: of a relation in a direction, GNN_TO_DESTINATION or GNN_TO_SOURCE, `count`
/// from place `first` on.
struct RowOfEdges {
  uint32_t relation, direction;
  int32_t depth;  // at which the row is met
  int64_t vertex; // its original id
  int64_t first, count;
};

/// The rows of some vertices that are met at the same depth.
struct RowsOfEdges {
  uint32_t relation, direction;
  int32_t depth;
  Span<const int64_t> vertices; // rows of the whole table
  const VertexOrder *order;     // of that; null: rows are in the order of ids
  bool needsIds, needsTypes;    // of edges

  /// Not cols alone.
  bool needsPlaces() const { return needsIds || needsTypes; }
};

/// The edges that rows are seen with, row after row, as EdgeChooser::choose has them.
struct ChosenEdges {
  std::vector<uint32_t> counts{}; // [rows]
  std::vector<int64_t> places{};  // [edges], where they are needed
  std::vector<uint32_t> cols{};   // [edges]
  std::vector<int64_t> ids{};     // [edges] of those in a file, where they are needed,
  std::vector<int32_t> types{};   // as these

  void clear() {
    counts.clear();
    places.clear();
    cols.clear();
    ids.clear();
    types.clear();
  }
};

/// Decides which edges a row is seen with.
class EdgeChooser {
public:
  virtual ~EdgeChooser() = default;
  /// Appends the places of the edges that a row is seen with, ascending, one perhaps several times.
  virtual void choose(const RowOfEdges &row, std::vector<int64_t> &places) const = 0;
  /// The same of many rows at once, if that is done elsewhere; false: each is chosen by itself.
  virtual bool chooseElsewhere(const RowsOfEdges &rows, ChosenEdges &chosen) const { return false; }
};

} // namespace gnn::rt

#endif // GNN_ENGINE_EDGECHOOSER_H
