//===- Sema.h - Semantic analysis -------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resolves names, infers shapes and graph kinds, and writes the CheckedModel of one component. Layers and functions are
// inlined where they are called: their bodies are evaluated symbolically, so checking and expanding are one walk.
// Shapes are compared in the dimension names of the layer that is being read (`Frame`); only what is written to the
// model is translated to the model's names and -D values. So whether a layer is right depends neither on its caller nor
// on -D, and a mistake in it is reported once.
//
// The parts: SemaComponent (layers, models), SemaInstances (layers inside of them), SemaStatements, SemaModels (what
// only models have), SemaExpressions (names, operators), SemaProducts, SemaCalls (functions, layers), SemaBuiltins,
// SemaEdges (comprehensions, edge sets), SemaAggregation, SemaTypes (edge types), SemaSchema (vertex types, relations),
// SemaVertices (what ranges over all vertices), SemaLints (warnings), SemaShapes (dimensions, alignment, element
// types), SemaSparse, SemaIndexing (what editors want to know).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SEMA_H
#define GNNC_FRONTEND_SEMA_SEMA_H

#include "compiler/Frontend/Sema/AggregationChecker.h"
#include "compiler/Frontend/Sema/ArgumentChecker.h"
#include "compiler/Frontend/Sema/BuiltinChecker.h"
#include "compiler/Frontend/Sema/CallChecker.h"
#include "compiler/Frontend/Sema/ComprehensionChecker.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/EdgeTypeChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/EndEvaluator.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/ExprChecker.h"
#include "compiler/Frontend/Sema/FieldChecker.h"
#include "compiler/Frontend/Sema/GraphValues.h"
#include "compiler/Frontend/Sema/InputChecker.h"
#include "compiler/Frontend/Sema/LayerCallChecker.h"
#include "compiler/Frontend/Sema/LossChecker.h"
#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Sema/ParamChecker.h"
#include "compiler/Frontend/Sema/ProductChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/SemaContext.h"
#include "compiler/Frontend/Sema/SparseChecker.h"
#include "compiler/Frontend/Sema/StatementChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"

namespace gnnc {

class Sema : SemaContext, Checker, Evaluator {
public:
  Sema(const Declarations &declarations, DiagnosticEngine &diagnostics, SemaOptions options, SemaBudget &budget);

  /// Checks a model, or a layer as if it were one, and expands it.
  CheckedModel run(const ast::ComponentDecl &component);

private:
  static constexpr int64_t maxElements = int64_t(1) << 40; // of a parameter, or of what a vertex or edge has

  void declareInstances(const ast::ComponentDecl &component, Frame &frame);
  void declareInstance(const ast::InstanceDecl &decl, Instance &instance);
  std::optional<std::vector<const ast::Expr *>> matchLayerArgs(const ast::InstanceDecl &decl,
                                                               const ast::ComponentDecl &layer);
  bool bindLayerParams(const ast::InstanceDecl &decl, Instance &instance);
  bool bindLayerParam(const ast::ComponentParam &param, const ast::Expr *given, const ast::InstanceDecl &decl,
                      Instance &instance);
  bool checkLayerWhere(const ast::InstanceDecl &decl, Instance &instance);
  void applyGraph(const ast::Setting &setting, bool GraphTransforms::*property);
  void checkModelBodies(const ast::ComponentDecl &model);
  bool hasOneBody(const ast::ComponentDecl &layer);
  void checkLayerAlone(const ast::ComponentDecl &layer);
  void applySettings(const ast::ComponentDecl &model);
  void applyTraining(const ast::Setting &setting, const ast::ComponentDecl &model);
  std::vector<std::string> decayedBy(const ast::Name &subject, const ast::ComponentDecl &component);

  // SemaSchedule.cpp
  /// Requests the `schedule` of a component whose values are at `prefix`.
  void requestSchedule(const ast::ComponentDecl &component, llvm::StringRef prefix);
  bool givesEdgeValues(llvm::StringRef subject) const;
  void checkScheduleFits(const ast::Setting &setting, const ScheduleRequest &request);
  void checkSizes();

  // SemaStatements.cpp, SemaModels.cpp
  Operand eval(const ast::Expr &expr) override { return exprs.eval(expr); }
  std::optional<Operand> evalBlock(llvm::ArrayRef<ast::Stmt *> block) override { return statements.evalBlock(block); }

  void lintUnused(const ast::ComponentDecl &component);
  void lintStatements(llvm::ArrayRef<ast::Stmt *> statements);
  void lintUnused(const ast::Name &name, llvm::StringRef what, bool isBound = false);

  using Checker::builder;
  using Checker::expansion;
  SymbolTable symbols{*this};
  DimChecker dims{*this, symbols};
  ElementwiseChecker elementwise{*this, dims};
  SparseChecker sparseInputs{*this, dims, elementwise};
  OperatorChecker operators{*this, dims, elementwise, sparseInputs};
  SchemaChecker schema{*this, symbols, dims};
  GraphValues graph{*this, symbols, elementwise, operators, schema};
  FieldChecker fields{*this, symbols, elementwise, operators, schema, graph};
  EndEvaluator ends{*this, *this, schema};
  EdgeTypeChecker edgeTypes{*this, *this, dims, elementwise, schema, graph, fields};
  ProductChecker products{*this, *this, elementwise, sparseInputs, operators, edgeTypes};
  ComprehensionChecker comprehensions{*this, *this, symbols, schema, edgeTypes};
  ArgumentChecker arguments{*this, *this};
  AggregationChecker aggregations{*this, *this,  dims,      elementwise, operators,      schema,
                                  graph, fields, edgeTypes, products,    comprehensions, arguments};
  BuiltinChecker builtins{*this, *this, dims, elementwise, sparseInputs, operators, arguments, aggregations};
  LayerCallChecker layerCalls{*this, *this, symbols, dims, schema, ends, comprehensions};
  CallChecker calls{*this, *this, symbols, dims, elementwise, edgeTypes, arguments, builtins, layerCalls};
  ExprChecker exprs{*this, symbols, elementwise, operators, graph, fields, edgeTypes, products, comprehensions, calls};
  InputChecker inputs{*this, symbols, dims, schema};
  LossChecker losses{*this, operators, arguments, exprs};
  ParamChecker params{*this, symbols, dims, elementwise, exprs};
  StatementChecker statements{*this, symbols, elementwise, schema, fields, ends, exprs, inputs, losses, params};
  // parts end

  std::vector<std::unique_ptr<Instance>> instances;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SEMA_H
