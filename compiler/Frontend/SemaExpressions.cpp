//===- SemaExpressions.cpp - Names and operators ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions other than calls and comprehensions: names and fields (laws 1 and 4), arithmetic, comparisons, products
// (law 5).
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"
#include <algorithm>
#include <cmath>

using namespace gnnc;
using namespace gnnc::ast;

Operand Sema::eval(const Expr &expr) {
  if (expansion.outOfBudget(expr.range))
    return {};
  expansion.spend(1);
  if (expansion.tooDeep(expr.range))
    return {};
  ++expansion.evalDepth;
  Operand result = dispatch(expr);
  --expansion.evalDepth;
  symbols.noteFact(expr.range, result);
  return result;
}

Operand Sema::dispatch(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Error:
    return {};
  case Expr::Kind::Number: {
    const auto &number = llvm::cast<NumberExpr>(expr);
    return numberOperand(number.value, number.integer.has_value(), expr.range);
  }
  case Expr::Kind::Name:
    return evalName(llvm::cast<NameExpr>(expr));
  case Expr::Kind::Member:
    return evalMember(llvm::cast<MemberExpr>(expr));
  case Expr::Kind::Call:
    return evalCall(llvm::cast<CallExpr>(expr));
  case Expr::Kind::Unary:
    return evalUnary(llvm::cast<UnaryExpr>(expr));
  case Expr::Kind::Binary:
    return evalBinary(llvm::cast<BinaryExpr>(expr));
  case Expr::Kind::Comprehension:
    return evalComprehension(llvm::cast<ComprehensionExpr>(expr));
  case Expr::Kind::Index:
    return evalIndex(llvm::cast<IndexExpr>(expr));
  case Expr::Kind::Over:
    return evalOver(llvm::cast<OverExpr>(expr));
  }
  return {};
}

/// name = local of the innermost comprehension, else v's own field, an edge field, a parameter or a dimension (law 1)
Operand Sema::evalName(const NameExpr &expr) {
  llvm::StringRef text = expr.name.text;
  for (const Comprehension *c = context.comprehension; c; c = c->outer) {
    bool isEdge = c->pattern->edge && c->pattern->edge->text == text;
    if (isEdge || c->pattern->source.text == text || c->pattern->target.text == text) {
      error(DiagnosticCode::E0107, expr.range,
            "`" + text + "` is " + (isEdge ? "an edge" : "a vertex") + ", not a value")
          .at("not a value")
          .help("read one of its fields: `" + text + ".name`" +
                (isEdge ? "" : "; `==` and `!=` compare both ends of the edge"));
      return {};
    }
  }
  if (context.body && !context.body->isEdge && context.body->vertex.text == text) {
    error(DiagnosticCode::E0107, expr.range, "`" + text + "` is a vertex, not a value")
        .at("not a value")
        .help("read one of its fields: `" + text + ".name` or just `name`");
    return {};
  }
  if (const TypeBinder *over = typeBinder(expr)) {
    const TypeBinder *everyType = nullptr;
    if (std::optional<Operand> type = evalIndexValue(expr, everyType))
      return *type;
    error(DiagnosticCode::E0107, expr.range, "`" + text + "` is every edge type at once, not a value")
        .at("not a value here")
        .label(over->name.range, "bound here")
        .help("it is an index: `W[" + text + "]`, `v.in_degree(" + text + ")`; or a condition: `e.type == " + text +
              "`");
    return {};
  }
  return ownField(expr.name);
}

