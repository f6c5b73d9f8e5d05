//===- NarrowFloats.h - f32 to and from 16 bits ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of what is stored in 16 bits: bf16, which has the type i16, and f16. Integer arithmetic gives all
// machines the same bits, and so do instructions for f16 where there are some. (The bits of a NaN are the machine's
// own.)
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_NARROWFLOATS_H
#define GNNC_DIALECTS_GNN_IR_NARROWFLOATS_H

#include "mlir/IR/Builders.h"

namespace gnnc::gnn {

/// The f32, or the vector of them, that `narrow` stands for. `hasF16`: whether there are instructions for f16.
mlir::Value widenFloat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value narrow, bool hasF16);
/// `number`, an f32 or a vector of them, rounded to the nearest of the type `narrow`, of two to the even one.
mlir::Value narrowFloat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number, mlir::Type narrow,
                        bool hasF16);

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_NARROWFLOATS_H
