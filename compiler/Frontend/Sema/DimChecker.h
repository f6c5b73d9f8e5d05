//===- DimChecker.h - Dimensions --------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimension expressions and shapes (law 6). Shapes are compared in the dimension names of the layer that is being read
// (`Frame`); `translate` gives those of the model.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_DIMCHECKER_H
#define GNNC_FRONTEND_SEMA_DIMCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class Evaluator;
class SymbolTable;

/// Evaluates dimensions and translates them between frames.
class DimChecker : Checker {
public:
  DimChecker(SemaContext &sema, Evaluator &evaluator, SymbolTable &symbols)
      : Checker(sema), context(sema.context), evaluator(evaluator), symbols(symbols) {}

  // SemaShapes.cpp
  std::optional<DimExpr> evalDim(const ast::Expr &expr);
  std::optional<Shape> evalShape(const ast::TypeExpr &type);
  Shape translate(const Shape &shape, llvm::SMRange range);
  DimExpr translate(const DimExpr &dim, llvm::SMRange range);
  /// Like `translate`, but the result may be 0 or negative. None if it overflows, which is reported.
  std::optional<DimExpr> inModel(const DimExpr &dim, llvm::SMRange range);
  Shape substitute(const Shape &shape, const Frame &callee);
  DimExpr canonical(DimExpr dim);

private:
  std::optional<DimExpr> lengthOf(const ast::CallExpr &call);
  const EvalContext &context;
  Evaluator &evaluator;
  SymbolTable &symbols;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_DIMCHECKER_H
