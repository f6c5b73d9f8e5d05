//===- InferAt.h - Executor of inference for some vertices ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a program over the neighbourhood of a few vertices, and gives the results that it has for them over the whole
// graph. Memory is for as many rows and edges as the largest neighbourhood so far: a call within that takes none.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_INFERAT_H
#define GNN_EXEC_INFERAT_H

#include "runtime/src/exec/Engine.h"
#include "runtime/src/exec/MemoryPlan.h"
#include "runtime/src/exec/Neighbourhood.h"

namespace gnn::rt {

class InferAt {
public:
  /// The program has no obstacle (Neighbourhood::obstacle). All arguments must outlive the executor.
  InferAt(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program);

  /// Where a parameter or state lies, as Executor::place.
  void place(uint32_t tensor, void *data) { placed[tensor] = data; }
  /// The program's results, those of vertices with a row for each of `seeds`: rows of the whole tables of a vertex
  /// type, any number of times. Results of other types have no rows.
  std::vector<Tensor> run(uint32_t vertexType, Span<const int64_t> seeds);

private:
  /// A tensor that has rows here as it is met by steps.
  struct Rows {
    bool isUsed = false;
    bool isMade = false; // by a step; else gathered
    bool isOfEdges = false;
    uint32_t type = 0; // of vertices, or relation
    int32_t depth = 0; // of vertices: the rows are those of this depth
    size_t bytes = 0;  // of each
  };

  void findRows();
  void note(uint32_t tensor, const Rows &found);
  int64_t count(const Rows &rows) const;
  bool grow();
  void prepare();
  void gather();
  void runStep(uint32_t step);
  bool isGiven(uint32_t tensor) const;
  Tensor resultFor(uint32_t tensor, uint32_t vertexType, const std::vector<int64_t> &rowOfSeed);

  Engine &engine;
  const Library &library;
  const Binding &binding;
  const gnn_program_t &program;
  Neighbourhood neighbourhood;
  std::vector<Rows> rows;        // [library tensors]
  std::vector<int64_t> capacity; // [library tensors] rows that there is room for
  std::vector<int64_t> edges;    // [relations] the same
  const std::shared_ptr<ResidentTables> tables;
  std::unique_ptr<Prepared> prepared;
  MemoryPlan memory;
  std::unique_ptr<Memory> arena, lasting; // temporaries; what is gathered, and results
  std::vector<void *> placed;             // [library tensors] parameters and states
  std::vector<void *> bases;              // [library tensors]
  std::vector<void *> operands;           // of the step at hand
};

} // namespace gnn::rt

#endif // GNN_EXEC_INFERAT_H
