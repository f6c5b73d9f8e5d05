//===- LoopsToLLVM.h - Loops to the llvm dialect ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that group functions over memory and turn them into the llvm dialect; see Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_LOOPSTOLLVM_LOOPSTOLLVM_H
#define GNNC_CONVERSION_LOOPSTOLLVM_LOOPSTOLLVM_H

#include "mlir/Pass/Pass.h"

namespace gnnc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/LoopsToLLVM/Passes.h.inc"

} // namespace gnnc

#endif // GNNC_CONVERSION_LOOPSTOLLVM_LOOPSTOLLVM_H
