//===- ParamChecker.h - Parameters of components ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of a component outside of its bodies: parameters, `where`, weights and states; and the values of -D.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_PARAMCHECKER_H
#define GNNC_FRONTEND_SEMA_PARAMCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class DimChecker;
class ElementwiseChecker;
class ExprChecker;
class FunctionParams;
class SymbolTable;

/// Declares parameters and weights.
class ParamChecker : Checker {
public:
  ParamChecker(SemaContext &sema, SymbolTable &symbols, DimChecker &dims, ElementwiseChecker &elementwise,
               ExprChecker &exprs, FunctionParams &functions)
      : Checker(sema), options(sema.options), model(sema.model), root(sema.root), symbols(symbols), dims(dims),
        elementwise(elementwise), exprs(exprs), functions(functions) {}

  void declareParams(const ast::ComponentDecl &component, Frame &frame);
  void declareWhere(const ast::ComponentDecl &component, Frame &frame);
  void declareWeights(const ast::ComponentDecl &component, Frame &frame);
  /// A parameter or state; with `rows`, one for each of that many vertices.
  Operand addParameter(const ast::WeightDecl &weight, const std::string &name, std::optional<DimExpr> rows = {});
  void checkDefines(const ast::ComponentDecl &component);

private:
  void declareModelParam(const ast::ComponentParam &param, Frame &frame);
  void declareModelBool(const ast::ComponentParam &param);
  void declareModelDim(const ast::ComponentParam &param, Frame &frame);
  void equate(const std::string &name, const DimExpr &other, llvm::SMRange range);
  bool exists(const ast::WeightDecl &weight, const Frame &frame);
  Operand constantOf(const ast::WeightDecl &weight);
  std::optional<Initializer> initializer(const ast::WeightDecl &weight, double &argument);
  std::optional<std::string> define(llvm::StringRef name);

  const SemaOptions &options;
  CheckedModel &model;
  Frame &root;
  SymbolTable &symbols;
  DimChecker &dims;
  ElementwiseChecker &elementwise;
  ExprChecker &exprs;
  FunctionParams &functions;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_PARAMCHECKER_H
