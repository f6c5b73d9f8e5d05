//===- ChunkExecutor.h - Programs over pieces of a graph --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test executor: runs any program in host memory with every sweep cut into blocks that have tables of their own, as
// executors for graphs larger than memory, several devices or samples will. What the blocks are is a plan.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_CHUNKEXECUTOR_H
#define GNN_TEST_CHUNKEXECUTOR_H

#include "ChunkBlock.h"
#include "runtime/src/exec/Binding.h"

#include <cstring>

struct ChunkPlan {
  enum Kind { Grid, Sampled, HubSegments } kind = Grid;
  int64_t parts = 1;            // Grid: parts x parts chunks; otherwise: groups of rows
  uint64_t permutationSeed = 0; // of the vertices, 0: in the order of ids
};

class ChunkExecutor {
public:
  /// The binding's graph must have its vertices in the order of ids.
  ChunkExecutor(const gnn::rt::Library &library, const gnn::rt::Dims &dims, const gnn::rt::Binding &binding,
                const gnn_program_t &program, const ChunkPlan &plan);

  void place(uint32_t tensor, const gnn::rt::Tensor &value) {
    std::memcpy(tables[tensor].data(), value.data(), value.bytes());
  }
  void run(uint64_t stepKey);
  /// The memory of a tensor, all rows in the order of ids.
  const std::vector<char> &table(uint32_t tensor) const { return tables[tensor]; }

private:
  using Ids = std::vector<int64_t>;

  Ids order(uint32_t vertexType) const;
  uint32_t endType(const gnn_step_t &step, bool ofRows) const;
  int64_t widthOf(const gnn_kernel_t &kernel) const;
  void runSweep(const gnn_step_t &step);
  void runMap(const gnn_step_t &step);
  void runProduct(const gnn_step_t &step);
  void call(const gnn_step_t &step, const ChunkBlock &block, uint32_t flags, void *state);

  const gnn::rt::Library &library;
  const gnn::rt::Dims &dims;
  const gnn::rt::Binding &binding;
  const gnn_program_t &program;
  ChunkPlan plan;
  void (*add)(char *sums, const char *values, size_t bytes); // in the library's real type
  gnn_random_t random{0};
  std::vector<std::vector<char>> tables; // [library tensors]
};

#endif // GNN_TEST_CHUNKEXECUTOR_H
