//===- PtxEmitter.h - Device functions to PTX -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates the device module to LLVM IR, optimises it and prints it as PTX. Nothing of the CUDA toolkit takes part:
// no library of device functions is linked, for none is called.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_GPU_PTXEMITTER_H
#define GNNC_TARGET_GPU_PTXEMITTER_H

#include "compiler/Target/GPU/Chip.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <string>

namespace gnnc {

/// Registers the translations of the dialects of device functions, which `emitPtx` requires.
void registerDeviceTranslation(mlir::DialectRegistry &registry);

/// The PTX of a module that `gpu-to-nvvm` gave.
std::string emitPtx(mlir::gpu::GPUModuleOp device, const Chip &chip);

} // namespace gnnc

#endif // GNNC_TARGET_GPU_PTXEMITTER_H
