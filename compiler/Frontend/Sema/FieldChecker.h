//===- FieldChecker.h - Fields ----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of vertices and edges by name (laws 1 and 4): `h`, `u.h`, `e.weight`.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_FIELDCHECKER_H
#define GNNC_FRONTEND_SEMA_FIELDCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class ElementwiseChecker;
class GraphValues;
class OperatorChecker;
class SchemaChecker;
class SymbolTable;

/// Finds the field that a name means where it is read.
class FieldChecker : Checker {
public:
  FieldChecker(SemaContext &sema, SymbolTable &symbols, ElementwiseChecker &elementwise, OperatorChecker &operators,
               SchemaChecker &schema, GraphValues &graph)
      : Checker(sema), model(sema.model), context(sema.context), conditions(sema.conditions), root(sema.root),
        relationInfo(sema.relationInfo), typeScopes(sema.typeScopes), symbols(symbols), elementwise(elementwise),
        operators(operators), schema(schema), graph(graph) {}

  /// Whether it follows from the `if`s around that a weight exists; else an error.
  bool requireExists(const Entity &entity, const ast::Name &name);
  Operand ownField(const ast::Name &name);
  Operand neighbourField(const ast::Name &name, End end, llvm::SMRange range);
  Operand edgeField(const ast::Name &name, llvm::SMRange range);
  /// An edge field's value on the edge of the current comprehension.
  Operand onThisEdge(Operand operand, const ast::Name &name);
  /// The vertex or edge that a binder stands for.
  struct Place {
    enum class Kind { Unknown, Own, Neighbour, Edge } kind = Kind::Unknown;
    End end = End::Destination; // Neighbour
  };
  /// Reports a binder that stands for nothing here.
  Place place(const ast::NameExpr &binder, llvm::StringRef member);

private:
  Operand fieldOf(const ast::Name &name, End end, llvm::SMRange range);
  /// An entity's value where it is read, at the own or the other end; reports that there is none.
  Operand valueAt(const Entity &entity, bool atOther, const ast::Name &name);
  Entity *fieldAt(const ast::Name &name, End end);
  void unboundVertex(const ast::NameExpr &base, llvm::StringRef member);

  const CheckedModel &model;
  const EvalContext &context;
  const KnownConditions &conditions;
  const Frame &root;
  const std::vector<RelationInfo> &relationInfo;
  const std::vector<Scope *> &typeScopes;
  SymbolTable &symbols;
  ElementwiseChecker &elementwise;
  OperatorChecker &operators;
  SchemaChecker &schema;
  GraphValues &graph;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_FIELDCHECKER_H
