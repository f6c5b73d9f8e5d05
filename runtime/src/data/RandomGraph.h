//===- RandomGraph.h - Graphs drawn edge by edge ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// R-MAT, power-law, two-degree and uniform graphs with random features and labels, to measure with. Each number follows
// from the seed and its place alone, so that any part of a table is made without the rest, in parallel.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_RANDOMGRAPH_H
#define GNN_DATA_RANDOMGRAPH_H

#include "gnn/dataset.h"
#include "runtime/src/core/Random.h"

#include <functional>
#include <string>
#include <utility>

namespace gnn::rt {

class RandomGraph {
public:
  /// Of these kinds: rmat, powerlaw, hubs, uniform.
  static bool has(const std::string &kind);
  /// `options` have all numbers. Throws an argument error for edges without vertices.
  RandomGraph(const std::string &kind, const gnn_generate_options_t &options);

  int64_t columns() const { return numColumns; }
  // Elements [first, first + count) of a table, row-major:
  void edgeIndex(int64_t first, int64_t count, int64_t *to) const; // [2, edges]
  void features(int64_t first, int64_t count, float *to) const;    // [vertices, columns()]
  void labels(int64_t first, int64_t count, int64_t *to) const;    // [vertices]

private:
  using Edge = std::pair<int64_t, int64_t>;
  using Draw = std::function<Edge(RandomSequence &)>;
  static Draw drawOf(const std::string &kind, int64_t vertices);

  const gnn_generate_options_t options;
  const int64_t numColumns;
  const Draw draw;
};

} // namespace gnn::rt

#endif // GNN_DATA_RANDOMGRAPH_H
