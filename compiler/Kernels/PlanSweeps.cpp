//===- PlanSweeps.cpp - Prints what the code of sweeps will look like -----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/Passes.h"
#include "compiler/Kernels/SweepPlan.h"

namespace gnnc {
#define GEN_PASS_DEF_STARPLANSWEEPS
#include "compiler/Kernels/Passes.h.inc"

namespace {

class StarPlanSweeps : public impl::StarPlanSweepsBase<StarPlanSweeps> {
public:
  using StarPlanSweepsBase::StarPlanSweepsBase;

  void runOnOperation() override {
    const std::optional<Isa> isa = parseIsa(target);
    if (!isa && target != "gpu") {
      getOperation().emitError("unknown target `") << target << "`: expected an instruction set or gpu";
      return signalPassFailure();
    }
    for (auto kernel : getOperation().getOps<star::KernelOp>()) {
      if (!kernel.isSweep() || kernel.isOfTotals())
        continue;
      if (!isa && !kernel.getMapping()) {
        kernel.emitError("has no mapping to threads (star-map-threads)");
        return signalPassFailure();
      }
      StateLayout layout(kernel);
      if (isa && takesPasses(kernel, layout))
        layout.layOutInPasses();
      const Machine machine = isa ? Machine::of(*isa) : Machine::device(kernel.getMapping()->getThreads());
      llvm::outs() << "@" << kernel.getSymName() << "\n";
      planSweep(kernel, layout, machine).print(llvm::outs());
    }
  }
};

} // namespace

} // namespace gnnc
