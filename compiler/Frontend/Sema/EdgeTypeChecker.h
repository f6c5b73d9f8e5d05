//===- EdgeTypeChecker.h - Indexing and edge types --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexing, `e.type` as an index, degrees by type, and `over r in relations` (law 12). How many edge types a relation
// has is the dimension of what is indexed by them.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_EDGETYPECHECKER_H
#define GNNC_FRONTEND_SEMA_EDGETYPECHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class DimChecker;
class ElementwiseChecker;
class Evaluator;
class FieldChecker;
class GraphValues;
class SchemaChecker;

/// Evaluates what is indexed by numbers or edge types, or ranges over edge types.
class EdgeTypeChecker : Checker {
public:
  EdgeTypeChecker(SemaContext &sema, Evaluator &evaluator, DimChecker &dims, ElementwiseChecker &elementwise,
                  SchemaChecker &schema, GraphValues &graph, FieldChecker &fields)
      : Checker(sema), model(sema.model), context(sema.context), evaluator(evaluator), dims(dims),
        elementwise(elementwise), schema(schema), graph(graph), fields(fields) {}

  const TypeBinder *typeBinder(const ast::Expr &expr) const;
  const TypeBinder *typeCondition(const ast::Expr &condition, const Comprehension &comprehension) const;
  /// An integer index; none for the binder of `over` where it stands for every type.
  std::optional<Operand> evalIndexValue(const ast::Expr &expr, const TypeBinder *&over);
  bool checkIndex(const Operand &base, const std::optional<Operand> &index, const TypeBinder *over,
                  const ast::IndexExpr &expr);
  Operand evalIndex(const ast::IndexExpr &expr);
  Operand indexed(const Operand &base, const std::optional<Operand> &index, const TypeBinder *over,
                  llvm::SMRange range);
  Operand evalOver(const ast::OverExpr &expr);
  bool bindOver(const ast::OverExpr &expr, TypeBinder &binder);
  bool checkOver(const Operand &body, const TypeBinder &binder);
  Operand degreeCall(const ast::CallExpr &call);

private:
  void noteEntries(const Operand &table);

  CheckedModel &model;
  EvalContext &context;
  Evaluator &evaluator;
  DimChecker &dims;
  ElementwiseChecker &elementwise;
  SchemaChecker &schema;
  GraphValues &graph;
  FieldChecker &fields;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_EDGETYPECHECKER_H
