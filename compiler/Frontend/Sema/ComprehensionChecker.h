//===- ComprehensionChecker.h - Comprehensions ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edge sets and conditions on them (law 3): `u.h for u -> v if u != v`.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_COMPREHENSIONCHECKER_H
#define GNNC_FRONTEND_SEMA_COMPREHENSIONCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class EdgeTypeChecker;
class Evaluator;
class GraphValues;
class LoopChecker;
class SchemaChecker;
class SymbolTable;

/// Evaluates comprehensions over edges, and owns the edge sets that they range over.
class ComprehensionChecker : Checker {
public:
  ComprehensionChecker(SemaContext &sema, Evaluator &evaluator, SymbolTable &symbols, SchemaChecker &schema,
                       LoopChecker &loops, GraphValues &graph, EdgeTypeChecker &edgeTypes)
      : Checker(sema), model(sema.model), context(sema.context), evaluator(evaluator), symbols(symbols), schema(schema),
        loops(loops), graph(graph), edgeTypes(edgeTypes) {}

  Operand evalComprehension(const ast::ComprehensionExpr &expr);
  const EdgeSet *edgeSet(const ast::ComprehensionExpr &expr, Comprehension &comprehension);
  /// All edges of a relation.
  const EdgeSet *allEdges(unsigned relation, std::string spelling, llvm::SMRange range);
  /// The comprehension, over all edges of a relation, that encloses the statements of an `edge` body.
  Comprehension overEdgesOf(const ast::BodyDecl &body, unsigned relation);

private:
  const EdgeSet *keep(EdgeSet set);
  bool narrow(EdgeSet &set, const ast::Expr &condition, Comprehension &comprehension);
  bool checkPatternNames(const ast::Pattern &pattern, bool ownIsSource);

  const CheckedModel &model;
  EvalContext &context;
  Evaluator &evaluator;
  SymbolTable &symbols;
  SchemaChecker &schema;
  LoopChecker &loops;
  GraphValues &graph;
  EdgeTypeChecker &edgeTypes;

  std::vector<std::unique_ptr<EdgeSet>> edgeSets;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_COMPREHENSIONCHECKER_H
