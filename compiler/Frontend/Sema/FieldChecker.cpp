//===- FieldChecker.cpp - Fields --------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of vertices and edges by name (laws 1 and 4): `h`, `u.h`, `e.weight`.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/FieldChecker.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/GraphValues.h"
#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc;
using namespace gnnc::ast;

Operand FieldChecker::onThisEdge(Operand operand, const Name &name) {
  const EdgeSet &here = *context.comprehension->set;
  if (!isWithin(here, *operand.edges)) {
    error(DiagnosticCode::E0402, name.range,
          "`" + name.text + "` is an edge field over `" + operand.edges->spelling + "`, used over `" + here.spelling +
              "`")
        .at("has no value on some of these edges, or means another vertex")
        .label(operand.edges->range, "defined over these edges")
        .label(here.range, "used over these")
        .help("an edge field is used over its own edges, or over fewer by a further `if`");
    return {};
  }
  operand.edges = &here;
  return operand;
}

/// A field of the body's own vertex, or whatever else the bare name means.
Operand FieldChecker::ownField(const Name &name) {
  bool inEdgeBody = context.comprehension && context.comprehension->inEdgeBody;
  if (std::optional<ValueKind> kind = degreeKind(name.text); kind && !inEdgeBody)
    return graph.inContext(graph.degreeOf(*kind, context.vertexType, /*byType=*/false, name.range));
  if (name.text == "training")
    return graph.training(name.range);
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
  if (entity->kind == Entity::Kind::Function) {
    error(DiagnosticCode::E0107, name.range,
          "`" + name.text + "` is a " + (entity->isList ? "list of functions" : "function") + ", not a value")
        .at("not a value")
        .label(entity->range, "defined here")
        .help(entity->isList ? "apply them one by one: `concat(f(x) over f in " + name.text + ")`"
                             : "apply it: `" + name.text + "(x)`");
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
  return graph.inContext(operand);
}

FieldChecker::Place FieldChecker::place(const NameExpr &base, llvm::StringRef member) {
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
      wrong.help("`transpose(" + binder + ")` exchanges its dimensions; or declare it as [" +
                 entity->operand.shape[1].str() + ", " + entity->operand.shape[0].str() + "], and multiply by `" +
                 binder + "`");
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
void FieldChecker::unboundVertex(const NameExpr &base, llvm::StringRef member) {
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

Operand FieldChecker::neighbourField(const Name &name, End end, llvm::SMRange range) {
  std::optional<ValueKind> degree = degreeKind(name.text);
  unsigned vertexType = schema.typeAt(context.comprehension->set->relation, end);
  Operand field = degree ? graph.degreeOf(*degree, vertexType, /*byType=*/false, range) : fieldOf(name, end, range);
  if (!field.isField())
    return field;
  return kind(field) == GraphKind::V ? graph.readAt(field, end, range) : field;
}

/// A field that every vertex at an end of the edge has.
Operand FieldChecker::fieldOf(const Name &name, End end, llvm::SMRange range) {
  Entity *entity = fieldAt(name, end);
  if (!entity)
    return {};
  if (entity->kind != Entity::Kind::Field && entity->kind != Entity::Kind::Constant) {
    error(DiagnosticCode::E0107, range, "`" + name.text + "` is not a field of vertices")
        .at("not a field")
        .label(entity->range, "defined here");
    return {};
  }
  bool isOther =
      !context.isModelBody() && context.use && schema.joinsTwoTypes(*context.use) && end != context.use->ownEnd;
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
Operand FieldChecker::edgeField(const Name &name, llvm::SMRange range) {
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

bool FieldChecker::requireExists(const Entity &entity, const Name &name) {
  if (!entity.condition || conditions.imply(context.frame, *entity.condition))
    return true;
  const std::string condition = conditionText(*entity.condition);
  Diagnostic &missing =
      error(DiagnosticCode::E0113, name.range, "`" + name.text + "` exists only where `" + condition + "` holds");
  missing.at("that is not known here").label(entity.condition->range, "its condition");
  missing.help("put this under that condition: `if " + condition + " { ... }`" +
               (entity.isConstantElse ? "" : ", or `... if " + condition + " else ...`"));
  if (!entity.isConstantElse && !entity.isInput)
    missing.help("a weight that has a constant, as by `= zeros if " + condition + "`, is that constant elsewhere");
  return false;
}

Operand FieldChecker::valueAt(const Entity &entity, bool atOther, const Name &name) {
  if (!entity.isConstantElse && !requireExists(entity, name))
    return {};
  const Operand &any = entity.operand.isError() ? entity.otherEnd : entity.operand;
  bool isVertexField = any.isSparse() || (any.isField() && kind(any) == GraphKind::V);
  const Operand &operand = atOther && isVertexField ? entity.otherEnd : entity.operand;
  if (!operand.isError() || any.isError())
    return operand;
  const EdgeUse &use = *context.use;
  bool isSource = (use.ownEnd == End::Source) != atOther;
  std::string where = use.relation ? " in `" + schema.describeRelation(*use.relation) + "`" : "";
  std::string type =
      use.relation
          ? "a vertex of type `" +
                model.vertexTypes[schema.typeAt(*use.relation, isSource ? End::Source : End::Destination)].name + "`"
          : "the vertex";
  const std::vector<EdgeUse::Lack> &lacks = atOther ? use.otherLacks : use.ownLacks;
  Diagnostic &missing = error(DiagnosticCode::E0414, name.range,
                              type + " has no field `" + name.text.str() + "` here" +
                                  (lacks.size() == 1 ? ": " + lacks.front().why
                                   : lacks.empty()   ? ": it is computed from edges, which this end does not have"
                                                     : ""));
  missing.at("read at the " + std::string(isSource ? "source" : "destination") + where)
      .label(entity.range, "defined here");
  for (const EdgeUse::Lack &lack : lacks)
    missing.label(lack.argument, lack.why);
  missing.help(
      "what the layer is applied to must be a field of both types if it reads both, and what it computes from its "
      "own edges is a field of its own vertex only");
  return {};
}

/// The field `name` of the vertex at an end of the current edge. Null if there is none, which is reported.
Entity *FieldChecker::fieldAt(const Name &name, End end) {
  if (!context.isModelBody() || !context.comprehension) {
    Entity *entity = symbols.lookup(name);
    if (!entity)
      symbols.unknownName(name);
    return entity;
  }
  unsigned type = schema.typeAt(context.comprehension->set->relation, end);
  bool isOwnType = type == context.vertexType && !context.comprehension->inEdgeBody;
  Entity *entity = isOwnType ? context.scope->find(name.text) : typeScopes[type]->find(name.text);
  if (entity) {
    symbols.noteUse(name, entity->range);
    return entity;
  }
  if (Entity *ofEdges = symbols.lookup(name); ofEdges && ofEdges->operand.edges)
    return ofEdges; // the caller says that this is none of vertices
  if (typeScopes.size() == 1) {
    symbols.unknownName(name);
    return nullptr;
  }
  if (symbols.mayBeLost(name.text))
    return nullptr;
  std::vector<std::string> fields;
  for (const auto &entry : typeScopes[type]->names)
    fields.push_back(entry.getKey().str());
  const std::string &typeName = model.vertexTypes[type].name;
  Diagnostic &unknown =
      error(DiagnosticCode::E0414, name.range, "a vertex of type `" + typeName + "` has no field `" + name.text + "`");
  unknown.at("not a field of `" + typeName + "`");
  for (size_t other = 0; other < typeScopes.size(); ++other)
    if (auto it = typeScopes[other]->names.find(name.text); it != typeScopes[other]->names.end())
      unknown.label(it->second.range, "`" + model.vertexTypes[other].name + "` has one");
  if (std::string suggestion = suggest(name.text, fields); !suggestion.empty())
    unknown.help(suggestion);
  else
    unknown.help("fields are defined in a body before they are read: `vertex " +
                 (end == End::Source ? context.comprehension->pattern->source : context.comprehension->pattern->target)
                     .text.str() +
                 ": " + typeName + " { let " + name.text + " = ... }`");
  return nullptr;
}
