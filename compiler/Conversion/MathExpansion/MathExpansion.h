//===- MathExpansion.h - Math functions of our own --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes share-math and math-expansion; Passes.td says what they do.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_MATHEXPANSION_MATHEXPANSION_H
#define GNNC_CONVERSION_MATHEXPANSION_MATHEXPANSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"

namespace gnnc {

#define GEN_PASS_DECL
#include "compiler/Conversion/MathExpansion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/Conversion/MathExpansion/Passes.h.inc"

} // namespace gnnc

#endif // GNNC_CONVERSION_MATHEXPANSION_MATHEXPANSION_H
