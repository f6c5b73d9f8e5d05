//===- LossChecker.h - Losses -----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `loss cross_entropy(logits, label)` and weighted sums of losses.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_LOSSCHECKER_H
#define GNNC_FRONTEND_SEMA_LOSSCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class ArgumentChecker;
class ExprChecker;
class OperatorChecker;

/// Checks the loss of a model.
class LossChecker : Checker {
public:
  LossChecker(SemaContext &sema, OperatorChecker &operators, ArgumentChecker &arguments, ExprChecker &exprs)
      : Checker(sema), model(sema.model), context(sema.context), operators(operators), arguments(arguments),
        exprs(exprs) {}

  void evalLoss(const ast::Stmt &stmt);

private:
  bool checkLossOperands(const ast::CallExpr &call, const Operand &prediction, const Operand &target);
  void adviseOnLoss(Diagnostic &mismatch, const ast::CallExpr &call, const Operand &prediction, const Operand &target);
  void lintLoss(const ast::CallExpr &call, const Operand &prediction);

  CheckedModel &model;
  const EvalContext &context;
  OperatorChecker &operators;
  ArgumentChecker &arguments;
  ExprChecker &exprs;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_LOSSCHECKER_H
