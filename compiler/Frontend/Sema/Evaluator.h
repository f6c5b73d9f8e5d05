//===- Evaluator.h - Evaluation of parts ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions contain expressions, and calls contain bodies. Each part of semantic analysis uses only parts that are
// declared before it, and this interface for what is inside of the expression or call that it checks.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_EVALUATOR_H
#define GNNC_FRONTEND_SEMA_EVALUATOR_H

#include "compiler/Frontend/AST.h"
#include "compiler/Frontend/Sema/Operand.h"

namespace gnnc {

class Evaluator {
public:
  virtual Operand eval(const ast::Expr &expr) = 0;
  /// The side that the `if` `node` takes by its condition, a constant; none if it is not, which is reported.
  virtual std::optional<bool> evalCondition(const ast::Expr &condition, const void *node) = 0;
  /// Evaluates statements in order; the operand of `return`, if one is reached.
  virtual std::optional<Operand> evalBlock(llvm::ArrayRef<ast::Stmt *> statements) = 0;

protected:
  ~Evaluator() = default;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_EVALUATOR_H
