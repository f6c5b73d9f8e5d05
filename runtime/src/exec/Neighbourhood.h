//===- Neighbourhood.h - What the answers for some vertices need -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeds, the vertices that are asked for, and depth by depth all who they read through edges, with these edges: what a
// program must go over for the seeds (gnn_step_t::row_depth). Vertices have their place in the order in which they are
// met, so that those of a depth are the first of those of the next, and the block of a depth the first rows of one
// block of each relation and direction. All edges of a row are followed or, with a chooser, those that it chooses when
// the vertex is met: all steps see the same, gradients too.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_NEIGHBOURHOOD_H
#define GNN_EXEC_NEIGHBOURHOOD_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/engine/EdgeChooser.h"
#include "runtime/src/engine/View.h"
#include "runtime/src/exec/ChangedRows.h"
#include "runtime/src/exec/PlaceMap.h"
#include "runtime/src/exec/StoredRows.h"
#include "runtime/src/program/Price.h"

#include <memory>
#include <vector>

namespace gnn::rt {

class Neighbourhood {
public:
  /// For a program without an obstacle (Obstacles.h) and other programs that go over the same relations; it begins with
  /// no seeds. `lasts`: the neighbourhood is expanded once and serves many runs; where a step reads ids of edges, these
  /// are ids of the whole graph, so that random draws are the whole graph's, too. Library and binding must outlive
  /// this.
  Neighbourhood(const Library &library, const Binding &binding, const std::vector<const gnn_program_t *> &programs,
                bool lasts = false);
  Neighbourhood(const Library &library, const Binding &binding, const gnn_program_t &program, bool lasts = false)
      : Neighbourhood(library, binding, std::vector<const gnn_program_t *>{&program}, lasts) {}
  ~Neighbourhood();

  /// Takes other seeds: rows of the whole tables of a vertex type, each once. `chooser`: null for all edges.
  /// `changed`: null where edges are those of the binding; not with a chooser. `stored`: null, or what is taken from
  /// stored rows: such vertices come after all others, and their edges are not followed. `depth`: at which seeds are
  /// met: nobody has rows before it.
  void expand(uint32_t vertexType, Span<const int64_t> seeds, const EdgeChooser *chooser,
              const ChangedRows *changed = nullptr, StoredUse *stored = nullptr, int32_t depth = 0);
  /// The same of the ends of pairs, in rows of whole tables, that the program scores: each any number of times. Tables
  /// of pairs have their rows in this order.
  void expandPairs(EdgeList pairs, const EdgeChooser *chooser);

  /// Memory that it has taken: for the largest neighbourhood so far.
  size_t bytes() const;
  int32_t deepest() const { return int32_t(numRows.size()) - 1; }
  /// The view that a step of the programs goes over. Valid until the next `expand`.
  const View &viewOf(const gnn_step_t &step) const;
  /// How much that is.
  StepCounts countsOf(const gnn_step_t &step) const;
  int64_t rows(int32_t depth, uint32_t vertexType) const { return numRows[size_t(depth)][vertexType]; }
  /// The most edges of a relation that a step goes over.
  int64_t edges(uint32_t relation) const;
  /// How many of a type, the last ones, are here by stored rows alone.
  int64_t numStored(uint32_t vertexType) const { return numTaken[vertexType]; }
  /// The rows of whole tables that are here, in this order.
  const std::vector<int64_t> &verticesOf(uint32_t vertexType) const { return vertices[vertexType]; }
  /// Whose rows tables of edges have that a sweep reads or writes. Sweeps of one number share them, in all programs.
  static uint32_t edgeRowsOf(const Library &library, const gnn_step_t &step);
  /// Whether a sweep finds edges in their tables by the ids of the whole graph: such tables are whole.
  bool readsWholeTables(const gnn_step_t &step) const;
  /// For how many of a type's vertices, the first, all edges in that direction that are seen are here, and their
  /// offsets, one more than these.
  Span<const int64_t> offsetsOf(uint32_t relation, uint32_t direction) const;
  /// The types of these edges, where they have some.
  Span<const int32_t> typesOf(uint32_t relation, uint32_t direction) const;
  /// The rows of whole tables of edges that are here, in this order.
  const std::vector<int64_t> &edgesOf(uint32_t edgeRows) const;

private:
  class Walk;
  class Back;
  struct PairRows;
  class Layer;

  void prepare(const gnn_program_t &program);
  Walk &walkOf(const gnn_step_t &step);
  const Layer *findLayer(const gnn_step_t &step) const;              // null: none yet
  const Walk *findWalk(uint32_t relation, uint32_t direction) const; // null: no step goes over these
  void forget();
  void grow(const EdgeChooser *chooser, const ChangedRows *changed, int32_t first = 0);
  uint32_t meet(uint32_t vertexType, int64_t vertex, int32_t depth);
  void placeStored();
  void settle();
  void follow(Walk &walk, int64_t rows, int32_t depth, const EdgeChooser *chooser, const ChangedRows *changed);

  const Library &library;
  const Binding &binding;
  const bool lasts;
  std::vector<std::unique_ptr<Walk>> walks;
  std::vector<std::unique_ptr<Back>> backs;
  std::unique_ptr<PairRows> pairs;            // null: the program scores none
  std::vector<std::vector<int64_t>> vertices; // [vertex types] rows of the whole tables
  std::vector<std::vector<int64_t>> ids;      // [vertex types] of these, where tables have another order than ids
  std::vector<PlaceMap> places;               // [vertex types] in `vertices`
  StoredUse *storing = nullptr;               // while it grows
  std::vector<std::vector<int64_t>> taken;    // [vertex types] the same, of stored rows
  std::vector<int64_t> numTaken;              // [vertex types] of `vertices`
  std::vector<std::vector<int64_t>> numRows;  // [depths][vertex types]
  std::vector<std::unique_ptr<Layer>> layers; // one for all steps that go over the same
};

} // namespace gnn::rt

#endif // GNN_EXEC_NEIGHBOURHOOD_H
