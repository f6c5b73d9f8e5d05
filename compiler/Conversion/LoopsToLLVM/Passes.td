//===- Passes.td - Loops to the llvm dialect ---------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_LOOPSTOLLVM_PASSES_TD
#define GNNC_CONVERSION_LOOPSTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def LoopsToLLVM : Pass<"loops-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert the functions of kernels to the llvm dialect";
  let description = [{
    Before: functions as `star-to-loops` builds them. After: for each an `llvm.func` of the type of `gnn_kernel_fn`
    (runtime/include/gnn/program.h) that loads the parts of `gnn_kernel_args_t` and calls the function's body, whose pointers do not alias, or
    that of another function which `star.body` names. Other ops of the module stay.

    Memrefs of that level have one dimension and are contiguous: each becomes a pointer.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif // GNNC_CONVERSION_LOOPSTOLLVM_PASSES_TD
