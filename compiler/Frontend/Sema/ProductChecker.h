//===- ProductChecker.h - Matrix products -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `x @ W`, and with a weight for each edge type: `x @ W[e.type]`, `x @ W[r]` (laws 5, 6 and 12).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_PRODUCTCHECKER_H
#define GNNC_FRONTEND_SEMA_PRODUCTCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class EdgeTypeChecker;
class ElementwiseChecker;
class Evaluator;
class OperatorChecker;
class SparseChecker;

/// Checks `@`.
class ProductChecker : Checker {
public:
  ProductChecker(SemaContext &sema, Evaluator &evaluator, ElementwiseChecker &elementwise, SparseChecker &sparseInputs,
                 OperatorChecker &operators, EdgeTypeChecker &edgeTypes)
      : Checker(sema), context(sema.context), evaluator(evaluator), elementwise(elementwise),
        sparseInputs(sparseInputs), operators(operators), edgeTypes(edgeTypes) {}

  /// The right side of `@`: `W`, `W[i]`, or `W[r]` for every edge type r; `transpose` of these; or a field.
  struct Weight {
    Operand table;
    std::optional<Operand> index;
    const TypeBinder *over = nullptr;
    llvm::SMRange range;

    Shape shape() const; // without the dimension that is indexed
  };
  Weight evalWeight(const ast::Expr &expr);
  Operand matmul(const ast::BinaryExpr &expr, Operand a, const Weight &weight);
  Operand contractTypes(const Operand &a, const Weight &weight, llvm::SMRange range);
  bool checkProduct(const ast::BinaryExpr &expr, Operand &a, const Weight &weight);
  void lintGrouping(const ast::BinaryExpr &expr, const Operand &scale, const Operand &product, const Shape &weight,
                    const Shape &result);

private:
  Operand matmulFields(Operand a, Operand b, llvm::SMRange range);
  Operand matmulEachType(const Operand &a, const Weight &weight, llvm::SMRange range);

  const EvalContext &context;
  Evaluator &evaluator;
  ElementwiseChecker &elementwise;
  SparseChecker &sparseInputs;
  OperatorChecker &operators;
  EdgeTypeChecker &edgeTypes;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_PRODUCTCHECKER_H
