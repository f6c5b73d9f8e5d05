//===- SeenEdges.h - Edges that a sample has --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By id, those that a chooser gives to the seeds and, depth by depth, to all who they read. Slow and plain: what the
// executor of samples is held against, and how gnn-interp goes over the same edges.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SEENEDGES_H
#define GNN_SAMPLE_SEENEDGES_H

#include "runtime/src/exec/Neighbourhood.h"

#include <map>
#include <set>

namespace gnn::rt {

class SeenEdges {
public:
  /// The edges seen from seeds of the type that has a loss; all tables must be in the order of ids. All edges are seen
  /// if `chooser` is null.
  SeenEdges(const Library &library, const Binding &binding, const gnn_program_t &program, const EdgeChooser *chooser,
            const std::vector<int64_t> &seeds);
  /// The edges seen from the ends of pairs.
  SeenEdges(const Library &library, const Binding &binding, const gnn_program_t &program, const EdgeChooser *chooser,
            const Pairs &pairs);

  bool areAll() const { return !isLimited; }
  /// Whether the edges of a row in a direction were chosen: it is met no deeper than values come to.
  bool isFollowed(uint32_t relation, uint32_t direction, int64_t row) const;
  /// Whether values come over an edge in a direction.
  bool has(uint32_t relation, uint32_t direction, int64_t edgeId) const;

private:
  using Place = std::pair<uint32_t, uint32_t>;           // relation and direction
  using Rows = std::map<uint32_t, std::vector<int64_t>>; // by vertex type
  void seeAll(const Library &library, const Binding &binding, const gnn_program_t &program, const EdgeChooser &chooser,
              Rows fresh);
  void see(const Binding &binding, Place place, int32_t depth, int64_t row, const EdgeChooser &chooser);

  const bool isLimited;
  std::map<Place, int32_t> deepest; // rows of sweeps
  std::map<Place, std::set<int64_t>> seen;
  std::map<Place, std::map<int64_t, std::vector<int64_t>>> cols; // by row
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SEENEDGES_H
