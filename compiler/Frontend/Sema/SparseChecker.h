//===- SparseChecker.h - Sparse inputs --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse input is a relation from its columns to the vertices (docs/dev/frontend.md): what may be done with it
// becomes operations on the values of its nonzeros, and its product with a parameter an aggregation.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SPARSECHECKER_H
#define GNNC_FRONTEND_SEMA_SPARSECHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class DimChecker;
class ElementwiseChecker;

/// The operations that sparse inputs have.
class SparseChecker : Checker {
public:
  SparseChecker(SemaContext &sema, DimChecker &dims, ElementwiseChecker &elementwise)
      : Checker(sema), model(sema.model), dims(dims), elementwise(elementwise) {}

  // SemaSparse.cpp
  Operand sparseMatmul(const Operand &sparse, const Operand &weight, llvm::SMRange range);
  Operand sparseScale(ValueKind kind, const Operand &a, const Operand &b, llvm::SMRange range);
  Operand sparseRowSum(const Operand &sparse, llvm::SMRange range);

private:
  const CheckedModel &model;
  DimChecker &dims;
  ElementwiseChecker &elementwise;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SPARSECHECKER_H
