//===- SharedBodies.h - Code that several kernels have ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that become the same code have one body, in two ways: kernels that are known beforehand to differ in numbers
// alone, and functions that turn out to be equal.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_SHAREDBODIES_H
#define GNNC_KERNELS_SHAREDBODIES_H

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace gnnc {

/// Kernels of many layers or many softmaxes are often the same but for a scale, an offset or the site of a dropout.
/// Such a family is compiled once: the first kernel has the code, in which these numbers are arguments.
class KernelFamilies {
public:
  explicit KernelFamilies(mlir::ModuleOp module);

  /// The first kernel of the family; `kernel` itself if it has none.
  star::KernelOp first(star::KernelOp kernel) const;
  /// The ops of `kernel` whose numbers are arguments of its functions: constants and dropouts in which the kernels of
  /// the family differ, in the same order in each of these.
  llvm::ArrayRef<mlir::Operation *> parameters(star::KernelOp kernel) const;
  static mlir::TypedAttr numberOf(mlir::Operation *parameter);

private:
  void add(llvm::ArrayRef<star::KernelOp> kernels);

  llvm::DenseMap<star::KernelOp, star::KernelOp> firsts;
  llvm::DenseMap<star::KernelOp, llvm::SmallVector<mlir::Operation *>> parametersOf;
};

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
