//===- SemaContext.h - What the parts of Sema share -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data that the parts of semantic analysis share, and their base.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SEMACONTEXT_H
#define GNNC_FRONTEND_SEMA_SEMACONTEXT_H

#include "compiler/Frontend/Declarations.h"
#include "compiler/Frontend/Sema/Expansion.h"
#include "compiler/Frontend/Sema/KnownConditions.h"
#include "compiler/Frontend/Sema/Scope.h"

namespace gnnc {

/// Facts about a relation beside those of the checked model.
struct RelationInfo {
  Scope *scope = nullptr;           // of the fields of its edges
  std::optional<unsigned> edgeType; // the value of `e.type`
  std::optional<DimExpr> types;     // how many edge types there are, in the component's dimensions before -D
  llvm::SMRange typesRange;         // where that is said, or, before, where it had to be known
  llvm::SMRange typesRead;          // where types of edges are read first
  std::map<std::tuple<ValueKind, bool, Loops>, unsigned> degrees; // values, by whether they are by type
};

class SemanticIndex;

struct SemaOptions {
  std::vector<std::pair<std::string, std::string>> defines;
  bool warnsOfUnused = true;
  std::vector<std::string> given; // inputs of the layer that is compiled alone, of those that may be left out
  bool generic = false;           // check a layer for any argument: missing constants are made up
  SemanticIndex *index = nullptr; // for editors: what names mean
  BranchCoverage *branches = nullptr; // sides of `if` that are checked; null: the one that is taken
  struct {
    std::string input; // of this one, which is of vertices, the source does not say whether it is sparse
    bool isSparse = false;
  } form = {};
};

/// The largest dimension.
constexpr int64_t maxDim = INT32_MAX;

/// Data that the parts of semantic analysis share: the component that is checked, and the model that is made of it.
struct SemaContext {
  SemaContext(const Declarations &declarations, DiagnosticEngine &diagnostics, SemaOptions options, SemaBudget &budget)
      : declarations(declarations), diagnostics(diagnostics), options(std::move(options)),
        expansion(diagnostics, budget, builder, this->options.branches) {}

  const Declarations &declarations;
  DiagnosticEngine &diagnostics;
  const SemaOptions options;
  CheckedModel model;
  ModelBuilder builder{model};
  Expansion expansion;
  EvalContext context;
  Frame root;
  KnownConditions conditions;             // of the `if`s around what is evaluated
  std::vector<RelationInfo> relationInfo; // of the relations of the graph and of pairs
  std::vector<Scope *> typeScopes;        // of the fields of each vertex type
  const ast::BodyDecl *modelBody = nullptr;
};

/// The base of the parts of semantic analysis: they report errors and look at operands.
class Checker {
protected:
  explicit Checker(SemaContext &sema) : expansion(sema.expansion), builder(sema.builder) {}

  Diagnostic &error(DiagnosticCode code, llvm::SMRange range, const llvm::Twine &message) {
    return expansion.error(code, range, message);
  }
  ElementKind element(const Operand &operand) const;
  GraphKind kind(const Operand &operand) const;
  std::string describeType(const Operand &operand) const;

  Expansion &expansion;
  ModelBuilder &builder;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SEMACONTEXT_H
