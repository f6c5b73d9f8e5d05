//===- ComprehensionChecker.cpp - Comprehensions ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edge sets and conditions on them (law 3): `u.h for u -> v if u != v`.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/ComprehensionChecker.h"
#include "compiler/Frontend/Sema/EdgeTypeChecker.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/GraphValues.h"
#include "compiler/Frontend/Sema/LoopChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

const EdgeSet *ComprehensionChecker::keep(EdgeSet set) {
  edgeSets.push_back(std::make_unique<EdgeSet>(std::move(set)));
  return edgeSets.back().get();
}

const EdgeSet *ComprehensionChecker::allEdges(unsigned relation, std::string spelling, llvm::SMRange range) {
  EdgeSet all;
  all.relation = relation;
  all.spelling = std::move(spelling);
  all.range = range;
  return keep(std::move(all));
}

Comprehension ComprehensionChecker::overEdgesOf(const BodyDecl &body, unsigned relation) {
  Comprehension edges{};
  edges.pattern = &body.pattern;
  edges.set = allEdges(relation, sourceText(body.pattern.range), body.pattern.range);
  edges.inEdgeBody = true;
  return edges;
}

/// The edges of `expr`'s pattern; fills in `comprehension`. Null if that failed.
const EdgeSet *ComprehensionChecker::edgeSet(const ComprehensionExpr &expr, Comprehension &comprehension) {
  const Pattern &pattern = expr.pattern;
  if (!context.body || context.body->isEdge) {
    error(DiagnosticCode::E0407, pattern.range, "there are no edges to range over here")
        .at(context.body ? "inside an edge body" : "inside a function")
        .help("comprehensions stand in `vertex` bodies");
    return nullptr;
  }
  llvm::StringRef vertex = context.body->vertex.text;
  bool isSource = pattern.source.text == vertex, isTarget = pattern.target.text == vertex;
  if (isSource == isTarget) {
    error(DiagnosticCode::E0404, pattern.range, "one end of the pattern is `" + vertex + "`, the other a new name")
        .at(isSource ? "both ends are `" + vertex + "`" : "neither end is `" + vertex + "`")
        .label(context.body->vertex.range, "the body's vertex")
        .help("`u -> " + vertex + "` ranges over the edges into `" + vertex + "`, `" + vertex +
              " -> w` over the edges out of it");
    return nullptr;
  }
  if (!checkPatternNames(pattern, isSource))
    return nullptr;
  comprehension.flipped = !context.isModelBody() && context.use && context.use->flipped;
  comprehension.ownEnd = isSource != comprehension.flipped ? End::Source : End::Destination;
  std::optional<unsigned> relation = schema.resolvePattern(pattern, comprehension.ownEnd);
  if (!relation)
    return nullptr;
  if (schema.typeAt(*relation, comprehension.ownEnd) != context.vertexType) {
    error(DiagnosticCode::E0412, pattern.range,
          "a vertex of type `" + model.vertexTypes[context.vertexType].name + "` does not stand at that end of `" +
              schema.describeRelation(*relation) + "`")
        .at("no such edges")
        .label(context.body->vertex.range, "the layer is applied to it");
    return nullptr;
  }
  EdgeSet set;
  set.relation = *relation;
  set.loops = loops.noteUse(*relation, pattern.range);
  set.toward = comprehension.ownEnd;
  set.spelling = sourceText(pattern.range);
  set.range = pattern.range;
  comprehension.pattern = &pattern;
  comprehension.outer = context.comprehension;
  if (expr.filter) {
    set.spelling += " if " + sourceText(expr.filter->range);
    set.range.End = expr.filter->range.End;
    if (!narrow(set, *expr.filter, comprehension))
      return nullptr;
  }
  return keep(std::move(set));
}

