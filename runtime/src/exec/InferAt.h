//===- InferAt.h - Executor of inference for some vertices ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a program over the neighbourhood of a few vertices, and gives the results that it has for them over the whole
// graph. An answer for a vertex has the same bits whoever is asked for with it, and whatever is taken from stored rows:
// of programs with other orders of sums and products all neighbourhoods have the same one, and rows of products stand
// alone.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_INFERAT_H
#define GNN_EXEC_INFERAT_H

#include "runtime/src/exec/LocalRun.h"

namespace gnn::rt {

class InferAt {
public:
  /// Programs of one kind, without obstacles (Obstacles.h). Engine, library and binding must outlive the executor.
  InferAt(Engine &engine, const Library &library, const Binding &binding,
          const std::vector<const gnn_program_t *> &programs);

  /// The one that runs: it follows from the library and its dimensions alone.
  const gnn_program_t &program() const { return compiled; }
  /// Where a parameter or state lies, as Executor::place.
  void place(uint32_t tensor, void *data) { local.place(tensor, data); }
  /// The program's results, those of vertices with a row for each of `seeds`: rows of the whole tables of a vertex
  /// type, any number of times. Results of other types have no rows. `changed`: null where edges are the binding's.
  /// `stored`: null, or rows of this program over this graph, which is at `moment`.
  std::vector<Tensor> run(uint32_t vertexType, Span<const int64_t> seeds, const ChangedRows *changed = nullptr,
                          StoredRows *stored = nullptr, uint64_t moment = 0);
  /// Computes all stored rows that are not known.
  void fill(const ChangedRows *changed, StoredRows &stored, uint64_t moment);

private:
  void runAround(uint32_t vertexType, Span<const int64_t> seeds, const ChangedRows *changed, int32_t depth);
  Tensor resultFor(uint32_t tensor, uint32_t vertexType, const std::vector<int64_t> &rowOfSeed);

  Engine &engine;
  const Library &library;
  const Binding &binding;
  const gnn_program_t &compiled;
  std::unique_ptr<Neighbourhood> around; // null: `local` has it
  LocalRun local;
  StoredUse use;
};

} // namespace gnn::rt

#endif // GNN_EXEC_INFERAT_H