/// A field of the body's own vertex, or whatever else the bare name means.
Operand Sema::ownField(const Name &name) {
  bool inEdgeBody = context.comprehension && context.comprehension->inEdgeBody;
  if (std::optional<ValueKind> kind = degreeKind(name.text); kind && !inEdgeBody)
    return inContext(degreeOf(*kind, context.vertexType, /*byType=*/false, name.range));
  if (name.text == "training")
    return training(name.range);
  Entity *entity = symbols.lookup(name);
  if (!entity)
    return symbols.unknownName(name);
  if (entity->kind == Entity::Kind::Dim)
    return operators.extent(entity->dim, name.range);
  if (entity->kind == Entity::Kind::Instance) {
    error(DiagnosticCode::E0107, name.range, "`" + name.text + "` is a layer, not a value")
        .at("not a value")
        .label(entity->range, "defined here")
        .help("apply it: `" + name.text + "(h)`");
    return {};
  }
  Operand operand = valueAt(*entity, context.atOtherEnd, name);
  operand.range = name.range;
  operand.origin = entity->range;
  if (operand.isSparse() && context.comprehension)
    return elementwise.sparseElsewhere(operand, name.range, "a comprehension");
  if (operand.edges && context.comprehension)
    return onThisEdge(operand, name);
  if (operand.isField() && kind(operand) == GraphKind::V && inEdgeBody) {
    const Pattern &pattern = *context.comprehension->pattern;
    error(DiagnosticCode::E0406, name.range, "an edge has two vertices, so a bare `" + name.text + "` is neither's")
        .at("a field of a vertex")
        .label(entity->range, "defined here")
        .help("write `" + pattern.source.text + "." + name.text + "` or `" + pattern.target.text + "." + name.text +
              "`");
    return {};
  }
  return inContext(operand);
}

/// member = binder "." NAME
Operand Sema::evalMember(const MemberExpr &expr) {
  if (const auto *chain = llvm::dyn_cast<MemberExpr>(expr.base)) {
    error(DiagnosticCode::E0403, expr.range, "`" + sourceText(expr.range) + "` reads a neighbour of a neighbour")
        .at("a vertex sees its own neighbours only")
        .help("let every vertex compute what it needs of its neighbours as a field of its own, and read that: `let m = "
              "sum(" +
              chain->member.text + "." + expr.member.text + " for " + chain->member.text + " -> v)`, then `" +
              sourceText(chain->base->range) + ".m`");
    return {};
  }
  const auto *base = llvm::dyn_cast<NameExpr>(expr.base);
  if (!base) {
    error(DiagnosticCode::E0107, expr.base->range, "only vertices and edges have fields")
        .at("this is a value")
        .help("give it a name with `let`; `u.name` is then that of a neighbour");
    return {};
  }
  Name member{expr.member.text, expr.range};
  Place where = place(*base, expr.member.text);
  switch (where.kind) {
  case Place::Kind::Own:
    return ownField(member);
  case Place::Kind::Neighbour:
    return neighbourField(member, where.end, expr.range);
  case Place::Kind::Edge:
    return member.text == "type" ? edgeType(expr.range) : edgeField(member, expr.range);
  case Place::Kind::Unknown:
    break;
  }
  return {};
}

Sema::Place Sema::place(const NameExpr &base, llvm::StringRef member) {
  llvm::StringRef binder = base.name.text;
  if (const Comprehension *c = context.comprehension) {
    if (c->pattern->edge && c->pattern->edge->text == binder) {
      symbols.noteUse(base.name, c->pattern->edge->range);
      return {Place::Kind::Edge};
    }
    bool atSource = c->pattern->source.text == binder;
    if (atSource || c->pattern->target.text == binder) {
      End end = atSource != c->flipped ? End::Source : End::Destination;
      symbols.noteUse(base.name, (atSource ? c->pattern->source : c->pattern->target).range);
      return {!c->inEdgeBody && end == c->ownEnd ? Place::Kind::Own : Place::Kind::Neighbour, end};
    }
    for (c = c->outer; c; c = c->outer)
      if (c->pattern->source.text == binder || c->pattern->target.text == binder) {
        error(DiagnosticCode::E0401, base.range, "`" + binder + "` belongs to the comprehension around this one")
            .at("not bound in this comprehension")
            .label(c->pattern->range, "bound here")
            .help("compute the inner aggregation with `let` first");
        return {};
      }
  } else if (context.body && !context.body->isEdge && context.body->vertex.text == binder) {
    symbols.noteUse(base.name, context.body->vertex.range);
    return {Place::Kind::Own};
  }
  if (Entity *entity = context.scope->find(binder)) {
    Diagnostic &wrong = error(DiagnosticCode::E0107, base.range, "`" + binder + "` has no fields");
    wrong.at("only vertices and edges have fields").label(entity->range, "defined here");
    if (member == "T" && entity->operand.isField() && entity->operand.shape.size() == 2)
      wrong.help("nothing is transposed: declare it as [" + entity->operand.shape[1].str() + ", " +
                 entity->operand.shape[0].str() + "], and multiply by `" + binder + "`");
    else if (std::string advice = adviceOnFunction(member); !advice.empty())
      wrong.help(advice);
    else
      wrong.help("`u." + member + "` is a neighbour's `" + member + "`: `sum(u." + member + " for u -> v)`");
  } else {
    unboundVertex(base, member);
  }
  return {};
}

