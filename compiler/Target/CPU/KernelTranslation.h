//===- KernelTranslation.h - Functions of kernels to LLVM IR ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the llvm dialect to LLVM IR and, for several instruction sets at a time, to objects.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_CPU_KERNELTRANSLATION_H
#define GNNC_TARGET_CPU_KERNELTRANSLATION_H

#include "compiler/Target/CPU/ObjectEmitter.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include <memory>

namespace gnnc {

/// Registers what `translateKernels` needs.
void registerKernelTranslation(mlir::DialectRegistry &registry);

/// The functions of `isa` in `module` (`llvm.func` with the attribute `star.isa`) as an LLVM module, not yet optimised.
std::unique_ptr<llvm::Module> translateKernels(mlir::ModuleOp module, Isa isa, llvm::LLVMContext &context);

/// Translates, optimises and emits the functions of `isas`, some at a time, on all processors. The objects, of which an
/// instruction set may have several, are the same for any number of those.
llvm::Expected<std::vector<llvm::SmallVector<char, 0>>> compileKernels(mlir::ModuleOp module, llvm::ArrayRef<Isa> isas,
                                                                       CodeEffort effort = CodeEffort::Full);

} // namespace gnnc

#endif // GNNC_TARGET_CPU_KERNELTRANSLATION_H
