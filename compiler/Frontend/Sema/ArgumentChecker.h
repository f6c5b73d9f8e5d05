//===- ArgumentChecker.h - Arguments of functions ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The positional arguments of built-in functions and of those that are defined in the language.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_ARGUMENTCHECKER_H
#define GNNC_FRONTEND_SEMA_ARGUMENTCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class Evaluator;
class SymbolTable;

/// `dropout(h, 0.5)` for `dropout(h, p = 0.5)`, and for `h.dropout(0.5)` where `receiver` is `h`.
std::string withoutLabels(llvm::StringRef callee, const ast::CallExpr &call, std::string receiver = "");

/// Evaluates arguments.
class ArgumentChecker : Checker {
public:
  ArgumentChecker(SemaContext &sema, Evaluator &evaluator, SymbolTable &symbols)
      : Checker(sema), context(sema.context), evaluator(evaluator), symbols(symbols) {}

  /// `f(x) over f in functions` is an argument for each of the list.

  std::optional<std::vector<Operand>> evalArgs(const ast::CallExpr &call, unsigned min, unsigned max,
                                               llvm::StringRef usage);

  /// The list that an argument ranges over; null if it is an argument by itself.
  const Entity *listOf(const ast::Argument &arg) const;

private:
  bool evalForEach(const ast::OverExpr &over, const Entity &list, std::vector<Operand> &args);

  EvalContext &context;
  Evaluator &evaluator;
  SymbolTable &symbols;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_ARGUMENTCHECKER_H
