//===- KernelEntry.h - Entry points of kernels ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the function that a library's table points to: it takes `gnn_kernel_args_t` apart.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_LOOPSTOLLVM_KERNELENTRY_H
#define GNNC_CONVERSION_LOOPSTOLLVM_KERNELENTRY_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace gnnc {

/// Builds `void name(const gnn_kernel_args_t *, i64 begin, i64 end)` that calls `body` with begin, end, and for each
/// further argument the part of the struct, or the one of `constants`, that `sources` names (docs of the pass
/// `star-to-loops`).
void buildKernelEntry(mlir::OpBuilder &builder, llvm::StringRef name, mlir::FlatSymbolRefAttr body,
                      llvm::ArrayRef<mlir::StringAttr> sources, mlir::ArrayAttr constants, mlir::StringAttr isa,
                      mlir::Location loc);

} // namespace gnnc

#endif // GNNC_CONVERSION_LOOPSTOLLVM_KERNELENTRY_H
