//===- InferAt.h - Executor of inference for some vertices ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a program over the neighbourhood of a few vertices, and gives the results that it has for them over the whole
// graph.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_INFERAT_H
#define GNN_EXEC_INFERAT_H

#include "runtime/src/exec/LocalRun.h"

namespace gnn::rt {

class InferAt {
public:
  /// The program has no obstacle (Obstacles.h). All arguments must outlive the executor.
  InferAt(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program);

  /// Where a parameter or state lies, as Executor::place.
  void place(uint32_t tensor, void *data) { local.place(tensor, data); }
  /// The program's results, those of vertices with a row for each of `seeds`: rows of the whole tables of a vertex
  /// type, any number of times. Results of other types have no rows. `changed`: null where edges are the binding's.
  std::vector<Tensor> run(uint32_t vertexType, Span<const int64_t> seeds, const ChangedRows *changed = nullptr);

private:
  Tensor resultFor(uint32_t tensor, uint32_t vertexType, const std::vector<int64_t> &rowOfSeed);

  Engine &engine;
  const Library &library;
  const Binding &binding;
  const gnn_program_t &program;
  LocalRun local;
};

} // namespace gnn::rt

#endif // GNN_EXEC_INFERAT_H
