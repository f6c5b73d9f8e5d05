//===- TargetEdges.h - Edges that a batch is to find ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch of pairs asks whether there are links. Whoever sees the very edge knows the answer, but learns nothing. So
// the edges of the true pairs are left out of the sample, and those that go the other way between the same ends.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_TARGETEDGES_H
#define GNN_SAMPLE_TARGETEDGES_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/exec/Neighbourhood.h"

#include <vector>

namespace gnn::rt {

class TargetEdges {
public:
  /// Both must outlive this.
  TargetEdges(const Library &library, const Binding &binding) : library(library), binding(binding) {}

  /// Instead of those before: the true pairs of a batch. `endsAreSeeds`: of the neighbourhood that draws, so that none
  /// is met further away.
  void take(const Pairs &truePairs, bool endsAreSeeds = true);

  /// Whether some edges of a row are left out; then the places of all others, ascending, are in `others`. An edge of
  /// the type of its pair is left out, one that goes the other way has any type. A loop that the model asks for stays.
  bool leaveOut(const RowOfEdges &row, std::vector<int64_t> &others) const;

private:
  struct Target {
    int64_t row, col;
    int32_t type;
  };
  using Targets = std::vector<Target>; // by row, then col
  static constexpr int32_t anyType = -1;
  /// Those with a vertex at that end, of some that are sorted by it.
  template <int64_t Target::*End> static Span<const Target> at(Span<const Target> targets, int64_t vertex);

  const Library &library;
  const Binding &binding;
  Targets bySource, byDestination;
  bool areSeedsAlone = true; // that rows with targets are
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_TARGETEDGES_H
