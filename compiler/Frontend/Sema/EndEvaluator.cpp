//===- EndEvaluator.cpp - Expressions at other vertices ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers over edges between two vertex types compute their fields at both ends (law 15).
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/EndEvaluator.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

bool EndEvaluator::isTwoSided() const {
  return !context.isModelBody() && context.use && schema.joinsTwoTypes(*context.use) && !context.atOtherEnd &&
         !context.comprehension && context.body && !context.body->isEdge;
}

/// In a layer over edges between two types, what the layer defines is a field of the vertices at both ends, or of those
/// only that have what it is computed from. The own one is returned; an error operand stands for none, which is
/// reported where it is read.
Operand EndEvaluator::evalBothEnds(const Expr &expr, Operand &otherEnd) {
  auto evaluate = [&] {
    Operand operand = evaluator.eval(expr);
    operand.range = expr.range;
    return operand;
  };
  if (!isTwoSided())
    return evaluate();
  Operand own;
  {
    DiagnosticEngine::Mute mute(diagnostics);
    own = evaluate();
    bool isField = own.isError() || own.isSparse() || (own.isField() && kind(own) == GraphKind::V);
    if (isField) {
      llvm::SaveAndRestore restore(context);
      context.atOtherEnd = true;
      context.vertexType =
          schema.typeAt(*context.use->relation, context.use->ownEnd == End::Source ? End::Destination : End::Source);
      otherEnd = evaluate();
    }
  }
  return own.isError() && otherEnd.isError() ? evaluate() : own;
}

/// In the body of a model: `expr` as the bodies of vertices of another type would read it.
Operand EndEvaluator::evalFieldOf(const Expr &expr, unsigned vertexType) {
  llvm::SaveAndRestore restore(context);
  context.comprehension = nullptr;
  if (vertexType != context.vertexType || context.body->isEdge)
    context.scope = typeScopes[vertexType];
  context.vertexType = vertexType;
  Operand operand = evaluator.eval(expr);
  operand.range = expr.range;
  return operand;
}
