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

/// The functions of `isa` in the modules inside of `module` (`group-kernels`) as one LLVM module, not yet optimised.
std::unique_ptr<llvm::Module> translateKernels(mlir::ModuleOp module, Isa isa, llvm::LLVMContext &context);

/// Translates, optimises and emits these modules of `isas`, one beside the other on all threads of the MLIR context:
/// an object of each. They are the same for any number of threads.
llvm::Expected<std::vector<llvm::SmallVector<char, 0>>> compileKernels(mlir::ModuleOp module, llvm::ArrayRef<Isa> isas,
                                                                       CodeEffort effort = CodeEffort::Full);

} // namespace gnnc

#endif // GNNC_TARGET_CPU_KERNELTRANSLATION_H
