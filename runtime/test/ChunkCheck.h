//===- ChunkCheck.h - Chunks against the whole graph ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the results of ChunkExecutor with those of the whole-graph executor, for hand-written and for compiled
// libraries. Without a permutation the results must be the same bits; a graph with edge types or a permutation gives
// the same numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_CHUNKCHECK_H
#define GNN_TEST_CHUNKCHECK_H

#include "ChunkExecutor.h"
#include "runtime/src/model/Model.h"

struct ChunkDifference {
  bool isSameBits = true;
  double largest =
      0; // the largest difference of a result by the whole graph's largest value; gradients count as one result
};

class ChunkComparison {
public:
  /// Runs `program` over the whole graph, with the loss over `lossVertices`.
  ChunkComparison(gnn::rt::Model &model, std::shared_ptr<const gnn::rt::Graph> graph, const gnn::rt::Features &features,
                  gnn::rt::Span<const int64_t> lossVertices, const gnn_program_t &program);

  ChunkDifference difference(const ChunkPlan &plan) const;

private:
  gnn::rt::Model &model;
  const gnn_program_t &program;
  std::vector<int64_t> lossVertices;
  gnn::rt::Binding binding;
  std::unique_ptr<gnn::rt::Executor> executor;
};

/// All programs of the library under every kind of plan. A line for each comparison that fails; none: all is well.
std::vector<std::string> checkChunks(gnn::rt::Model &model, std::shared_ptr<const gnn::rt::Graph> graph,
                                     const gnn::rt::Features &features, gnn::rt::Span<const int64_t> lossVertices);

#endif // GNN_TEST_CHUNKCHECK_H
