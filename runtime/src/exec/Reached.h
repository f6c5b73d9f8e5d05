//===- Reached.h - Executor of the rows that a loss reaches -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains over the vertices that a loss reaches, of each depth those that steps read there, and computes nothing for
// others. Draws are those of the whole graph, and rows have its edges in its order. All that steps go over is found
// when the executor is made; a run allocates nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_REACHED_H
#define GNN_EXEC_REACHED_H

#include "runtime/src/exec/LocalExecutor.h"

namespace gnn::rt {

class Reached : public LocalExecutor {
public:
  /// A training program without an obstacle (obstacleToReached), over the rows that the loss of the binding is over
  /// now. All arguments must outlive the executor.
  Reached(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program);

  const char *name() const override { return "reached rows"; }
  void run(uint64_t stepKey) override;
  StepOutcome train(const TrainingStep &step) override;
  size_t peakBytes() const override;
  StepParts parts(uint32_t step) const override { return local.parts(step); }

private:
  void gather();

  bool isGathered = false;
};

} // namespace gnn::rt

#endif // GNN_EXEC_REACHED_H
