//===- FunctionParams.h - Parameters that are functions ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `aggr: aggregation = mean`, `scalers: fn[]`: parameters of layers and models that are aggregations, functions, or
// lists of them.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_FUNCTIONPARAMS_H
#define GNNC_FRONTEND_SEMA_FUNCTIONPARAMS_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class SymbolTable;

/// Whether a parameter is an aggregation, a function, or a list of them.
inline bool isOfFunctions(const ast::ComponentParam &param) {
  return param.kind == ast::ComponentParam::Kind::Aggregation || param.kind == ast::ComponentParam::Kind::Function;
}

/// Finds what such parameters are given.
class FunctionParams : Checker {
public:
  FunctionParams(SemaContext &sema, SymbolTable &symbols)
      : Checker(sema), declarations(sema.declarations), options(sema.options), context(sema.context), symbols(symbols) {
  }

  /// The function, layer or aggregation that an argument or a default names, in the current scope; none if that is
  /// reported.
  std::optional<Entity> evaluate(const ast::ComponentParam &param, const ast::Expr &value);
  /// `aggr == mean`, `aggrs != [mean, max]`: a constant; none for any other comparison.
  std::optional<Operand> comparison(const ast::BinaryExpr &expr);
  /// Declares a parameter of the component that is compiled: given by -D, else its default.
  void declareAlone(const ast::ComponentParam &param);

private:
  bool addFunction(const ast::ComponentParam &param, const ast::Name &name, Entity &entity);
  std::optional<std::vector<llvm::StringRef>> namesOf(const ast::Expr &expr, bool &isParameter);
  bool isFunction(ast::ComponentParam::Kind kind, llvm::StringRef name) const;

  const Declarations &declarations;
  const SemaOptions &options;
  EvalContext &context;
  SymbolTable &symbols;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_FUNCTIONPARAMS_H
