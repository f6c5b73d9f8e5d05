//===- ChunkExecutor.h - Programs over pieces of a graph --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest executor: runs any program on any engine with every sweep cut into views that have tables of their own,
// as executors for graphs larger than memory, several devices or samples will. What the views are is a plan. It holds
// engines to their contract, and is the example of docs/dev/adding-an-executor.md.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_CHUNKEXECUTOR_H
#define GNN_TEST_CHUNKEXECUTOR_H

#include "ChunkCalls.h"
#include "RowsByDepth.h"
#include "runtime/src/bind/Binding.h"
#include "runtime/src/engine/Engine.h"

#include <algorithm>

struct ChunkPlan {
  enum Kind { Grid, Sampled, HubSegments, Seeds } kind = Grid;
  int64_t parts = 1;            // Grid: parts x parts chunks; otherwise: groups of rows; Seeds: 1
  uint64_t permutationSeed = 0; // of the vertices, 0: in the order of ids
  std::vector<int64_t> seen{};  // Sampled: by relation, the ids below which edges are drawn; empty: all are
  const gnn::rt::EdgeChooser *chooser = nullptr; // Seeds: of the edges that are drawn; null: all are
};

class ChunkExecutor {
public:
  using Ids = std::vector<int64_t>;

  /// The binding's graph must have its vertices in the order of ids. A plan of seeds computes what these vertices need
  /// alone: their results, the loss over them and its gradients.
  ChunkExecutor(gnn::rt::Engine &engine, const gnn::rt::Library &library, const gnn::rt::Dims &dims,
                const gnn::rt::Binding &binding, const gnn_program_t &program, const ChunkPlan &plan, const Ids &seeds);

  void place(uint32_t tensor, const gnn::rt::Tensor &value) {
    std::copy_n(static_cast<const char *>(value.data()), value.bytes(), tables[tensor].begin()); // none may be there
  }
  void run(uint64_t stepKey);
  /// The memory of a tensor, all rows in the order of ids.
  const std::vector<char> &table(uint32_t tensor) const { return tables[tensor]; }

private:
  Ids order(uint32_t vertexType, int32_t depth) const;
  IsSeen seenOf(uint32_t relation, uint32_t direction) const;
  void clearBeyond(const gnn_step_t &step);
  void runSweep(uint32_t step);
  void runSegments(uint32_t step, const gnn::rt::Csr &csr, const Ids &rows, const Ids &cols, void *states);

  gnn::rt::Engine &engine;
  const gnn::rt::Library &library;
  const gnn::rt::Binding &binding;
  const gnn_program_t &program;
  const ChunkPlan plan;
  std::unique_ptr<gnn::rt::Prepared> prepared;
  ChunkCalls::Tables tables; // [library tensors]
  ChunkCalls calls;
  const gnn::rt::SeenEdges sample;
  const RowsByDepth rowsByDepth;
};

#endif // GNN_TEST_CHUNKEXECUTOR_H
