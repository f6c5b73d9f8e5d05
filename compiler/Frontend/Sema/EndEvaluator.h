//===- EndEvaluator.h - Expressions at other vertices -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers over edges between two vertex types compute their fields at both ends (law 15).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_ENDEVALUATOR_H
#define GNNC_FRONTEND_SEMA_ENDEVALUATOR_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class Evaluator;
class SchemaChecker;

/// Evaluates expressions as vertices of other types, or at the other end of edges, would.
class EndEvaluator : Checker {
public:
  EndEvaluator(SemaContext &sema, Evaluator &evaluator, SchemaChecker &schema)
      : Checker(sema), diagnostics(sema.diagnostics), context(sema.context), typeScopes(sema.typeScopes),
        evaluator(evaluator), schema(schema) {}

  Operand evalBothEnds(const ast::Expr &expr, Operand &otherEnd);
  Operand evalFieldOf(const ast::Expr &expr, unsigned vertexType);

private:
  bool isTwoSided() const;

  DiagnosticEngine &diagnostics;
  EvalContext &context;
  const std::vector<Scope *> &typeScopes;
  Evaluator &evaluator;
  SchemaChecker &schema;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_ENDEVALUATOR_H
