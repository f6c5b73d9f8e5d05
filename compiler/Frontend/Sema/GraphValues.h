//===- GraphValues.h - Values that the graph gives --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of neighbours (law 4), degrees (law 8), types of edges (law 12), loops (law 3), numbers of vertices (law 13)
// and `training` (law 14).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_GRAPHVALUES_H
#define GNNC_FRONTEND_SEMA_GRAPHVALUES_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class ElementwiseChecker;
class LoopChecker;
class OperatorChecker;
class SchemaChecker;
class SymbolTable;

/// Appends values that come from the graph and not from inputs or parameters. Each is appended once.
class GraphValues : Checker {
public:
  GraphValues(SemaContext &sema, SymbolTable &symbols, ElementwiseChecker &elementwise, OperatorChecker &operators,
              SchemaChecker &schema, LoopChecker &loops)
      : Checker(sema), model(sema.model), context(sema.context), relationInfo(sema.relationInfo), symbols(symbols),
        elementwise(elementwise), operators(operators), schema(schema), loops(loops) {}

  Operand edgeType(llvm::SMRange range);
  /// `e.is_added`: whether the edge is a loop that `one_loop` adds.
  Operand isAdded(llvm::SMRange range);
  Operand degree(ValueKind degreeKind, unsigned relation, bool byType, llvm::SMRange range);
  Operand ofType(const Operand &table, const Operand &edgeType, const Operand &ofLoop, llvm::SMRange range);
  Operand degreeIn(ValueKind degreeKind, const ast::Name &relation, unsigned vertexType, std::optional<End> end,
                   llvm::SMRange range);
  Operand degreeOf(ValueKind kind, unsigned vertexType, bool byType, llvm::SMRange range);
  /// In a comprehension: the value of a vertex field at the end where the body's vertex stands.
  Operand inContext(Operand operand);
  Operand readAt(Operand operand, End end, llvm::SMRange range);
  /// An edge field that is the same constant everywhere, since it comes of an input that a call leaves out, as a field
  /// with a value for each edge. Any other operand as it is.
  Operand onEdges(const Operand &operand);
  std::optional<Operand> loopCondition(const ast::BinaryExpr &expr);
  Operand numVertices(llvm::SMRange range);
  Operand training(llvm::SMRange range);

private:
  Operand typeOfEdge(llvm::SMRange range);
  std::optional<unsigned> degreeRelation(ValueKind kind, unsigned vertexType, llvm::SMRange range);
  Operand vertexId(End end, llvm::SMRange range);

  CheckedModel &model;
  const EvalContext &context;
  std::vector<RelationInfo> &relationInfo;
  SymbolTable &symbols;
  ElementwiseChecker &elementwise;
  OperatorChecker &operators;
  SchemaChecker &schema;
  LoopChecker &loops;

  std::map<unsigned, unsigned> vertexIds; // values, by vertex type
  std::optional<unsigned> trainingValue;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_GRAPHVALUES_H
