//===- SweepStep.h - Sweeps on processors -------------------- -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_SWEEPSTEP_H
#define GNN_CPU_SWEEPSTEP_H

#include "runtime/src/cpu/PlanTrials.h"
#include "runtime/src/cpu/SweepParts.h"

namespace gnn::rt {

/// GNN_STEP_SWEEP. A call that is first and last goes in the parts that were planned; another one takes the rows of the
/// view as they are, with the states that it is given. Where other plans are close to the best one the first whole
/// calls try them, in turns, and the step stays with the fastest.
class SweepStep : public CpuStep {
public:
  SweepStep(CpuProgram &program, uint32_t step);
  ~SweepStep() override;

  const KernelCall &kernelCall() const { return call; }
  /// Bytes that the edges of `view` read.
  static size_t bytesOnEdges(const CpuProgram &program, const gnn_step_t &info, const View &view);

  size_t roomBytes() const override { return room; }
  /// Those that it shares with others.
  const std::shared_ptr<const Partitions> &partitions() const { return parts().partitions; }
  /// Counts the parts of the view that all calls go over.
  StepParts countParts() const;
  void run(const View &view, void *const *operands, const StepCall &how) override;

  /// Prepared::stateBytes and merge.
  size_t rowStateBytes() const { return traits.stateBytes * size_t(traits.elements); }
  void mergeStates(void *states, const void *more, int64_t begin, int64_t end) const;

private:
  SweepParts &parts() { return ways[trials.plan()]; }
  const SweepParts &parts() const { return ways[trials.plan()]; }
  void see(const View &view);
  void beginTrials();
  void tryPlan(const View &view, char *room);
  int64_t countPasses(const SweepParts &of) const;
  void callRows(gnn_kernel_args_t args, int64_t task, unsigned worker) const;
  void runPart(const StepCall &how);
  void runPasses(char *room);
  void runHubs(const gnn_kernel_args_t &args, char *states);
  void runTiles(const gnn_kernel_args_t &args);
  void runGroups(const gnn_kernel_args_t &args, char *states);
  void packPass(gnn_kernel_args_t &args, char *copies);

  CpuProgram &program;
  SweepTraits traits;
  gnn_kernel_fn merge;
  KernelCall call;
  std::vector<SweepParts> ways{1}; // of each plan that is tried, at last of one
  PlanTrials trials;
  size_t trialNumber = 0; // in TriedPlans, before they are over
  size_t room = 0;        // of the view that all calls see; parts of others need none
  uint64_t planned = 0;   // View::content of the edges that the parts are of
  std::vector<void *> passOperands;
};

} // namespace gnn::rt

#endif // GNN_CPU_SWEEPSTEP_H