/// Reports names of a pattern that stand for something else already: a pattern binds new names.
bool ComprehensionChecker::checkPatternNames(const Pattern &pattern, bool ownIsSource) {
  const Name &neighbour = ownIsSource ? pattern.target : pattern.source;
  for (const Name *binder : {&neighbour, pattern.edge ? &*pattern.edge : nullptr}) {
    if (!binder)
      continue;
    llvm::SMRange taken;
    if (Entity *entity = context.scope->find(binder->text))
      taken = entity->range;
    for (const Comprehension *c = context.comprehension; c; c = c->outer)
      for (const Name *other :
           {&c->pattern->source, &c->pattern->target, c->pattern->edge ? &*c->pattern->edge : nullptr})
        if (other && other->text == binder->text)
          taken = other->range;
    for (const TypeBinder *over = context.over; over; over = over->outer)
      if (over->name.text == binder->text)
        taken = over->name.range;
    if (binder->text == context.body->vertex.text)
      taken = context.body->vertex.range;
    if (binder != &neighbour && neighbour.text == binder->text)
      taken = neighbour.range;
    symbols.noteUse(*binder, binder->range);
    if (!taken.isValid())
      continue;
    error(DiagnosticCode::E0102, binder->range, "`" + binder->text + "` is already a name here")
        .at("taken")
        .label(taken, "first defined here")
        .help("call it something else");
    return false;
  }
  symbols.noteUse(ownIsSource ? pattern.source : pattern.target, context.body->vertex.range);
  return true;
}

/// Adds a condition to the filter, conjunct by conjunct, so that a later one may use edge fields over the edges that
/// earlier ones leave.
bool ComprehensionChecker::narrow(EdgeSet &set, const Expr &condition, Comprehension &comprehension) {
  const auto *both = llvm::dyn_cast<BinaryExpr>(&condition);
  if (both && both->op == BinaryOp::And)
    return narrow(set, *both->lhs, comprehension) && narrow(set, *both->rhs, comprehension);
  const TypeBinder *types = edgeTypes.typeCondition(condition, comprehension);
  if (types && !set.byType) {
    comprehension.types = types;
    set.byType = types->dim;
    return schema.recordTypes(set.relation, types->dim, condition.range);
  }
  EdgeSet soFar = set;
  comprehension.set = keep(std::move(soFar));
  llvm::SaveAndRestore restore(context.comprehension, static_cast<const Comprehension *>(&comprehension));
  Operand filter = evaluator.eval(condition);
  if (filter.isError())
    return false;
  if (filter.isTruth() && filter.truth)
    return true;
  if ((!filter.isField() && !filter.isTruth()) || element(filter) != ElementKind::Bool || !filter.shape.empty()) {
    error(DiagnosticCode::E0205, condition.range,
          "the condition of a comprehension is one bool, not " + describeType(filter))
        .at("this is " + describeType(filter));
    return false;
  }
  if (!filter.edges) {
    error(DiagnosticCode::E0208, condition.range, "this condition is the same for every edge")
        .at("depends on neither end and not on the edge");
    return false;
  }
  filter = graph.onEdges(filter);
  unsigned number = builder.structuralNumber(filter.id);
  if (llvm::is_contained(set.filter, number))
    return true;
  set.filter.insert(llvm::upper_bound(set.filter, number), number);
  set.filterValue = set.filterValue ? builder.elementwise(ValueKind::And, {*set.filterValue, filter.id}, {},
                                                          ElementKind::Bool, condition.range)
                                    : filter.id;
  return true;
}

/// comprehension = expr "for" pattern [ "if" expr ]: an edge field
Operand ComprehensionChecker::evalComprehension(const ComprehensionExpr &expr) {
  if (expr.pattern.isVertices) {
    error(DiagnosticCode::E0410, expr.range, "`for " + expr.pattern.source.text + "` ranges over all vertices")
        .at("only `sum`, `mean`, `max`, `min`, `var`, `std` and `count` do that")
        .help("a value for every vertex is a plain `let`; `for u -> v` ranges over edges");
    return {};
  }
  Comprehension comprehension{};
  const EdgeSet *set = edgeSet(expr, comprehension);
  if (!set)
    return {};
  if (!expr.body) {
    error(DiagnosticCode::E0003, expr.range, "expected an expression before `for`")
        .at("nothing to compute")
        .help("only `count(for u -> v)` has no expression");
    return {};
  }
  comprehension.set = set;
  llvm::SaveAndRestore restore(context.comprehension, static_cast<const Comprehension *>(&comprehension));
  Operand body = evaluator.eval(*expr.body);
  if (body.isError())
    return {};
  if (body.isNumber() || !body.edges) {
    error(DiagnosticCode::E0208, expr.body->range, "`" + sourceText(expr.body->range) + "` is the same for every edge")
        .at("depends on neither end and not on the edge")
        .help("`count(for " + sourceText(expr.pattern.range) + ")` is the number of edges: multiply by it");
    return {};
  }
  body.edges = set;
  body.range = expr.range;
  return body;
}
