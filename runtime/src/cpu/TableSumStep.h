//===- TableSumStep.h - Sweeps that fold edges into tables --- -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_TABLESUMSTEP_H
#define GNN_CPU_TABLESUMSTEP_H

#include "runtime/src/cpu/CpuStep.h"
#include "runtime/src/cpu/SlotFolds.h"

namespace gnn::rt {

/// GNN_STEP_SWEEP with totals, in slots of GNN_SLOT_ROWS rows. These are folded some at a time, in order: memory does
/// not grow with the graph. A call that is not first goes on with the totals that are there.
class TableSumStep : public CpuStep {
public:
  TableSumStep(CpuProgram &program, const gnn_step_t &info);

  size_t roomBytes() const override { return totals.bytes(slotsAtOnce); }
  void run(const View &view, void *const *operands, const StepCall &how) override;

private:
  CpuProgram &program;
  const gnn_step_t &info;
  KernelCall call;
  SlotFolds totals;
  int64_t slotsAtOnce;
};

} // namespace gnn::rt

#endif // GNN_CPU_TABLESUMSTEP_H
