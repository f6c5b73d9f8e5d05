//===- KernelFamilies.h - Kernels that differ in numbers alone --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of many layers or many softmaxes are often the same but for a scale, an offset or the site of a dropout. Such
// a family is compiled once: the first kernel has the code, in which these numbers are arguments.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_KERNELFAMILIES_H
#define GNNC_CONVERSION_STARTOLOOPS_KERNELFAMILIES_H

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Star/IR/Star.h"
#include "llvm/ADT/DenseMap.h"

namespace gnnc {

class KernelFamilies {
public:
  /// Finds the families of the kernels of `module`.
  explicit KernelFamilies(mlir::ModuleOp module);

  /// The first kernel of the family; `kernel` itself if it has none.
  star::KernelOp first(star::KernelOp kernel) const;
  /// The ops of `kernel` whose numbers are arguments of its functions: constants and dropouts in which the kernels of
  /// the family differ, in the same order in each of these.
  llvm::ArrayRef<mlir::Operation *> parameters(star::KernelOp kernel) const;
  /// The number of a parameter.
  static mlir::TypedAttr numberOf(mlir::Operation *parameter);

private:
  void add(llvm::ArrayRef<star::KernelOp> kernels);

  llvm::DenseMap<star::KernelOp, star::KernelOp> firsts;
  llvm::DenseMap<star::KernelOp, llvm::SmallVector<mlir::Operation *>> parametersOf;
};

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_KERNELFAMILIES_H
