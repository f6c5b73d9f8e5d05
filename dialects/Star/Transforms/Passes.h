//===- Passes.h - Passes of the star dialect --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the passes that Passes.td describes.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_STAR_TRANSFORMS_PASSES_H
#define GNNC_DIALECTS_STAR_TRANSFORMS_PASSES_H

#include "dialects/Star/IR/Star.h"
#include "mlir/Pass/Pass.h"

namespace gnnc::star {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "dialects/Star/Transforms/Passes.h.inc"

} // namespace gnnc::star

#endif // GNNC_DIALECTS_STAR_TRANSFORMS_PASSES_H
