//===- SettingsChecker.h - Settings of models -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `graph { self_loops }` and `train { lr 0.01 }`.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SETTINGSCHECKER_H
#define GNNC_FRONTEND_SEMA_SETTINGSCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class SchemaChecker;
class ElementwiseChecker;
class ExprChecker;
class SymbolTable;

/// Applies the settings of a model.
class SettingsChecker : Checker {
public:
  SettingsChecker(SemaContext &sema, SymbolTable &symbols, ElementwiseChecker &elementwise, SchemaChecker &schema,
                  ExprChecker &exprs)
      : Checker(sema), model(sema.model), relationInfo(sema.relationInfo), symbols(symbols), elementwise(elementwise),
        schema(schema), exprs(exprs) {}

  void applySettings(const ast::ComponentDecl &model);

private:
  void applyGraph(const ast::Setting &setting, bool GraphTransforms::*property);
  void applyTraining(const ast::Setting &setting, const ast::ComponentDecl &model);
  std::vector<std::string> decayedBy(const ast::Name &subject, const ast::ComponentDecl &component);

  CheckedModel &model;
  const std::vector<RelationInfo> &relationInfo;
  SymbolTable &symbols;
  ElementwiseChecker &elementwise;
  SchemaChecker &schema;
  ExprChecker &exprs;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SETTINGSCHECKER_H
