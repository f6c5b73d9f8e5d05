//===- StarToLoops.h - Kernels to loops -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that turns kernels into functions over memory; see Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_STARTOLOOPS_H
#define GNNC_CONVERSION_STARTOLOOPS_STARTOLOOPS_H

#include "mlir/Pass/Pass.h"

namespace gnnc {

/// Attaches the interface of ops in kernels (KernelElements.td) to the dialects `gnn` and `star`.
void registerKernelElements(mlir::DialectRegistry &registry);

#define GEN_PASS_DECL_STARPLANSWEEPS
#define GEN_PASS_DECL_STARTOLOOPS
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/StarToLoops/Passes.h.inc"

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_STARTOLOOPS_H
