//===- BuiltinChecker.h - The functions of the language ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built-in functions other than aggregations. Activations are not among them: they are written in the language
// (Prelude.gnn).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_BUILTINCHECKER_H
#define GNNC_FRONTEND_SEMA_BUILTINCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class AggregationChecker;
class ArgumentChecker;
class DimChecker;
class ElementwiseChecker;
class Evaluator;
class OperatorChecker;
class SparseChecker;
class GraphValues;
class SymbolTable;

/// Evaluates calls of built-in functions.
class BuiltinChecker : Checker {
public:
  BuiltinChecker(SemaContext &sema, Evaluator &evaluator, SymbolTable &symbols, DimChecker &dims,
                 ElementwiseChecker &elementwise, SparseChecker &sparseInputs, OperatorChecker &operators,
                 GraphValues &graph, ArgumentChecker &arguments, AggregationChecker &aggregations)
      : Checker(sema), context(sema.context), evaluator(evaluator), symbols(symbols), dims(dims),
        elementwise(elementwise), sparseInputs(sparseInputs), operators(operators), graph(graph), arguments(arguments),
        aggregations(aggregations) {}

  std::optional<Operand> evalBuiltin(const ast::CallExpr &call);

private:
  Operand unaryBuiltin(const ast::CallExpr &call, ValueKind kind);
  Operand binaryBuiltin(const ast::CallExpr &call, ValueKind kind);
  Operand givenBuiltin(const ast::CallExpr &call);
  Operand selectBuiltin(const ast::CallExpr &call);
  Operand dotBuiltin(const ast::CallExpr &call);
  Operand concatBuiltin(const ast::CallExpr &call);
  Operand reshapeBuiltin(const ast::CallExpr &call);
  Operand flattenBuiltin(const ast::CallExpr &call);
  Operand transposeBuiltin(const ast::CallExpr &call);
  Operand outerBuiltin(const ast::CallExpr &call);
  Operand padBuiltin(const ast::CallExpr &call);
  Operand dropoutBuiltin(const ast::CallExpr &call);
  Operand selectTruth(const Operand &condition, const Operand &a, const Operand &b, llvm::SMRange range);
  Operand castBuiltin(const ast::CallExpr &call, ElementKind element);
  Operand stopGradientBuiltin(const ast::CallExpr &call);
  Operand reduceBuiltin(const ast::CallExpr &call);
  std::optional<size_t> findDimension(const ast::Expr &expr, const Operand &value, llvm::StringRef reduction);

  const EvalContext &context;
  Evaluator &evaluator;
  SymbolTable &symbols;
  DimChecker &dims;
  ElementwiseChecker &elementwise;
  SparseChecker &sparseInputs;
  OperatorChecker &operators;
  GraphValues &graph;
  ArgumentChecker &arguments;
  AggregationChecker &aggregations;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_BUILTINCHECKER_H
