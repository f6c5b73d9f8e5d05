//===- Tunings.h - Which measurements a graph is like -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library may know what was the fastest over several graphs. Which of them the graph at hand is like is found out
// here, by what `gnnc tune` writes of each.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_TUNINGS_H
#define GNN_ENGINE_TUNINGS_H

#include "runtime/src/engine/View.h"
#include "runtime/src/program/Library.h"

namespace gnn::rt {

/// Statistics of a graph that decide how kernels run: its vertices, its edges after the transforms, and the longest row
/// of edges by destination.
struct GraphStatistics {
  int64_t vertices = 0, edges = 0, longest = 0;
};
/// Over all types of vertices and all relations of the graph that the library knows.
GraphStatistics statisticsOf(const Library &library, const View &view);

/// The tuning of the most similar graph, of several as similar that of the nearest number of threads; null if there is
/// none, or all graphs are of another kind: by more than `farthest` doublings of the three numbers together.
const gnn_tuning_t *nearestTuning(const gnn_library_t &library, const GraphStatistics &graph, unsigned threads);
constexpr double farthest = 12;

/// A kernel's own knobs and, where it has none, those of `tuning`, which may be null.
gnn_knobs_t knobsOf(const gnn_library_t &library, const gnn_tuning_t *tuning, uint32_t kernel);

} // namespace gnn::rt

#endif // GNN_ENGINE_TUNINGS_H
