//===- Passes.td - Loops to the llvm dialect ---------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_LOOPSTOLLVM_PASSES_TD
#define GNNC_CONVERSION_LOOPSTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def GroupKernels : Pass<"group-kernels", "::mlir::ModuleOp"> {
  let summary = "Put the functions of kernels into modules of their own";
  let description = [{
    Before: functions as `star-to-loops` builds them. After: each is in a module inside the module, whose `star.isa` is that of all of its
    functions. One that has the body of another is where that is. The modules have about as much work each, and are the same however many
    processors there are: each can be lowered and compiled while another one is.
  }];
}

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
