//===- SharedBodies.h - Code that several kernels have ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that turn out to be equal have one body. Kernels that are known beforehand to differ in numbers alone are
// families (KernelFamilies.h).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_SHAREDBODIES_H
#define GNNC_KERNELS_SHAREDBODIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace gnnc {

/// Kernels of layers that differ in the names of dimensions alone, and most functions that merge states, become the
/// same code: where an argument comes from is all that distinguishes them. One of them has the body.
class SharedBodies {
public:
  /// Takes the body of `function` away where an earlier one has an equal body for the same instruction set: then
  /// `star.body` names that.
  void share(mlir::func::FuncOp function);

private:
  llvm::DenseMap<llvm::hash_code, llvm::SmallVector<mlir::func::FuncOp, 1>> known;
};

} // namespace gnnc

#endif // GNNC_KERNELS_SHAREDBODIES_H
