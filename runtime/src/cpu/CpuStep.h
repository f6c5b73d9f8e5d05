//===- CpuStep.h - A step that processors run ---------------- -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// One class for each kind of step: SweepStep, MapStep, ProductStep, ProductSumStep. What the steps of a program share
// is a CpuProgram.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_CPUSTEP_H
#define GNN_CPU_CPUSTEP_H

#include "runtime/src/cpu/Team.h"
#include "runtime/src/cpu/TriedPlans.h"
#include "runtime/src/engine/Engine.h"

#include <algorithm>

namespace gnn::rt {

/// Memory of each worker for one call of a kernel. Programs of a team share it.
class WorkerScratch {
public:
  explicit WorkerScratch(Team &team) : team(team) {}

  /// Asks for so many bytes for each worker.
  void reserve(size_t bytes);
  char *of(unsigned worker) const { return team.workspace().scratch.data() + worker * stride; }
  size_t perWorker() const { return stride; }
  size_t bytes() const { return stride * team.size(); }

private:
  Team &team;
  size_t stride = 0;
};

/// Data that the steps of a program share.
struct CpuProgram {
  const Library &library;
  const Dims &dims;
  const gnn_program_t &program;
  Team &team;
  const ProgramPlan &plan;
  const Capacity capacity;
  const StepViews views;                   // of the steps, or none
  const gnn_tuning_t *tuning;              // of a graph like that which all steps go over, or null
  const std::shared_ptr<TriedPlans> tried; // of sweeps that try several plans, or null: none does
  WorkerScratch scratch;
  gnn_random_t random{0};

  /// Null where views come with the steps.
  const View *viewOf(const gnn_step_t &step) const {
    return views.empty() ? nullptr : views[size_t(&step - program.steps)];
  }
  int64_t extent(uint32_t index) const { return dims.extents()[index]; }
  uint32_t elementOf(uint32_t tensor) const { return library.tensor(tensor).element; }
  /// Most bytes of a tensor but those of edges.
  size_t bytesOf(uint32_t tensor) const;
  /// Whether those who read the result of a step make it themselves.
  bool isVirtual(const gnn_step_t &step) const { return !plan.isStored(step.tensors[step.num_tensors - 1]); }
};

class CpuStep {
public:
  virtual ~CpuStep() = default;

  virtual size_t roomBytes() const { return 0; }
  virtual size_t ownBytes() const { return 0; }
  /// Prepared::run.
  virtual void run(const View &view, void *const *operands, const StepCall &how) = 0;
};

/// A kernel of a step, with what its calls have in common.
struct KernelCall {
  KernelCall(CpuProgram &program, const gnn_step_t &step);
  KernelCall(const KernelCall &) = delete;
  KernelCall &operator=(const KernelCall &) = delete;

  void place(void *const *given) { std::copy(given, given + operands.size(), operands.begin()); }

  gnn_kernel_fn run;
  gnn_block_t block{};
  std::vector<void *> operands; // of the run at hand
  gnn_kernel_args_t args{};     // of all rows, first and last: `block` and `operands`
};

} // namespace gnn::rt

#endif // GNN_CPU_CPUSTEP_H
