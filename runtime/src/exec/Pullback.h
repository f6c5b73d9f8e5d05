//===- Pullback.h - Forward now, backward later -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a program with cotangents (GNN_PROGRAM_VJP) over a graph in memory: its forward steps by themselves, and its
// backward steps when cotangents are known. What forward keeps for backward lies in memory of the caller, which
// backward only reads: so any number of calls may wait, and one may be gone back several times.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_PULLBACK_H
#define GNN_EXEC_PULLBACK_H

#include "runtime/src/exec/Whole.h"
#include "runtime/src/program/PartOfProgram.h"

namespace gnn::rt {

class Pullback {
public:
  /// For these results of `whole`: gradients that are not among them are not computed, and what they alone need is not
  /// kept. All arguments must outlive this.
  Pullback(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &whole,
           std::vector<uint32_t> results);

  size_t keptBytes() const { return numKept; }
  /// Where a parameter, a state or a cotangent lies, in the order of local vertices. Before each run.
  void place(uint32_t tensor, const void *data) { bases[tensor] = const_cast<void *>(data); }
  /// Runs the steps of a phase (GNN_PHASE_*) and writes the results that they give to `results`, one for each, in the
  /// order of the program: tables in the order of original vertices and of the edges that were given. `kept` has
  /// `keptBytes`, aligned to 64.
  void run(uint32_t phase, uint64_t key, void *kept, std::vector<Tensor> &results);

private:
  bool isWrittenInPlace(uint32_t tensor) const;
  void deliver(uint32_t tensor, Tensor &to) const;

  Engine &engine;
  const Library &library;
  const Binding &binding;
  const std::unique_ptr<const PartOfProgram> part;
  const gnn_program_t &program;
  const WholeView view;
  const std::unique_ptr<Prepared> prepared;
  MemoryPlan memory;
  std::map<uint32_t, size_t> kept, apart; // offsets, by tensor: in `kept`, and behind the temporaries
  size_t numKept = 0;
  std::unique_ptr<Memory> transient;
  std::vector<void *> bases; // [library tensors]
};

} // namespace gnn::rt

#endif // GNN_EXEC_PULLBACK_H
