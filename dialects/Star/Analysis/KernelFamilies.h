//===- KernelFamilies.h - Kernels that differ in numbers alone --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of a module that are the same but for real constants and the sites of dropouts.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_STAR_ANALYSIS_KERNELFAMILIES_H
#define GNNC_DIALECTS_STAR_ANALYSIS_KERNELFAMILIES_H

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Star/IR/Star.h"
#include "llvm/ADT/DenseMap.h"

namespace gnnc::star {

/// Kernels of many layers or many softmaxes are often the same but for a scale, an offset or the site of a dropout.
/// Such a family is compiled once: the first kernel has the code, in which these numbers are arguments.
class KernelFamilies {
public:
  explicit KernelFamilies(mlir::ModuleOp module);

  /// The first kernel of the family; `kernel` itself if it has none.
  KernelOp first(KernelOp kernel) const;
  /// The ops of `kernel` whose numbers are arguments of its functions: constants and dropouts in which the kernels of
  /// the family differ, in the same order in each of these.
  llvm::ArrayRef<mlir::Operation *> parameters(KernelOp kernel) const;
  static mlir::TypedAttr numberOf(mlir::Operation *parameter);

private:
  void add(llvm::ArrayRef<KernelOp> kernels);

  llvm::DenseMap<KernelOp, KernelOp> firsts;
  llvm::DenseMap<KernelOp, llvm::SmallVector<mlir::Operation *>> parametersOf;
};

} // namespace gnnc::star

#endif // GNNC_DIALECTS_STAR_ANALYSIS_KERNELFAMILIES_H
