//===- ComponentChecker.h - Layers and models -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which the declarations and bodies of a component are checked: of a model, or of a layer alone.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_COMPONENTCHECKER_H
#define GNNC_FRONTEND_SEMA_COMPONENTCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class ComprehensionChecker;
class InputChecker;
class InstanceChecker;
class LayerCallChecker;
class LoopChecker;
class ParamChecker;
class ScheduleChecker;
class SchemaChecker;
class SettingsChecker;
class StatementChecker;
class SymbolTable;
class UnusedNames;

/// Checks a component.
class ComponentChecker : Checker {
public:
  ComponentChecker(SemaContext &sema, SymbolTable &symbols, SchemaChecker &schema, LoopChecker &loops,
                   ComprehensionChecker &comprehensions, LayerCallChecker &layerCalls, InputChecker &inputs,
                   ParamChecker &params, StatementChecker &statements, ScheduleChecker &schedules,
                   InstanceChecker &layers, SettingsChecker &settings, UnusedNames &unusedNames)
      : Checker(sema), options(sema.options), diagnostics(sema.diagnostics), model(sema.model), context(sema.context),
        root(sema.root), relationInfo(sema.relationInfo), typeScopes(sema.typeScopes), modelBody(sema.modelBody),
        symbols(symbols), schema(schema), loops(loops), comprehensions(comprehensions), layerCalls(layerCalls),
        inputs(inputs), params(params), statements(statements), schedules(schedules), layers(layers),
        settings(settings), unusedNames(unusedNames) {}

  /// Checks a model, or a layer as if it were one, and expands it.
  CheckedModel run(const ast::ComponentDecl &component);

private:
  static constexpr int64_t maxElements = int64_t(1) << 40; // of a parameter, or of what a vertex or edge has

  void declareGiven(const ast::ComponentDecl &component);
  void checkModelBodies(const ast::ComponentDecl &model);
  void checkLayerAlone(const ast::ComponentDecl &layer);
  void checkSizes();

  const SemaOptions &options;
  DiagnosticEngine &diagnostics;
  CheckedModel &model;
  EvalContext &context;
  Frame &root;
  const std::vector<RelationInfo> &relationInfo;
  const std::vector<Scope *> &typeScopes;
  const ast::BodyDecl *&modelBody;
  SymbolTable &symbols;
  SchemaChecker &schema;
  LoopChecker &loops;
  ComprehensionChecker &comprehensions;
  LayerCallChecker &layerCalls;
  InputChecker &inputs;
  ParamChecker &params;
  StatementChecker &statements;
  ScheduleChecker &schedules;
  InstanceChecker &layers;
  SettingsChecker &settings;
  UnusedNames &unusedNames;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_COMPONENTCHECKER_H
