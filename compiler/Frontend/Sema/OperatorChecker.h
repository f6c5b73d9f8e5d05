//===- OperatorChecker.h - Operators ----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, comparisons, conditions and reductions over dimensions, of operands that are evaluated.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_OPERATORCHECKER_H
#define GNNC_FRONTEND_SEMA_OPERATORCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class DimChecker;
class ElementwiseChecker;
class SparseChecker;

/// The positions of a shape but one.
std::vector<unsigned> allBut(size_t position, const Shape &shape);

/// Checks operations on evaluated operands and appends their results to the model.
class OperatorChecker : Checker {
public:
  OperatorChecker(SemaContext &sema, DimChecker &dims, ElementwiseChecker &elementwise, SparseChecker &sparseInputs)
      : Checker(sema), dims(dims), elementwise(elementwise), sparseInputs(sparseInputs) {}

  Operand arithmetic(ValueKind kind, Operand a, Operand b, llvm::SMRange range, llvm::StringRef what);
  Operand comparison(ValueKind kind, Operand a, Operand b, llvm::SMRange range);
  Operand logical(ValueKind kind, Operand a, Operand b, llvm::SMRange range);
  /// One of `sum mean max min prod logsumexp var std` over a dimension.
  Operand reduceBy(llvm::StringRef name, const Operand &value, size_t position, llvm::SMRange range);
  Operand reduce(Operand value, Reduction reduction, size_t position, llvm::SMRange range);
  /// Dimension i of the result is dimension `permutation[i]` of `value`.
  Operand transpose(const Operand &value, std::vector<unsigned> permutation, llvm::SMRange range);
  /// `a` times `b`, broadcast to `shape`; `ofA[i]`, `ofB[i]`: the positions of their dimensions.
  Operand spreadProduct(Operand a, llvm::ArrayRef<unsigned> ofA, Operand b, llvm::ArrayRef<unsigned> ofB,
                        const Shape &shape, llvm::SMRange range);
  Operand deviation(const Operand &variance, llvm::SMRange range);
  Operand extent(const DimExpr &dim, llvm::SMRange range);

private:
  DimChecker &dims;
  ElementwiseChecker &elementwise;
  SparseChecker &sparseInputs;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_OPERATORCHECKER_H
