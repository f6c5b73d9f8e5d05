//===- GpuToNVVM.h - Device functions to the llvm dialect -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that lowers device functions; see Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_GPUTONVVM_GPUTONVVM_H
#define GNNC_CONVERSION_GPUTONVVM_GPUTONVVM_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace gnnc {

#define GEN_PASS_DECL_GPUTONVVM
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/GpuToNVVM/Passes.h.inc"

} // namespace gnnc

#endif // GNNC_CONVERSION_GPUTONVVM_GPUTONVVM_H
