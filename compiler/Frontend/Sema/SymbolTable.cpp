//===- SymbolTable.cpp - What names mean ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares names and finds what they stand for (law 1), tells editors, and keeps which names are read.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "compiler/Frontend/SemanticIndex.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc;
using namespace gnnc::ast;

/// Gives a value the name that the source gives it, if it is the first.
void SymbolTable::nameValue(const Operand &operand, llvm::StringRef name) {
  if (!operand.isField() && !operand.isSparse())
    return;
  std::string &current = model.values[operand.id].name;
  if (current.empty())
    current = context.frame->prefix + name.str();
}

/// All names in reach, sorted.
std::vector<std::string> SymbolTable::visibleNames() const {
  std::vector<std::string> names;
  for (Scope *scope = context.scope; scope; scope = scope->parent)
    for (const auto &entry : scope->names)
      names.push_back(entry.getKey().str());
  llvm::sort(names);
  return names;
}

/// The binders of a body are names like any other: they cannot be those of parameters, weights or fields (law 1).
void SymbolTable::checkBinders(const BodyDecl &body) {
  auto names = binders(body);
  for (size_t i = 0; i < names.size(); ++i) {
    noteUse(*names[i], names[i]->range);
    llvm::SMRange taken;
    if (Entity *entity = context.scope->find(names[i]->text))
      taken = entity->range;
    for (size_t j = 0; j < i; ++j)
      if (names[j]->text == names[i]->text)
        taken = names[j]->range;
    for (const VertexTypeDecl &type : context.frame->component->vertexTypes)
      if (type.name.text == names[i]->text)
        taken = type.name.range;
    if (taken.isValid())
      error(DiagnosticCode::E0102, names[i]->range, "`" + names[i]->text + "` is already a name here")
          .at("taken")
          .label(taken, "first defined here");
  }
}

Operand SymbolTable::unknownName(const Name &name) {
  if (mayBeLost(name.text))
    return {};
  Diagnostic &unknown = error(DiagnosticCode::E0101, name.range, "unknown name `" + name.text + "`");
  unknown.at("not found here");
  if (std::optional<std::string> near = nearest(name.text, visibleNames()))
    // The range of a field read from a neighbour covers `u.` too.
    unknown.fix("did you mean `" + *near + "`?",
                {llvm::SMLoc::getFromPointer(name.range.End.getPointer() - name.text.size()), name.range.End}, *near);
  else if (declarations.layers.count(name.text) || declarations.functions.count(name.text) || isBuiltin(name.text))
    unknown.help("`" + name.text + "` is called: `" + name.text + "(...)`");
  else if (std::string advice = adviceOnName(name.text); !advice.empty())
    unknown.help(advice);
  else if (auto gone = goneNames.find(name.text); gone != goneNames.end())
    unknown.label(gone->second, "defined here, for one iteration")
        .help("a `let` of `repeat` is gone after each iteration: define it before, and assign to it inside");
  else if (!context.body && !context.scope->parent)
    unknown.help("a function sees its parameters only: give it `" + name.text + "` as one of them");
  else if (context.body && context.isModelBody())
    unknown.help("a field is defined by `let " + name.text + " = ...`, or declared: `input " + name.text +
                 ": real[d]`, `target " + name.text + ": i32`");
  else
    unknown.help("a field is defined by `let " + name.text + " = ...`, or is an input: `" + name.text + ": real[d]`");
  return {};
}

/// Whether a name that is not found may be defined by what could not be read, which has been reported.
bool SymbolTable::mayBeLost(llvm::StringRef name) const {
  bool isForeign = llvm::any_of(name, [](char c) { return static_cast<signed char>(c) < 0; });
  const ComponentDecl *component = context.frame->component;
  return isForeign || declarations.isIncomplete || component->isIncomplete || root.component->isIncomplete;
}

Entity *SymbolTable::lookup(const ast::Name &name) {
  Entity *entity = context.scope->find(name.text);
  if (!entity && context.comprehension && context.isModelBody())
    entity = relationInfo[context.comprehension->set->relation].scope->find(name.text);
  if (entity)
    noteUse(name, entity->range);
  return entity;
}

void SymbolTable::noteUse(const ast::Name &name, llvm::SMRange definition) {
  uses.reads.insert(definition.Start.getPointer());
  noteMention(name, definition);
}

