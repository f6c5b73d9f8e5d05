//===- View.h - What the steps of a call see --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows by vertex type and a block of edges by relation and direction: of the whole graph, a chunk of it, a layer of a
// sample. Executors own views and decide on their order; engines borrow one for a call, and know by its numbers whether
// what they prepared for an earlier one still serves.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_VIEW_H
#define GNN_ENGINE_VIEW_H

#include "gnn/program.h"

#include <algorithm>
#include <vector>

namespace gnn::rt {

class Relation;

class View {
public:
  virtual ~View() = default;

  /// Rows that tables of a vertex type have here.
  virtual int64_t rows(uint32_t vertexType) const = 0;
  /// The original vertex of each row; null: the row's own number.
  virtual const int64_t *ids(uint32_t vertexType) const = 0;
  /// The edges that a sweep goes over. Rows lie one after the other: `offsets` has num_rows + 1 entries and begins
  /// with 0. All that it points to stays until the call is done, or as long as the edges stay.
  virtual gnn_block_t block(uint32_t relation, uint32_t direction) const = 0;
  /// Names the edges of a relation here: another number, as no relation of this process had, whenever they are others.
  virtual uint64_t content(uint32_t relation) const = 0;
  /// The relation that `block` is all of, if its edges stay for many runs, so that a plan for them may take time and
  /// memory; null for others.
  virtual const Relation *lasting(uint32_t relation) const = 0;
  /// Whether the arrays of blocks and the ids lie in the memory of the engine, if that is not this process's: then
  /// steps read them where they are. Of rows in one piece each.
  virtual bool isThere() const { return false; }
  /// Whether the edges of a relation here stay for many runs, be they all of one or not.
  virtual bool stays(uint32_t relation) const { return lasting(relation) != nullptr; }
  /// Whether parameters and states are the same in all runs over it, so that only what reads pairs is done more than
  /// once.
  virtual bool parametersStay() const { return false; }
};

/// The view that each step of a program goes over, the same in every run; empty: views come with the steps.
using StepViews = std::vector<const View *>;

/// The one view that all steps go over; null if there is none.
inline const View *onlyOf(const StepViews &views) {
  const bool isOne = !views.empty() && std::all_of(views.begin(), views.end(), [&](auto v) { return v == views[0]; });
  return isOne ? views[0] : nullptr;
}

} // namespace gnn::rt

#endif // GNN_ENGINE_VIEW_H
