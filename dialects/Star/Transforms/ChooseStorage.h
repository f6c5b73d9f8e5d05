//===- ChooseStorage.h - How fields lie in memory ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the fields that steps pass to each other, and of the inputs, take less memory than their elements.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_STAR_TRANSFORMS_CHOOSESTORAGE_H
#define GNNC_DIALECTS_STAR_TRANSFORMS_CHOOSESTORAGE_H

#include "dialects/Star/IR/Star.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace gnnc::star {

/// The fields of the programs of `module`, which are sweeps, maps and products, that are stored as bits and, if `reals`
/// says so, as bf16 or f16; others are stored as elements.
llvm::DenseMap<mlir::Value, Storage> chooseStorage(mlir::ModuleOp module, Storage reals);

} // namespace gnnc::star

#endif // GNNC_DIALECTS_STAR_TRANSFORMS_CHOOSESTORAGE_H
