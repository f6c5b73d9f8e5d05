//===- SchemaChecker.cpp - Vertex types and relations -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schema of a model's graph (law 15): its vertex types and relations, how many edge types these have, and which
// relation a pattern means.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

/// The vertex type that a body of the model is about.
std::optional<unsigned> SchemaChecker::bodyType(const BodyDecl &body) {
  if (body.vertexType)
    return vertexTypeNamed(*body.vertexType);
  if (typeScopes.size() == 1)
    return 0;
  error(DiagnosticCode::E0413, body.vertex.range, "which vertices is this body about?")
      .at("the graph has more than one vertex type")
      .help("`vertex " + body.vertex.text + ": " + model.vertexTypes.front().name + "`");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Without vertex types there are one, `vertex`, and one relation, `edge`, whose fields are in the model's own scope.
void SchemaChecker::declareSchema(const ComponentDecl &component) {
  auto addScope = [&] { return scopes.emplace_back(std::make_unique<Scope>(root.scope.get())).get(); };
  bool hasTypes = !component.vertexTypes.empty();
  if (!hasTypes) {
    model.vertexTypes.push_back({"vertex", /*isColumns=*/false, {}});
    typeScopes.push_back(root.scope.get());
    Relation edges;
    edges.name = "edge";
    model.relations.push_back(edges);
    relationInfo.emplace_back().scope = root.scope.get();
  }
  for (const VertexTypeDecl &type : component.vertexTypes) {
    symbols.noteUse(type.name, type.name.range);
    const auto *first = llvm::find_if(component.vertexTypes,
                                      [&](const VertexTypeDecl &other) { return other.name.text == type.name.text; });
    if (first != &type)
      error(DiagnosticCode::E0102, type.name.range, "there is already a vertex type `" + type.name.text + "`")
          .at("taken")
          .label(first->name.range, "first defined here");
    model.vertexTypes.push_back({type.name.text.str(), /*isColumns=*/false, {}});
    typeScopes.push_back(addScope());
  }
  for (const RelationDecl &decl : component.relations) {
    declareRelation(decl, component);
    relationInfo.emplace_back().scope = addScope();
  }
}

void SchemaChecker::declareRelation(const RelationDecl &decl, const ComponentDecl &component) {
  symbols.noteUse(decl.name, decl.name.range);
  const auto *first =
      llvm::find_if(component.relations, [&](const RelationDecl &other) { return other.name.text == decl.name.text; });
  if (first != &decl)
    error(DiagnosticCode::E0102, decl.name.range, "there is already a relation `" + decl.name.text + "`")
        .at("taken")
        .label(first->name.range, "first defined here");
  Relation relation;
  relation.name = decl.name.text.str();
  relation.isPairs = decl.isPairs;
  if (decl.source) {
    relation.sourceType = vertexTypeNamed(*decl.source).value_or(0);
    relation.destinationType = vertexTypeNamed(*decl.target).value_or(0);
  }
  model.relations.push_back(std::move(relation));
}

std::optional<unsigned> SchemaChecker::vertexTypeNamed(const Name &name) {
  std::vector<std::string> names;
  for (size_t i = 0; i < root.component->vertexTypes.size(); ++i) {
    const Name &type = root.component->vertexTypes[i].name;
    if (type.text == name.text) {
      symbols.noteUse(name, type.range);
      return i;
    }
    names.push_back(type.text.str());
  }
  Diagnostic &unknown = error(DiagnosticCode::E0111, name.range, "unknown vertex type `" + name.text + "`");
  unknown.at("not found");
  if (std::optional<std::string> near = nearest(name.text, names))
    unknown.fix("did you mean `" + *near + "`?", name.range, *near);
  else if (names.empty())
    unknown.help("vertex types are declared in a model: `graph { vertex " + name.text + " }`");
  else
    unknown.help("the vertex types are `" + llvm::join(names, "`, `") + "`");
  return std::nullopt;
}

std::optional<unsigned> SchemaChecker::relationNamed(llvm::StringRef name) const {
  for (unsigned i = 0; i < relationInfo.size(); ++i)
    if (model.relations[i].name == name)
      return i;
  return std::nullopt;
}

Diagnostic &SchemaChecker::unknownRelation(const Name &name) {
  std::vector<std::string> names;
  for (const RelationDecl &decl : root.component->relations)
    names.push_back(decl.name.text.str());
  Diagnostic &unknown = error(DiagnosticCode::E0111, name.range, "unknown relation `" + name.text + "`");
  unknown.at("not found");
  if (std::optional<std::string> near = nearest(name.text, names))
    unknown.fix("did you mean `" + *near + "`?", name.range, *near);
  else if (names.empty())
    unknown.help("relations are declared in a model: `graph { edge Author -" + name.text + "-> Paper }`");
  else
    unknown.help("the relations are `" + llvm::join(names, "`, `") + "`");
  return unknown;
}

//===----------------------------------------------------------------------===//
// Which relation
//===----------------------------------------------------------------------===//

unsigned SchemaChecker::typeAt(unsigned relation, End end) const {
  const Relation &edges = model.relations[relation];
  return end == End::Source ? edges.sourceType : edges.destinationType;
}

/// `Author -writes-> Paper`
std::string SchemaChecker::describeRelation(unsigned relation) const {
  const Relation &edges = model.relations[relation];
  return model.vertexTypes[edges.sourceType].name + " -" + edges.name + "-> " +
         model.vertexTypes[edges.destinationType].name;
}

/// The one candidate; reports that there is none, or more than one.
std::optional<unsigned> SchemaChecker::onlyRelation(llvm::ArrayRef<unsigned> candidates, llvm::SMRange range,
                                                    llvm::StringRef none, llvm::StringRef help) {
  if (candidates.size() == 1)
    return candidates.front();
  Diagnostic &wrong = error(candidates.empty() ? DiagnosticCode::E0412 : DiagnosticCode::E0413, range,
                            candidates.empty() ? none : "more than one relation may be meant");
  wrong.at(candidates.empty() ? "no such edges" : "which edges?");
  std::vector<std::string> listed;
  for (unsigned i = 0; i < relationInfo.size(); ++i)
    if (llvm::is_contained(candidates, i) || (candidates.empty() && !model.relations[i].isPairs))
      listed.push_back("`" + describeRelation(i) + "`");
  wrong.note(candidates.empty() ? "the edges of the graph are " + llvm::join(listed, ", ")
                                : "it may be " + llvm::join(listed, " or "));
  if (!help.empty())
    wrong.help(help);
  return std::nullopt;
}

std::optional<unsigned> SchemaChecker::resolvePattern(const Pattern &pattern, std::optional<End> ownEnd) {
  if (context.isModelBody())
    return resolveInModel(pattern, ownEnd);
  if (pattern.relation)
    unknownRelation(*pattern.relation).note("a layer is about whatever edges it is called over");
  else if (const std::optional<Name> &type = pattern.sourceType ? pattern.sourceType : pattern.targetType)
    error(DiagnosticCode::E0111, type->range, "unknown vertex type `" + type->text + "`")
        .at("not found")
        .note("a layer is about whatever vertices it is called for");
  else
    return layerRelation(pattern.range);
  return std::nullopt;
}

std::optional<unsigned> SchemaChecker::resolveInModel(const Pattern &pattern, std::optional<End> ownEnd) {
  std::optional<unsigned> ends[2];
  for (auto [type, end] :
       {std::pair(&pattern.sourceType, End::Source), std::pair(&pattern.targetType, End::Destination)})
    if (*type && !(ends[static_cast<unsigned>(end)] = vertexTypeNamed(**type)))
      return std::nullopt;
  std::optional<unsigned> named;
  if (pattern.relation) {
    named = relationNamed(pattern.relation->text);
    if (!named) {
      unknownRelation(*pattern.relation);
      return std::nullopt;
    }
    for (const RelationDecl &decl : root.component->relations)
      if (decl.name.text == pattern.relation->text)
        symbols.noteUse(*pattern.relation, decl.name.range);
  }
  if (named && ownEnd && model.relations[*named].isPairs) {
    error(DiagnosticCode::E0407, pattern.range, "the pairs `" + pattern.relation->text + "` are no edges of the graph")
        .at("nothing is aggregated over pairs")
        .help("score them in a body of their own: `edge " + pattern.source.text + " -" + pattern.relation->text +
              "-> " + pattern.target.text + " { ... }`");
    return std::nullopt;
  }
  if (ownEnd)
    ends[static_cast<unsigned>(*ownEnd)] = ends[static_cast<unsigned>(*ownEnd)].value_or(context.vertexType);
  bool ownFits = !ownEnd || ends[static_cast<unsigned>(*ownEnd)] == context.vertexType;
  std::vector<unsigned> candidates;
  for (unsigned i = 0; i < relationInfo.size(); ++i) {
    bool isMeant = named ? i == *named : !model.relations[i].isPairs;
    for (End end : {End::Source, End::Destination})
      isMeant &= !ends[static_cast<unsigned>(end)] || *ends[static_cast<unsigned>(end)] == typeAt(i, end);
    if (isMeant && ownFits)
      candidates.push_back(i);
  }
  std::string none = "`" + sourceText(pattern.range) + "` is no edge of the graph";
  if (ownEnd)
    none += ": `" + (*ownEnd == End::Source ? pattern.source : pattern.target).text.str() + "` is a `" +
            model.vertexTypes[context.vertexType].name + "`";
  if (std::string right = candidates.empty() && ownEnd ? turnedAround(pattern, named) : ""; !right.empty()) {
    error(DiagnosticCode::E0412, pattern.range, none)
        .at("the other way round")
        .note("the edges are `" + describeRelation(*named) + "`")
        .fix("`" + right + "`", pattern.range, right);
    return std::nullopt;
  }
  return onlyRelation(candidates, pattern.range, none,
                      candidates.size() > 1
                          ? "name it: `" + pattern.source.text.str() + " -" + model.relations[candidates.front()].name +
                                "-> " + pattern.target.text.str() + "`"
                          : "");
}

/// The pattern with its ends exchanged, if a relation goes from the one type to the other; sets `named` to it. Else "".
std::string SchemaChecker::turnedAround(const Pattern &pattern, std::optional<unsigned> &named) {
  auto typeOf = [&](const std::optional<Name> &type) -> std::optional<unsigned> {
    for (size_t i = 0; type && i < root.component->vertexTypes.size(); ++i)
      if (root.component->vertexTypes[i].name.text == type->text)
        return i;
    return std::nullopt;
  };
  const llvm::StringRef own = context.body->vertex.text;
  std::optional<unsigned> source = pattern.target.text == own ? context.vertexType : typeOf(pattern.targetType);
  std::optional<unsigned> target = pattern.source.text == own ? context.vertexType : typeOf(pattern.sourceType);
  std::optional<unsigned> found;
  for (unsigned i = 0; i < relationInfo.size(); ++i) {
    bool fits = (named ? i == *named : !model.relations[i].isPairs) && !(source && *source != typeAt(i, End::Source)) &&
                !(target && *target != typeAt(i, End::Destination));
    if (fits && found)
      return "";
    if (fits)
      found = i;
  }
  if (!found)
    return "";
  named = found;
  auto end = [](const Name &vertex, const std::optional<Name> &type) {
    return vertex.text.str() + (type ? ": " + type->text.str() : "");
  };
  std::string arrow = pattern.relation ? " -" + pattern.relation->text.str() + "-> " : " -> ";
  return (pattern.edge ? pattern.edge->text.str() + ": " : "") + end(pattern.target, pattern.targetType) + arrow +
         end(pattern.source, pattern.sourceType);
}

/// The edges of the layer that is being evaluated.
bool SchemaChecker::requireVertices(llvm::SMRange range) {
  if (!context.use || !context.use->onEdges)
    return true;
  error(DiagnosticCode::E0202, range, "a layer that is applied to values of edges has no vertices of its own")
      .at("needs a vertex and its edges")
      .label(context.use->onEdges->range, "applied to a value for each of these edges")
      .help("apply it to all vertices with a `let` before, and read its result here");
  return false;
}

std::optional<unsigned> SchemaChecker::layerRelation(llvm::SMRange range) {
  const std::string &type = model.vertexTypes[context.vertexType].name;
  if (!requireVertices(range))
    return std::nullopt;
  if (context.use) {
    if (context.use->relation)
      return context.use->relation;
    error(DiagnosticCode::E0412, range, "the vertices at the other end have no edges in this layer")
        .at("no edges here");
    return std::nullopt;
  }
  std::vector<unsigned> candidates;
  for (unsigned i = 0; i < relationInfo.size(); ++i)
    if (!model.relations[i].isPairs && typeAt(i, End::Source) == context.vertexType &&
        typeAt(i, End::Destination) == context.vertexType)
      candidates.push_back(i);
  // A layer is right by itself; the call in the model leaves open what it is about, and is reported once.
  bool isCalled = expansion.callStack.size() > 1 && modelBody;
  llvm::SMRange call = isCalled ? expansion.callStack[1].second : range;
  llvm::SaveAndRestore hidden(expansion.callStack, isCalled
                                                       ? decltype(expansion.callStack)(expansion.callStack.begin(),
                                                                                       expansion.callStack.begin() + 1)
                                                       : expansion.callStack);
  std::string vertex = modelBody ? modelBody->vertex.text.str() : "v";
  std::string relation = candidates.empty() ? "relation" : model.relations[candidates.front()].name;
  return onlyRelation(candidates, call, "there are no edges from `" + type + "` to `" + type + "`",
                      "say over which edges the layer is applied: `" + (isCalled ? sourceText(call) : "conv") +
                          "(... for u -" + relation + "-> " + vertex + ")`");
}

bool SchemaChecker::joinsTwoTypes(const EdgeUse &use) const {
  return use.relation && typeAt(*use.relation, End::Source) != typeAt(*use.relation, End::Destination);
}

//===----------------------------------------------------------------------===//
// How many edge types there are
//===----------------------------------------------------------------------===//

DimExpr gnnc::unknownTypes(unsigned relation) { return DimExpr::name("." + std::to_string(relation)); }

/// `dim` is the number of the relation's edge types; it must be what it was before.
bool SchemaChecker::recordTypes(unsigned relation, const DimExpr &dim, llvm::SMRange range) {
  RelationInfo &info = relationInfo[relation];
  DimExpr inComponent = dim;
  for (const Frame *frame = context.frame; frame->caller; frame = frame->caller) {
    llvm::SaveAndRestore restore(context.frame, frame->caller);
    inComponent = dims.substitute({inComponent}, *frame).front();
  }
  noteTypesRead(relation, range);
  if (info.types) {
    if (*info.types == inComponent)
      return true;
    error(DiagnosticCode::E0309, range,
          "the edges have `" + inComponent.str() + "` types here and `" + info.types->str() + "` elsewhere")
        .at("one for each of `" + dim.str() + "`")
        .label(info.typesRange, "here `" + info.types->str() + "`")
        .help("what is indexed by edge types has the same first dimension everywhere");
    return false;
  }
  info.types = inComponent;
  info.typesRange = range;
  DimExpr types = dims.translate(dim, range);
  model.relations[relation].types = types;
  for (Value &value : model.values)
    for (DimExpr &open : value.type.shape)
      if (open == unknownTypes(relation))
        open = types;
  return true;
}

void SchemaChecker::noteTypesRead(unsigned relation, llvm::SMRange range) {
  model.relations[relation].isTyped = true;
  if (llvm::SMRange &first = relationInfo[relation].typesRead; !first.isValid())
    first = range;
}

/// At the end: whether all that has a value for each type knows how many there are.
void SchemaChecker::checkTypesKnown() {
  for (const RelationInfo &info : relationInfo)
    if (!info.types && info.typesRange.isValid() && !diagnostics.hasErrors())
      error(DiagnosticCode::E0309, info.typesRange, "nothing says how many edge types there are")
          .at("has one value for each edge type")
          .help("index a parameter by them, as in `W[e.type]`, or range over them: `... over r in relations`");
}

/// The dimension that is the number of vertices of a type.
DimExpr SchemaChecker::vertexCount(unsigned vertexType, llvm::SMRange range) {
  VertexType &type = model.vertexTypes[vertexType];
  if (type.rows != DimExpr(0))
    return type.rows;
  Dimension count;
  count.name = "num_" + (type.name == "vertex" ? "vertices" : type.name);
  count.vertexType = static_cast<int>(vertexType);
  for (const Dimension &dim : model.dims)
    if (dim.name == count.name)
      error(DiagnosticCode::E0102, range, "`" + count.name + "` is the number of vertices")
          .at("needs that name")
          .help("give the parameter `" + count.name + "` of the model another name");
  type.rows = DimExpr::name(count.name);
  model.dims.push_back(std::move(count));
  return type.rows;
}

std::string SchemaChecker::qualified(llvm::StringRef name) const {
  bool ofEdges = context.comprehension;
  unsigned relation = ofEdges ? context.comprehension->set->relation : 0;
  bool isPlain = ofEdges ? relationInfo[relation].scope == root.scope.get() : root.component->vertexTypes.empty();
  const std::string &owner = ofEdges ? model.relations[relation].name : model.vertexTypes[context.vertexType].name;
  return isPlain ? name.str() : owner + "." + name.str();
}
