//===- ResourceUsage.h - What device functions take -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of `--resource-usage`: registers, memory and spills of each device function as ptxas reports them, how full
// they leave a multiprocessor, and the line of the source that the kernel comes from.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DRIVER_RESOURCEUSAGE_H
#define GNNC_DRIVER_RESOURCEUSAGE_H

#include "compiler/Target/GPU/Assembler.h"
#include "compiler/Target/GPU/Chip.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc {

/// Share of the threads that a multiprocessor of `chip` can hold which it does hold, with blocks of `block` threads.
double occupancy(const Chip &chip, const ResourceUsage &usage, unsigned block);

/// An error that says which kernel's schedule wants more shared memory than a block of one of the chips has, where
/// that is known.
llvm::Error checkSharedMemory(mlir::ModuleOp module, llvm::ArrayRef<Chip> chips);

/// An error that says which function of the device module takes more arguments than a launch can pass. Each is counted
/// as a pointer, which none exceeds.
llvm::Error checkArguments(mlir::ModuleOp module);

/// `module` has the kernels that `usage` is of.
void printResourceUsage(mlir::ModuleOp module, const Chip &chip, llvm::ArrayRef<ResourceUsage> usage,
                        llvm::raw_ostream &os);

} // namespace gnnc

#endif // GNNC_DRIVER_RESOURCEUSAGE_H
