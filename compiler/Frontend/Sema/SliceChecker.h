//===- SliceChecker.h - Ranges of dimensions --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `y[a:b]`, `y[:, a:b]` (law 6).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SLICECHECKER_H
#define GNNC_FRONTEND_SEMA_SLICECHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class DimChecker;
class ElementwiseChecker;
class Evaluator;

/// Checks slices.
class SliceChecker : Checker {
public:
  SliceChecker(SemaContext &sema, Evaluator &evaluator, DimChecker &dims, ElementwiseChecker &elementwise)
      : Checker(sema), context(sema.context), evaluator(evaluator), dims(dims), elementwise(elementwise) {}

  Operand evalSlice(const ast::SliceExpr &expr);

private:
  /// The positions that a range has, in the dimensions of the current frame.
  struct Bounds {
    DimExpr begin, end, size;
  };

  std::optional<Bounds> evalBounds(const ast::SliceExpr::Range &range, const DimExpr &whole);
  bool checkBounds(const Bounds &bounds, const ast::SliceExpr::Range &range, const DimExpr &whole, const Operand &x);
  Operand slice(const Operand &x, unsigned dim, const ast::SliceExpr::Range &range, llvm::SMRange all);

  const EvalContext &context;
  Evaluator &evaluator;
  DimChecker &dims;
  ElementwiseChecker &elementwise;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SLICECHECKER_H