void SymbolTable::noteMention(const ast::Name &name, llvm::SMRange definition) {
  if (options.index)
    options.index->noteUse(name.range, name.text, definition);
}

/// For which vertices or edges a field has values.
static std::string describePlace(GraphKind kind, const std::string &owner, const EdgeSet *edges) {
  std::string spelling = edges ? " of `" + edges->spelling + "`" : "";
  switch (kind) {
  case GraphKind::P:
    return "one for the whole graph";
  case GraphKind::V:
    return "for every " + owner;
  case GraphKind::S:
    return "for the source of every edge" + spelling;
  case GraphKind::D:
    return "for the destination of every edge" + spelling;
  case GraphKind::E:
    return "for every edge" + spelling;
  }
  return "";
}

void SymbolTable::noteFact(llvm::SMRange range, const Operand &operand) {
  if (!options.index || operand.isError() || !range.isValid())
    return;
  SemanticIndex::Fact fact;
  fact.range = range;
  fact.type = describeType(operand);
  if (operand.isSparse()) {
    fact.kind = GraphKind::V;
    fact.place = describePlace(GraphKind::V, model.vertexTypes.front().name, nullptr);
  } else if (operand.isField()) {
    const Value &value = builder.value(operand.id);
    fact.kind = value.type.kind;
    fact.hops = value.hops;
    std::string owner = value.type.kind == GraphKind::V ? model.vertexTypes[value.type.type].name : "";
    fact.place = describePlace(value.type.kind, owner, operand.edges);
  }
  options.index->noteFact(std::move(fact));
}

void SymbolTable::noteDefinition(const ast::Name &name, const Entity &entity) {
  uses.definitions.insert(name.range.Start.getPointer());
  if (!options.index)
    return;
  noteMention(name, name.range);
  if (entity.kind == Entity::Kind::Field || entity.kind == Entity::Kind::Constant)
    return noteFact(name.range, entity.operand);
  SemanticIndex::Fact fact;
  fact.range = name.range;
  fact.type = entity.kind == Entity::Kind::Dim        ? "dim"
              : entity.kind == Entity::Kind::Function ? entity.isList ? "list of functions" : "function"
                                                      : "layer";
  options.index->noteFact(std::move(fact));
}

/// Adds a name to the innermost scope; a name that is in reach already is an error (law 1).
bool SymbolTable::declare(const Name &name, Entity entity) {
  llvm::SMRange taken;
  if (Entity *other = context.scope->find(name.text))
    taken = other->range;
  if (context.body)
    for (const Name *binder : binders(*context.body))
      if (binder->text == name.text)
        taken = binder->range;
  bool isReserved = degreeKind(name.text).has_value();
  bool isTraining = name.text == "training";
  for (const TypeBinder *over = context.over; over; over = over->outer)
    if (over->name.text == name.text)
      taken = over->name.range;
  if (taken.isValid() || isReserved || isTraining) {
    Diagnostic &shadows = error(DiagnosticCode::E0102, name.range, "`" + name.text + "` is already a name here");
    shadows.at("taken").label(taken, "first defined here");
    if (isTraining)
      shadows.note("`training` is true while the model is trained");
    else if (isReserved)
      shadows.note("every vertex has the fields `in_degree` and `out_degree`");
    else if (Entity *other = context.scope->find(name.text); other && other->assignable)
      shadows.help("`" + name.text + " = ...` without `let` makes a new version of it");
    return false;
  }
  entity.range = name.range;
  noteDefinition(name, entity);
  context.scope->names[name.text] = std::move(entity);
  return true;
}

void SymbolTable::declareField(const Name &name, Operand operand, bool assignable, Operand otherEnd) {
  nameValue(operand, name.text);
  Entity entity;
  entity.kind = operand.isConstant() ? Entity::Kind::Constant : Entity::Kind::Field;
  entity.operand = std::move(operand);
  entity.otherEnd = std::move(otherEnd);
  entity.assignable = assignable;
  declare(name, std::move(entity));
}

void SymbolTable::forget(const Scope &block) {
  for (const auto &entry : block.names)
    goneNames[entry.getKey()] = entry.getValue().range;
}

bool SymbolTable::isUnused(const Name &name) const {
  const char *place = name.range.Start.getPointer();
  return uses.definitions.count(place) && !uses.reads.count(place);
}
