//===- CallChecker.h - Calls ------------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which function or layer a call means; calls of functions that are defined in the language.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_CALLCHECKER_H
#define GNNC_FRONTEND_SEMA_CALLCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class ArgumentChecker;
class BuiltinChecker;
class DimChecker;
class EdgeTypeChecker;
class ElementwiseChecker;
class Evaluator;
class LayerCallChecker;
class SymbolTable;

/// Checks calls.
class CallChecker : Checker {
public:
  CallChecker(SemaContext &sema, Evaluator &evaluator, SymbolTable &symbols, DimChecker &dims,
              ElementwiseChecker &elementwise, EdgeTypeChecker &edgeTypes, ArgumentChecker &arguments,
              BuiltinChecker &builtins, LayerCallChecker &layerCalls)
      : Checker(sema), declarations(sema.declarations), context(sema.context), evaluator(evaluator), symbols(symbols),
        dims(dims), elementwise(elementwise), edgeTypes(edgeTypes), arguments(arguments), builtins(builtins),
        layerCalls(layerCalls) {}

  Operand evalCall(const ast::CallExpr &call);

private:
  Operand callParameter(const ast::CallExpr &call, const Entity &parameter);
  Operand methodCall(const ast::CallExpr &call);
  Operand callFunction(const ast::CallExpr &call, const ast::FunctionDecl &function);
  bool bindFunctionFormal(const ast::FormalDecl &formal, const Operand &argument, llvm::SMRange call);

  const Declarations &declarations;
  EvalContext &context;
  Evaluator &evaluator;
  SymbolTable &symbols;
  DimChecker &dims;
  ElementwiseChecker &elementwise;
  EdgeTypeChecker &edgeTypes;
  ArgumentChecker &arguments;
  BuiltinChecker &builtins;
  LayerCallChecker &layerCalls;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_CALLCHECKER_H