/// `e.type` and other fields of edges need a name for the edge; a neighbour needs a comprehension that binds it.
void Sema::unboundVertex(const NameExpr &base, llvm::StringRef member) {
  const std::string binder = base.name.text.str(), read = binder + "." + member.str();
  Entity *inReach = context.scope->find(member);
  bool isOfEdge = member == "type" || (inReach && inReach->operand.edges) ||
                  llvm::any_of(relationInfo, [&](const RelationInfo &relation) {
                    Entity *entity = relation.scope ? relation.scope->find(member) : nullptr;
                    return entity && entity->operand.edges;
                  });
  Diagnostic &unbound =
      error(DiagnosticCode::E0401, base.range, "`" + binder + "` names no " + (isOfEdge ? "edge" : "vertex") + " here");
  unbound.at("not bound here");
  const Pattern *pattern = context.comprehension ? context.comprehension->pattern : nullptr;
  std::string around = pattern ? sourceText(pattern->range) : "";
  if (!context.body) {
    unbound.help("a function sees its parameters only: give it the field as one of them");
  } else if (isOfEdge && pattern && pattern->edge) {
    unbound.fix("the edge is called `" + pattern->edge->text + "` here", base.range, pattern->edge->text);
  } else if (isOfEdge && pattern) {
    llvm::SMRange start(pattern->range.Start, pattern->range.Start);
    unbound.fix("name the edge: `" + binder + ": " + around + "`", start, binder + ": ");
  } else if (isOfEdge) {
    unbound.help("an edge is named in a comprehension: `sum(" + read + " * u.x for " + binder + ": u -> " +
                 context.body->vertex.text + ")`");
  } else if (context.body->isEdge) {
    unbound.help("the ends of this edge are `" + pattern->source.text + "` and `" + pattern->target.text + "`");
  } else {
    unbound.help("a neighbour exists inside a comprehension: `sum(" + read + " for " + binder + " -> " +
                 context.body->vertex.text + ")`");
  }
}

Operand Sema::neighbourField(const Name &name, End end, llvm::SMRange range) {
  std::optional<ValueKind> degree = degreeKind(name.text);
  unsigned vertexType = typeAt(context.comprehension->set->relation, end);
  Operand field = degree ? degreeOf(*degree, vertexType, /*byType=*/false, range) : fieldOf(name, end, range);
  if (!field.isField())
    return field;
  return kind(field) == GraphKind::V ? readAt(field, end, range) : field;
}

/// A field that every vertex at an end of the edge has.
Operand Sema::fieldOf(const Name &name, End end, llvm::SMRange range) {
  Entity *entity = fieldAt(name, end);
  if (!entity)
    return {};
  if (entity->kind != Entity::Kind::Field && entity->kind != Entity::Kind::Number) {
    error(DiagnosticCode::E0107, range, "`" + name.text + "` is not a field of vertices")
        .at("not a field")
        .label(entity->range, "defined here");
    return {};
  }
  bool isOther = !context.isModelBody() && context.use && joinsTwoTypes(*context.use) && end != context.use->ownEnd;
  Operand operand = valueAt(*entity, isOther, name);
  operand.range = range;
  operand.origin = entity->range;
  if (operand.isSparse())
    return elementwise.sparseElsewhere(operand, range, "a neighbour's read");
  if (operand.edges) {
    error(DiagnosticCode::E0202, range, "`" + name.text + "` is a field of edges, not of vertices")
        .at("read as a vertex field")
        .label(entity->range, "one value for every edge")
        .help("on the edge of a comprehension it is just `" + name.text + "`");
    return {};
  }
  return operand;
}

