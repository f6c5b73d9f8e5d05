//===- Executor.h - What runs a program -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program prepared for a graph, on whatever it runs. All that its steps need is made with the executor; a run
// allocates nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_EXECUTOR_H
#define GNN_EXEC_EXECUTOR_H

#include "runtime/src/core/Span.h"
#include "runtime/src/core/Tensor.h"
#include "runtime/src/engine/TrainingStep.h"
#include "runtime/src/exec/StepProfile.h"
#include "runtime/src/program/MemoryPlan.h"
#include "runtime/src/program/ProgramPlan.h"

namespace gnn::rt {

class Executor {
public:
  Executor(const Library &library, const gnn_program_t &program)
      : library(library), program(program), steps(library.steps(program)) {}
  virtual ~Executor() = default;
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  /// The program that this executes.
  const gnn_program_t &walked() const { return program; }
  /// How a Plan calls it.
  virtual const char *name() const = 0;
  /// Where a parameter or state tensor lies, in memory of the engine; to be given for each that the program touches
  /// before the first run.
  virtual void place(uint32_t tensor, void *data) = 0;

  /// Runs the program once. Its results are in `result(i)` until the next run, unless they were taken.
  virtual void run(uint64_t stepKey) = 0;
  /// The same for a training program; then, if all of its results are finite, parameters and states are updated.
  virtual StepOutcome train(const TrainingStep &step) = 0;
  /// Makes the next run do all steps again, where an executor does some once (findFixedSteps): for who measures them.
  virtual void repeatFixedSteps() {}
  /// Does now the steps that it does once, unless they are timed: then the first run does them.
  virtual void makeFixed() {}
  /// Whether runs to come read a bound tensor.
  virtual bool readsAgain(uint32_t) const { return true; }
  /// Result `i` of the program's list, in local vertex order.
  virtual const Tensor &result(uint32_t i) = 0;
  /// Rows of a result over vertices or edges, without the others where these are not in memory.
  virtual Tensor resultRows(uint32_t i, Span<const int64_t> rows) { return result(i).rowsAt(rows); }
  /// The same as `result` for the caller to keep: no run writes to it while the caller has it.
  virtual Tensor takeResult(uint32_t i) = 0;

  /// The same in the memory of the device that computes it.
  virtual Tensor takeResultThere(uint32_t i) = 0;

  /// Bytes of temporaries, results, partial sums and scratch memory at their peak.
  virtual size_t peakBytes() const = 0;
  virtual const MemoryPlan &plan() const { return memory; }
  /// Prepared::parts.
  virtual StepParts parts(uint32_t) const { return {}; }

  /// From now on times each step.
  void startProfile() { profile.emplace(library, program); }
  /// After `startProfile` and runs.
  const StepProfile &stepProfile() const { return *profile; }

protected:
  const Library &library;
  const gnn_program_t &program;
  const ProgramSteps steps; // of the program
  MemoryPlan memory;
  std::optional<StepProfile> profile;
};

} // namespace gnn::rt

#endif // GNN_EXEC_EXECUTOR_H
