//===- Passes.td - Device functions to the llvm dialect ----*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_GPUTONVVM_PASSES_TD
#define GNNC_CONVERSION_GPUTONVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def GpuToNVVM : Pass<"gpu-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert device functions to the llvm and nvvm dialects";
  let description = [{
    Before: `gpu.func`s as `star-to-gpu` builds them. After: for each an `llvm.func` with `nvvm.kernel` whose arguments are those of the
    function, memrefs as pointers that, but for scratch memory, do not alias (global memory: address space 1), in the order that `star.source` of the arguments says.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif // GNNC_CONVERSION_GPUTONVVM_PASSES_TD
