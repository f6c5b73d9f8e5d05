//===- Tunings.cpp - Which measurements a graph is like -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/engine/Tunings.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gnn::rt {

namespace {

/// From one number to the other; none where one is not known.
double doublings(int64_t a, int64_t b) {
  return a > 0 && b > 0 ? std::fabs(std::log2(double(a)) - std::log2(double(b))) : 0;
}

/// How much unlike a tuned graph is, then how much the number of threads is.
std::pair<double, double> distance(const gnn_tuning_t &tuning, const GraphStatistics &graph, unsigned threads) {
  return {doublings(tuning.vertices, graph.vertices) + doublings(tuning.edges, graph.edges) +
              doublings(tuning.longest, graph.longest),
          doublings(tuning.threads, threads)};
}

} // namespace

GraphStatistics statisticsOf(const Library &library, const View &view) {
  const gnn_library_t &table = library.table();
  GraphStatistics result;
  for (uint32_t t = 0; t < table.num_vertex_types; ++t)
    if (!library.isTable(t))
      result.vertices += view.rows(t);
  for (uint32_t r = 0; r < table.num_relations; ++r) {
    if (table.relations[r].kind != GNN_RELATION_EDGES)
      continue;
    const gnn_block_t block = view.block(r, GNN_TO_DESTINATION);
    result.edges += block.offsets[block.num_rows];
    for (int64_t row = 0; row < block.num_rows; ++row)
      result.longest = std::max(result.longest, block.ends[row] - block.offsets[row]);
  }
  return result;
}

const gnn_tuning_t *nearestTuning(const gnn_library_t &library, const GraphStatistics &graph, unsigned threads) {
  const gnn_tuning_t *end = library.tunings + library.num_tunings;
  const gnn_tuning_t *best = std::min_element(library.tunings, end, [&](const gnn_tuning_t &a, const gnn_tuning_t &b) {
    return distance(a, graph, threads) < distance(b, graph, threads);
  });
  return best == end || distance(*best, graph, threads).first > farthest ? nullptr : best;
}

gnn_knobs_t knobsOf(const gnn_library_t &library, const gnn_tuning_t *tuning, uint32_t kernel) {
  gnn_knobs_t knobs = library.kernels[kernel].knobs;
  const gnn_knobs_t tuned = tuning ? tuning->knobs[kernel] : gnn_knobs_t{};
  knobs.split = knobs.split ? knobs.split : tuned.split;
  knobs.partition = knobs.partition ? knobs.partition : tuned.partition;
  knobs.pass = knobs.pass ? knobs.pass : tuned.pass;
  knobs.hilbert = knobs.hilbert ? knobs.hilbert : tuned.hilbert;
  return knobs;
}

} // namespace gnn::rt
