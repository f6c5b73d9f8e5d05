//===- AggregationChecker.h - Aggregation -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aggregations: of the edges of a vertex (laws 7 to 9), with counts and the softmax over edges; of all vertices, into
// one value for the graph (law 13); and over the types that `over` names (law 12).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_AGGREGATIONCHECKER_H
#define GNNC_FRONTEND_SEMA_AGGREGATIONCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class ArgumentChecker;
class ComprehensionChecker;
class DimChecker;
class EdgeTypeChecker;
class ElementwiseChecker;
class Evaluator;
class FieldChecker;
class GraphValues;
class OperatorChecker;
class ProductChecker;
class SchemaChecker;

/// Checks calls of `sum`, `mean` and the like that aggregate, of `count`, and of `softmax` over edges.
class AggregationChecker : Checker {
public:
  AggregationChecker(SemaContext &sema, Evaluator &evaluator, DimChecker &dims, ElementwiseChecker &elementwise,
                     OperatorChecker &operators, SchemaChecker &schema, GraphValues &graph, FieldChecker &fields,
                     EdgeTypeChecker &edgeTypes, ProductChecker &products, ComprehensionChecker &comprehensions,
                     ArgumentChecker &arguments)
      : Checker(sema), model(sema.model), context(sema.context), evaluator(evaluator), dims(dims),
        elementwise(elementwise), operators(operators), schema(schema), graph(graph), fields(fields),
        edgeTypes(edgeTypes), products(products), comprehensions(comprehensions), arguments(arguments) {}

  Operand aggregateBuiltin(const ast::CallExpr &call);
  Operand countBuiltin(const ast::CallExpr &call);
  Operand softmaxOverEdges(const ast::CallExpr &call, Operand scores);

private:
  Operand overBuiltin(const ast::CallExpr &call, const ast::OverExpr &over);
  bool checkAggregated(const ast::CallExpr &call, const Operand &edge);
  void aggregatedWhere(const ast::CallExpr &call, const Operand &edge);
  /// An edge field at the end that its set names, as a field of vertices.
  Operand aggregateConstant(Reduction reduction, const Operand &edge, llvm::SMRange range);
  Operand aggregate(Reduction reduction, const Operand &edge, llvm::SMRange range);
  Operand softmaxByType(const Operand &scores, llvm::SMRange range);
  Operand totalBuiltin(const ast::CallExpr &call, const ast::ComprehensionExpr &vertices);
  bool checkVertices(const ast::ComprehensionExpr &expr);
  Operand total(Reduction reduction, const Operand &x, llvm::SMRange range);

  const CheckedModel &model;
  EvalContext &context;
  Evaluator &evaluator;
  DimChecker &dims;
  ElementwiseChecker &elementwise;
  OperatorChecker &operators;
  SchemaChecker &schema;
  GraphValues &graph;
  FieldChecker &fields;
  EdgeTypeChecker &edgeTypes;
  ProductChecker &products;
  ComprehensionChecker &comprehensions;
  ArgumentChecker &arguments;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_AGGREGATIONCHECKER_H
