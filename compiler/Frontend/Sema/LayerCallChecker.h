//===- LayerCallChecker.h - Calls of layers ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `conv1(h)`, `conv1(h for u -cites-> v)`: the edges that a layer is called over, its arguments, and the evaluation of
// its body in place.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_LAYERCALLCHECKER_H
#define GNNC_FRONTEND_SEMA_LAYERCALLCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class ComprehensionChecker;
class DimChecker;
class ElementwiseChecker;
class EndEvaluator;
class Evaluator;
class GraphValues;
class OperatorChecker;
class SchemaChecker;
class SymbolTable;

/// Checks calls of layers.
class LayerCallChecker : Checker {
public:
  LayerCallChecker(SemaContext &sema, Evaluator &evaluator, SymbolTable &symbols, DimChecker &dims,
                   ElementwiseChecker &elementwise, OperatorChecker &operators, SchemaChecker &schema,
                   GraphValues &graph, EndEvaluator &ends, ComprehensionChecker &comprehensions)
      : Checker(sema), diagnostics(sema.diagnostics), model(sema.model), context(sema.context), evaluator(evaluator),
        symbols(symbols), dims(dims), elementwise(elementwise), operators(operators), schema(schema), graph(graph),
        ends(ends), comprehensions(comprehensions) {}

  Operand callLayer(const ast::CallExpr &call, const Entity &layer);
  /// Declares an input of the layer that is evaluated, which its call leaves out.
  bool leaveOut(const ast::FormalDecl &formal);
  /// The constant that an input of the layer that is evaluated is where a call leaves it out; none if it has none.
  std::optional<Operand> constantOf(const ast::FormalDecl &formal);
  Operand evalBody(const ast::BodyDecl &body, Frame &frame);

private:
  struct LayerArgument {
    const ast::Expr *expr = nullptr; // null: left out
    Operand own, otherEnd;
    Shape expected; // what the layer takes, in the caller's dimensions; set where it is bound
  };
  Operand callAnyLayer(const ast::CallExpr &call, const LayerType &type);
  bool checkTaken(const ast::CallExpr &call, const Operand &input, const LayerType &type);
  bool bindFormal(const ast::FormalDecl &formal, LayerArgument &given, Frame &callee,
                  const std::optional<LayerType> &type);
  void noteLacks(EdgeUse &use, const ast::FormalDecl &formal, const LayerArgument &given);
  std::optional<llvm::StringRef> laterFieldThatFits(const ast::FormalDecl &formal, const Operand &argument,
                                                    const Shape &expected);
  void adviseOnArgument(Diagnostic &mismatch, const ast::FormalDecl &formal, const Operand &argument,
                        const Shape &expected, const Frame &callee);
  bool checkFormal(const ast::FormalDecl &formal, const Operand &argument, const Shape &expected, Frame &callee);
  Operand withoutAddedLoops(const ast::FormalDecl &formal, const Operand &given);
  void wrongArguments(const ast::CallExpr &call, const ast::BodyDecl &body);
  /// The argument of each input of a layer, and the pattern that stands behind the last argument.
  std::optional<std::vector<LayerArgument>> layerArgs(const ast::CallExpr &call, const ast::BodyDecl &body,
                                                      const ast::Pattern *&pattern);
  std::optional<EdgeUse> layerUse(const ast::CallExpr &call, const ast::BodyDecl &body, const ast::Pattern *pattern);
  bool findEdges(const ast::CallExpr &call, llvm::ArrayRef<LayerArgument> args, std::optional<EdgeUse> &use);
  bool evalLayerArg(LayerArgument &argument, const ast::FormalDecl &formal, const std::optional<EdgeUse> &use);

  DiagnosticEngine &diagnostics;
  const CheckedModel &model;
  EvalContext &context;
  Evaluator &evaluator;
  SymbolTable &symbols;
  DimChecker &dims;
  ElementwiseChecker &elementwise;
  OperatorChecker &operators;
  SchemaChecker &schema;
  GraphValues &graph;
  EndEvaluator &ends;
  ComprehensionChecker &comprehensions;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_LAYERCALLCHECKER_H
