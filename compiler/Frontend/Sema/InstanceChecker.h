//===- InstanceChecker.h - Layers inside of components ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `layer conv1 = GCNConv(in, hidden)`: finds the layer, binds its parameters to the arguments, and declares the weights
// of this use of it.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_INSTANCECHECKER_H
#define GNNC_FRONTEND_SEMA_INSTANCECHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class DimChecker;
class ElementwiseChecker;
class ExprChecker;
class FunctionParams;
class LoopChecker;
class ParamChecker;
class ScheduleChecker;
class SymbolTable;

/// Declares the layers of a component, and owns them.
class InstanceChecker : Checker {
public:
  InstanceChecker(SemaContext &sema, SymbolTable &symbols, DimChecker &dims, ElementwiseChecker &elementwise,
                  ExprChecker &exprs, FunctionParams &functions, ParamChecker &params, ScheduleChecker &schedules,
                  LoopChecker &loops)
      : Checker(sema), declarations(sema.declarations), options(sema.options), diagnostics(sema.diagnostics),
        context(sema.context), root(sema.root), symbols(symbols), dims(dims), elementwise(elementwise), exprs(exprs),
        functions(functions), params(params), schedules(schedules), loops(loops) {}

  void declareInstances(const ast::ComponentDecl &component, Frame &frame);
  void declareLayerParams(const ast::ComponentDecl &component);
  bool hasOneBody(const ast::ComponentDecl &layer);

private:
  void declareInstance(const ast::InstanceDecl &decl, Instance &instance, std::string prefix);
  std::optional<std::vector<const ast::Expr *>> matchLayerArgs(const ast::InstanceDecl &decl,
                                                               const ast::ComponentDecl &layer);
  bool bindLayerParams(const ast::InstanceDecl &decl, Instance &instance);
  bool bindLayerParam(const ast::ComponentParam &param, const ast::Expr *given, const ast::InstanceDecl &decl,
                      Instance &instance);
  std::optional<LayerType> typeOf(const ast::ComponentParam &param);
  std::optional<LayerType> typeOf(Instance &instance);
  Entity layerArgument(const ast::ComponentParam &param, const ast::Expr &value, llvm::SMRange declaration,
                       const Frame &callee);
  bool bindLayer(const ast::ComponentParam &param, const ast::Expr &value, llvm::SMRange declaration, Frame &callee);
  std::set<llvm::StringRef> givenInCalls(const ast::InstanceDecl &decl, const ast::ComponentDecl &layer);
  bool checkLayerWhere(const ast::InstanceDecl &decl, Instance &instance);

  const Declarations &declarations;
  const SemaOptions &options;
  DiagnosticEngine &diagnostics;
  EvalContext &context;
  const Frame &root;
  SymbolTable &symbols;
  DimChecker &dims;
  ElementwiseChecker &elementwise;
  ExprChecker &exprs;
  FunctionParams &functions;
  ParamChecker &params;
  ScheduleChecker &schedules;
  LoopChecker &loops;

  std::vector<std::unique_ptr<Instance>> instances;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_INSTANCECHECKER_H
