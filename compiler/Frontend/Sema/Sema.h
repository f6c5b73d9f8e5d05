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
// Each part is a class in a file of its own. Parts share the data of a SemaContext, use the parts that are declared
// above them, and evaluate what is inside of an expression or call through the Evaluator.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SEMA_H
#define GNNC_FRONTEND_SEMA_SEMA_H

#include "compiler/Frontend/Sema/AggregationChecker.h"
#include "compiler/Frontend/Sema/ArgumentChecker.h"
#include "compiler/Frontend/Sema/BuiltinChecker.h"
#include "compiler/Frontend/Sema/CallChecker.h"
#include "compiler/Frontend/Sema/ComponentChecker.h"
#include "compiler/Frontend/Sema/ComprehensionChecker.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/EdgeTypeChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/EndEvaluator.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/ExprChecker.h"
#include "compiler/Frontend/Sema/FieldChecker.h"
#include "compiler/Frontend/Sema/FunctionParams.h"
#include "compiler/Frontend/Sema/GraphValues.h"
#include "compiler/Frontend/Sema/InputChecker.h"
#include "compiler/Frontend/Sema/InstanceChecker.h"
#include "compiler/Frontend/Sema/LayerCallChecker.h"
#include "compiler/Frontend/Sema/LoopChecker.h"
#include "compiler/Frontend/Sema/LossChecker.h"
#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Sema/ParamChecker.h"
#include "compiler/Frontend/Sema/ProductChecker.h"
#include "compiler/Frontend/Sema/ScheduleChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/SettingsChecker.h"
#include "compiler/Frontend/Sema/SliceChecker.h"
#include "compiler/Frontend/Sema/SparseChecker.h"
#include "compiler/Frontend/Sema/StatementChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/UnusedNames.h"

namespace gnnc {

/// Semantic analysis of one component.
class Sema : Evaluator {
public:
  Sema(const Declarations &declarations, DiagnosticEngine &diagnostics, SemaOptions options, SemaBudget &budget)
      : sema(declarations, diagnostics, std::move(options), budget) {}

  /// Checks a model, or a layer as if it were one, and expands it.
  CheckedModel run(const ast::ComponentDecl &component) { return components.run(component); }

private:
  Operand eval(const ast::Expr &expr) override { return exprs.eval(expr); }
  std::optional<bool> evalCondition(const ast::Expr &condition, const void *node) override {
    return exprs.evalCondition(condition, node);
  }
  std::optional<Operand> evalBlock(llvm::ArrayRef<ast::Stmt *> block) override { return statements.evalBlock(block); }

  SemaContext sema;

  // Names, dimensions, and operations on operands that are evaluated.
  SymbolTable symbols{sema};
  DimChecker dims{sema, *this, symbols};
  ElementwiseChecker elementwise{sema, dims};
  SparseChecker sparseInputs{sema, dims, elementwise};
  OperatorChecker operators{sema, dims, elementwise, sparseInputs};

  // The graph: its schema, what it gives, and the fields of its vertices and edges.
  SchemaChecker schema{sema, symbols, dims};
  LoopChecker loops{sema, *this, elementwise, schema};
  GraphValues graph{sema, symbols, elementwise, operators, schema, loops};
  FieldChecker fields{sema, symbols, elementwise, operators, schema, graph};

  // Expressions.
  EndEvaluator ends{sema, *this, schema};
  EdgeTypeChecker edgeTypes{sema, *this, dims, elementwise, schema, graph, fields};
  ProductChecker products{sema, *this, elementwise, sparseInputs, operators, edgeTypes};
  SliceChecker slices{sema, *this, dims, elementwise};
  ComprehensionChecker comprehensions{sema, *this, symbols, schema, loops, graph, edgeTypes};
  ArgumentChecker arguments{sema, *this, symbols};
  AggregationChecker aggregations{sema,  *this,  dims,      elementwise, operators,      schema,
                                  graph, fields, edgeTypes, products,    comprehensions, arguments};
  BuiltinChecker builtins{sema,         *this,     symbols, dims,      elementwise,
                          sparseInputs, operators, graph,   arguments, aggregations};
  LayerCallChecker layerCalls{sema, *this, symbols, dims, elementwise, operators, schema, graph, ends, comprehensions};
  CallChecker calls{sema, *this, symbols, dims, elementwise, edgeTypes, arguments, builtins, layerCalls};
  FunctionParams functions{sema, symbols};
  ExprChecker exprs{sema,      symbols,  elementwise, operators,      graph, fields,
                    edgeTypes, products, slices,      comprehensions, calls, functions};

  // Statements and declarations.
  InputChecker inputs{sema, symbols, dims, schema};
  LossChecker losses{sema, operators, arguments, exprs};
  ParamChecker params{sema, symbols, dims, elementwise, exprs, functions};
  StatementChecker statements{sema, symbols, elementwise, schema, loops, fields, ends, exprs, inputs, losses, params};
  ScheduleChecker schedules{sema, symbols};
  InstanceChecker layers{sema, symbols, dims, elementwise, exprs, functions, params, schedules, loops};
  SettingsChecker settings{sema, symbols, elementwise, schema, exprs};
  UnusedNames unusedNames{sema, symbols};
  ComponentChecker components{sema,   symbols,    schema,    loops,  comprehensions, layerCalls, inputs,
                              params, statements, schedules, layers, settings,       unusedNames};
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SEMA_H
