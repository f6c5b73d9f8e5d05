//===- SchemaChecker.h - Vertex types and relations -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schema of a model's graph (law 15): its vertex types and relations, how many edge types these have, and which
// relation a pattern means.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SCHEMACHECKER_H
#define GNNC_FRONTEND_SEMA_SCHEMACHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class DimChecker;
class SymbolTable;

/// Stands for the number of edge types in shapes until it is known.
DimExpr unknownTypes(unsigned relation);

/// The vertex types and relations of the graph.
class SchemaChecker : Checker {
public:
  SchemaChecker(SemaContext &sema, SymbolTable &symbols, DimChecker &dims)
      : Checker(sema), diagnostics(sema.diagnostics), model(sema.model), context(sema.context), root(sema.root),
        relationInfo(sema.relationInfo), typeScopes(sema.typeScopes), modelBody(sema.modelBody), symbols(symbols),
        dims(dims) {}

  std::optional<unsigned> bodyType(const ast::BodyDecl &body);
  bool recordTypes(unsigned relation, const DimExpr &dim, llvm::SMRange range);
  /// Notes that the types of a relation's edges are read.
  void noteTypesRead(unsigned relation, llvm::SMRange range);
  void checkTypesKnown();
  void declareSchema(const ast::ComponentDecl &component);
  std::optional<unsigned> relationNamed(llvm::StringRef name) const;
  Diagnostic &unknownRelation(const ast::Name &name);
  unsigned typeAt(unsigned relation, End end) const;
  std::string describeRelation(unsigned relation) const;
  /// The relation that a pattern names or leaves to be found; `ownEnd`: where the body's vertex stands, if one does.
  std::optional<unsigned> resolvePattern(const ast::Pattern &pattern, std::optional<End> ownEnd);
  std::optional<unsigned> layerRelation(llvm::SMRange range);
  /// Reports what needs a vertex in a layer that is applied to values of edges.
  bool requireVertices(llvm::SMRange range);
  std::optional<unsigned> onlyRelation(llvm::ArrayRef<unsigned> candidates, llvm::SMRange range, llvm::StringRef none,
                                       llvm::StringRef help = "");
  bool joinsTwoTypes(const EdgeUse &use) const;
  DimExpr vertexCount(unsigned vertexType, llvm::SMRange range);
  /// The name of a vertex field among the model's inputs and parameters.
  std::string qualified(llvm::StringRef name) const;

private:
  void declareRelation(const ast::RelationDecl &decl, const ast::ComponentDecl &component);
  std::optional<unsigned> vertexTypeNamed(const ast::Name &name);
  std::optional<unsigned> resolveInModel(const ast::Pattern &pattern, std::optional<End> ownEnd);
  std::string turnedAround(const ast::Pattern &pattern, std::optional<unsigned> &named);

  DiagnosticEngine &diagnostics;
  CheckedModel &model;
  EvalContext &context;
  const Frame &root;
  std::vector<RelationInfo> &relationInfo;
  std::vector<Scope *> &typeScopes;
  const ast::BodyDecl *const &modelBody;
  SymbolTable &symbols;
  DimChecker &dims;

  std::vector<std::unique_ptr<Scope>> scopes;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SCHEMACHECKER_H
