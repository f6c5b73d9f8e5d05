//===- GnnToStar.h - Conversion of gnn to star ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass `gnn-to-star`: fusion of the ops of a program into steps. See Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_GNNTOSTAR_GNNTOSTAR_H
#define GNNC_CONVERSION_GNNTOSTAR_GNNTOSTAR_H

#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gnnc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/GnnToStar/Passes.h.inc"

} // namespace gnnc

#endif // GNNC_CONVERSION_GNNTOSTAR_GNNTOSTAR_H
