//===- Passes.h - Kernels to loops and device functions ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that turn kernels into functions of a processor or a device; see Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_PASSES_H
#define GNNC_KERNELS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace gnnc {

/// Attaches the interface of ops in kernels (KernelElements.td) to the dialects `gnn` and `star`.
void registerKernelElements(mlir::DialectRegistry &registry);

/// Symbol of the module of device functions.
inline constexpr llvm::StringLiteral deviceModuleName = "device";
/// The suffix, after the name of a kernel, of the function that merges its states.
inline constexpr llvm::StringLiteral mergeSuffix = "$merge";
/// Function attributes: bytes of scratch memory of a group, bytes of the spilled state of a row or slot, bytes of the
/// shared memory of a block, and the mapping.
inline constexpr llvm::StringLiteral scratchBytesAttribute = "star.scratch_bytes",
                                     sharedBytesAttribute = "star.shared_bytes",
                                     stateBytesAttribute = "star.state_bytes", mappingAttribute = "star.mapping";

#define GEN_PASS_DECL_STARPLANSWEEPS
#define GEN_PASS_DECL_STARTOGPU
#define GEN_PASS_DECL_STARTOLOOPS
#define GEN_PASS_REGISTRATION
#include "compiler/Kernels/Passes.h.inc"

} // namespace gnnc

#endif // GNNC_KERNELS_PASSES_H
