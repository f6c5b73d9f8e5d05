//===- SemaIndexing.cpp - What Sema tells editors -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills the SemanticIndex, if there is one.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema.h"
#include "compiler/Frontend/SemanticIndex.h"

using namespace gnnc;

Entity *Sema::lookup(const ast::Name &name) {
  Entity *entity = context.scope->find(name.text);
  if (!entity && context.comprehension && isModelBody())
    entity = relationInfo[context.comprehension->set->relation].scope->find(name.text);
  if (entity)
    noteUse(name, entity->range);
  return entity;
}

void Sema::noteUse(const ast::Name &name, llvm::SMRange definition) {
  readDefinitions.insert(definition.Start.getPointer());
  noteMention(name, definition);
}

void Sema::noteMention(const ast::Name &name, llvm::SMRange definition) {
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

void Sema::noteFact(llvm::SMRange range, const Operand &operand) {
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

void Sema::noteDefinition(const ast::Name &name, const Entity &entity) {
  definitions.insert(name.range.Start.getPointer());
  if (!options.index)
    return;
  noteMention(name, name.range);
  if (entity.kind == Entity::Kind::Field || entity.kind == Entity::Kind::Number)
    return noteFact(name.range, entity.operand);
  SemanticIndex::Fact fact;
  fact.range = name.range;
  fact.type = entity.kind == Entity::Kind::Dim ? "dim" : "layer";
  options.index->noteFact(std::move(fact));
}
