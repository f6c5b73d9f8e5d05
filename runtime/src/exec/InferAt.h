//===- InferAt.h - Executor of inference for some vertices ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a program over the neighbourhood of a few vertices, and gives the results that it has for them over the whole
// graph. Of programs with other orders of sums and products each neighbourhood has the cheapest.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_INFERAT_H
#define GNN_EXEC_INFERAT_H

#include "runtime/src/exec/LocalRun.h"

namespace gnn::rt {

class InferAt {
public:
  /// Programs of one kind, without obstacles (Obstacles.h). Engine, library and binding must outlive the executor.
  InferAt(Engine &engine, const Library &library, const Binding &binding, std::vector<const gnn_program_t *> programs);

  /// Where a parameter or state lies, as Executor::place.
  void place(uint32_t tensor, void *data);
  /// The program's results, those of vertices with a row for each of `seeds`: rows of the whole tables of a vertex
  /// type, any number of times. Results of other types have no rows. `changed`: null where edges are the binding's.
  std::vector<Tensor> run(uint32_t vertexType, Span<const int64_t> seeds, const ChangedRows *changed = nullptr);

private:
  LocalRun &runAround(uint32_t vertexType, Span<const int64_t> seeds, const ChangedRows *changed);
  Tensor resultFor(const LocalRun &local, uint32_t tensor, uint32_t vertexType, const std::vector<int64_t> &rowOfSeed);

  Engine &engine;
  const Library &library;
  const Binding &binding;
  const std::vector<const gnn_program_t *> programs;
  const std::vector<ProgramPrice> prices;        // of these
  std::unique_ptr<Neighbourhood> around;         // of all programs; null: `last` has it
  std::vector<std::unique_ptr<LocalRun>> locals; // [programs] null: was never the cheapest
  LocalRun *last = nullptr;
  std::vector<std::pair<uint32_t, void *>> placed;
};

} // namespace gnn::rt

#endif // GNN_EXEC_INFERAT_H
