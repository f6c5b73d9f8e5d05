//===- ExprChecker.h - Expressions ------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of an expression by its kind; names, fields and operators.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_EXPRCHECKER_H
#define GNNC_FRONTEND_SEMA_EXPRCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class CallChecker;
class ComprehensionChecker;
class EdgeTypeChecker;
class ElementwiseChecker;
class FieldChecker;
class FunctionParams;
class GraphValues;
class OperatorChecker;
class ProductChecker;
class SliceChecker;
class SymbolTable;

/// Evaluates expressions.
class ExprChecker : Checker {
public:
  ExprChecker(SemaContext &sema, SymbolTable &symbols, ElementwiseChecker &elementwise, OperatorChecker &operators,
              GraphValues &graph, FieldChecker &fields, EdgeTypeChecker &edgeTypes, ProductChecker &products,
              SliceChecker &slices, ComprehensionChecker &comprehensions, CallChecker &calls, FunctionParams &functions)
      : Checker(sema), context(sema.context), root(sema.root), conditions(sema.conditions), symbols(symbols),
        elementwise(elementwise), operators(operators), graph(graph), fields(fields), edgeTypes(edgeTypes),
        products(products), slices(slices), comprehensions(comprehensions), calls(calls), functions(functions) {}

  Operand eval(const ast::Expr &expr);
  /// The side that the `if` `node` takes by its condition, a constant; none if it is not, which is reported.
  std::optional<bool> evalCondition(const ast::Expr &condition, const void *node);

private:
  llvm::StringRef parameterOf(const ast::Expr &condition) const;
  Operand dispatch(const ast::Expr &expr);
  Operand evalName(const ast::NameExpr &expr);
  Operand evalMember(const ast::MemberExpr &expr);
  Operand evalUnary(const ast::UnaryExpr &expr);
  Operand evalBinary(const ast::BinaryExpr &expr);

  const EvalContext &context;
  const Frame &root;
  KnownConditions &conditions;
  SymbolTable &symbols;
  ElementwiseChecker &elementwise;
  OperatorChecker &operators;
  GraphValues &graph;
  FieldChecker &fields;
  EdgeTypeChecker &edgeTypes;
  ProductChecker &products;
  SliceChecker &slices;
  ComprehensionChecker &comprehensions;
  CallChecker &calls;
  FunctionParams &functions;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_EXPRCHECKER_H
