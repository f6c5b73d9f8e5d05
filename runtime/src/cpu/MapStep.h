//===- MapStep.h - Maps on processors ------------------------ -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_MAPSTEP_H
#define GNN_CPU_MAPSTEP_H

#include "runtime/src/cpu/CpuStep.h"
#include "runtime/src/cpu/Panels.h"
#include "runtime/src/cpu/SlotFolds.h"

namespace gnn::rt {

/// GNN_STEP_MAP, in slots of GNN_SLOT_ROWS rows, by which totals are folded.
class MapStep : public CpuStep {
public:
  MapStep(CpuProgram &program, const gnn_step_t &info);

  /// Operand `operand` is what `product` makes.
  void addProduct(uint32_t operand, ProductStep &product) { products.add(operand, product); }
  const KernelCall &kernelCall() const { return call; }
  size_t roomBytes() const override;
  size_t ownBytes() const override { return products.bytes(); }
  void run(const View &view, void *const *operands, const StepCall &how) override;

private:
  void callKernel(gnn_kernel_args_t &args, int64_t begin, int64_t end, unsigned worker);

  CpuProgram &program;
  const gnn_step_t &info;
  KernelCall call;
  ProductPanels products;
  SlotFolds totals;
};

} // namespace gnn::rt

#endif // GNN_CPU_MAPSTEP_H