/// `e.weight`
Operand Sema::edgeField(const Name &name, llvm::SMRange range) {
  Entity *entity = symbols.lookup(name);
  if (entity && entity->kind == Entity::Kind::Field && entity->operand.isError())
    return {};
  if (entity && entity->kind == Entity::Kind::Field && entity->operand.edges)
    return ownField(name);
  std::vector<std::string> edgeFields;
  for (Scope *scope = context.scope; scope; scope = scope->parent)
    for (const auto &entry : scope->names)
      if (entry.getValue().operand.edges)
        edgeFields.push_back(entry.getKey().str());
  if (symbols.mayBeLost(name.text))
    return {};
  Diagnostic &unknown = error(DiagnosticCode::E0101, range, "edges have no field `" + name.text + "`");
  unknown.at("not found");
  if (entity)
    unknown.label(entity->range, "this is no field of edges");
  const Pattern &pattern = *context.comprehension->pattern;
  std::vector<std::string> types;
  for (const VertexTypeDecl &type : root.component->vertexTypes)
    types.push_back(type.name.text.str());
  if (std::optional<std::string> near = nearest(pattern.source.text, types); near && context.isModelBody()) {
    unknown.fix("`" + sourceText({pattern.edge->range.Start, pattern.source.range.End}) + "` is an edge, since `" +
                    pattern.source.text + "` is no vertex type: did you mean `" + *near + "`?",
                pattern.source.range, *near);
    return {};
  }
  std::string suggestion = suggest(name.text, edgeFields);
  unknown.help(!suggestion.empty() ? suggestion
                                   : "declare it: `edge " + name.text + ": real` among a layer's inputs, `input " +
                                         name.text + ": real` in the `edge` body of a model");
  return {};
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Operand Sema::evalUnary(const UnaryExpr &expr) {
  Operand operand = eval(*expr.operand);
  operand.range = expr.operand->range;
  if (operand.isError())
    return {};
  if (expr.op == UnaryOp::Not)
    return operators.logical(ValueKind::Not, operand, operand, expr.range);
  if (operand.isNumber())
    return numberOperand(-operand.number, operand.isInteger, expr.range);
  if (!operand.isSparse() && element(operand) == ElementKind::Bool) {
    error(DiagnosticCode::E0201, expr.range, "`-` needs a number, not bool")
        .at("this is bool")
        .help("`not` negates a bool");
    return {};
  }
  bool isSparse = operand.isSparse();
  Operand result =
      elementwise.apply(ValueKind::Neg, {operand}, isSparse ? Shape() : operand.shape, element(operand), expr.range);
  if (isSparse) {
    result.tag = Operand::Tag::Sparse;
    result.shape = operand.shape;
  }
  return result;
}

Operand Sema::evalBinary(const BinaryExpr &expr) {
  if (std::optional<Operand> loop = loopCondition(expr))
    return *loop;
  // `a * b @ W` groups to the left; the other grouping is looked at to warn about it.
  const auto *left = llvm::dyn_cast<BinaryExpr>(expr.lhs);
  if (expr.op == BinaryOp::MatMul && left && !left->parenthesized &&
      (left->op == BinaryOp::Mul || left->op == BinaryOp::Div)) {
    Operand scale = eval(*left->lhs), product = eval(*left->rhs);
    Weight weight = evalWeight(*expr.rhs);
    Operand result = matmul(expr,
                            operators.arithmetic(left->op == BinaryOp::Mul ? ValueKind::Mul : ValueKind::Div, scale,
                                                 product, left->range, spelling(left->op)),
                            weight);
    if (result.isField() && product.isField() && !weight.over)
      lintGrouping(expr, scale, product, weight.shape(), result.shape);
    return result;
  }
  Operand a = eval(*expr.lhs);
  if (expr.op == BinaryOp::MatMul)
    return matmul(expr, a, evalWeight(*expr.rhs));
  Operand b = eval(*expr.rhs);
  auto kindOf = [&](ValueKind first, BinaryOp firstOp) {
    return static_cast<ValueKind>(static_cast<int>(first) + static_cast<int>(expr.op) - static_cast<int>(firstOp));
  };
  switch (expr.op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mul:
  case BinaryOp::Div:
    return operators.arithmetic(kindOf(ValueKind::Add, BinaryOp::Add), a, b, expr.range, spelling(expr.op));
  case BinaryOp::Equal:
  case BinaryOp::NotEqual:
  case BinaryOp::Less:
  case BinaryOp::LessEqual:
  case BinaryOp::Greater:
  case BinaryOp::GreaterEqual:
    return operators.comparison(kindOf(ValueKind::Equal, BinaryOp::Equal), a, b, expr.range);
  case BinaryOp::And:
  case BinaryOp::Or:
    return operators.logical(expr.op == BinaryOp::And ? ValueKind::And : ValueKind::Or, a, b, expr.range);
  case BinaryOp::MatMul:
    break; // done above
  }
  return {};
}
