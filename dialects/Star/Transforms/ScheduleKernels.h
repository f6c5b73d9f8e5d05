//===- ScheduleKernels.h - Schedules of kernels -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass star-schedule-kernels as a function, for callers to whom an unusable request is an error of their user.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_STAR_TRANSFORMS_SCHEDULEKERNELS_H
#define GNNC_DIALECTS_STAR_TRANSFORMS_SCHEDULEKERNELS_H

#include "dialects/Star/IR/Star.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc::star {

/// The kernels that a request is about.
llvm::SmallVector<KernelOp> kernelsMeant(mlir::ModuleOp module, const ScheduleRequest &request);

/// Sets the schedules of the module's kernels; later requests prevail. The error, one line, names a request that
/// applies to no kernel.
llvm::Error scheduleKernels(mlir::ModuleOp module, llvm::ArrayRef<ScheduleRequest> requests);

} // namespace gnnc::star

#endif // GNNC_DIALECTS_STAR_TRANSFORMS_SCHEDULEKERNELS_H
