//===- DeclParser.cpp - Declarations ----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files, layers, models, functions and their items.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Parser/DeclParser.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Parser.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

ast::File gnnc::parse(llvm::StringRef text, Arena &arena, DiagnosticEngine &diagnostics) {
  ParserState state(text, arena, diagnostics);
  return DeclParser(state).parseFile();
}

void DeclParser::skipToDeclaration() {
  while (!at(TokenKind::End)) {
    if (token().startsLine && (at(TokenKind::kw_import) || at(TokenKind::kw_model) || at(TokenKind::kw_fn)))
      return;
    if (token().startsLine && at(TokenKind::kw_layer) && !peek(2).is(TokenKind::Equal))
      return;
    consume();
  }
}

/// Skips to the next item of a layer or model, or to the brace that closes it.
void DeclParser::skipToItem() {
  while (!at(TokenKind::End) && !at(TokenKind::RBrace)) {
    if (consumeIf(TokenKind::Semicolon))
      return;
    switch (token().startsLine ? token().kind : TokenKind::Error) {
    case TokenKind::kw_param:
    case TokenKind::kw_state:
    case TokenKind::kw_layer:
    case TokenKind::kw_graph:
    case TokenKind::kw_train:
    case TokenKind::kw_schedule:
    case TokenKind::kw_vertex:
    case TokenKind::kw_edge:
    case TokenKind::kw_model:
    case TokenKind::kw_fn:
    case TokenKind::kw_import:
      return;
    default:
      break;
    }
    if (at(TokenKind::LBrace))
      skipBalanced();
    else
      consume();
  }
}

/// file = { import | layer | model | function }
File DeclParser::parseFile() {
  File file;
  while (!at(TokenKind::End)) {
    bool good = false;
    switch (token().kind) {
    case TokenKind::kw_import:
      good = parseImport(file);
      break;
    case TokenKind::kw_layer:
    case TokenKind::kw_model:
      good = parseComponent(file);
      break;
    case TokenKind::kw_fn:
      good = parseFunction(file);
      break;
    default:
      if (at(TokenKind::Identifier) && token().text == "from" && peek(2).is(TokenKind::kw_import)) {
        Token word = consume();
        file.imports.push_back({token().text, token().range()});
        foreign(word.range(), "modules are imported as a whole")
            .help("`import " + token().text + "` brings in all of it");
        skipLine();
        continue;
      }
      unexpected("`import`, `layer`, `model` or `fn`");
      file.isIncomplete = true;
      consume();
    }
    if (!good)
      skipToDeclaration();
  }
  return file;
}

/// import = "import" NAME [ ";" ]
bool DeclParser::parseImport(File &file) {
  consume();
  std::optional<Name> name = parseName("the name of a library or file");
  if (!name)
    return false;
  if (at(TokenKind::Dot) && !token().startsLine) {
    foreign(rangeFrom(name->range), "a module has one name")
        .help("the layers of the standard library are in `nn`: `import nn`");
    file.isIncomplete = true;
    skipLine();
    return true;
  }
  file.imports.push_back(*name);
  consumeIf(TokenKind::Semicolon);
  return true;
}

/// layer = "layer" NAME "(" [ param { "," param } ] ")" [ where ] "{" { item } "}"
/// model = "model" NAME "(" [ param { "," param } ] ")" [ where ] "{" { item } "}"
bool DeclParser::parseComponent(File &file) {
  ComponentDecl *component = parseHead(file);
  if (!component)
    return false;
  ComponentItems items;
  llvm::SaveAndRestore inside(state.componentItems, &items);
  state.lost = false;
  state.vertexTypes.clear();
  Token brace = consume();
  while (!at(TokenKind::RBrace) && !at(TokenKind::End)) {
    bool missesBrace = at(TokenKind::kw_model) || at(TokenKind::kw_fn) || at(TokenKind::kw_import) ||
                       (at(TokenKind::kw_layer) && peek(2).is(TokenKind::LParen));
    if (missesBrace)
      break;
    if (parseItem(*component, items))
      consumeIf(TokenKind::Semicolon);
    else
      skipToItem();
  }
  bool closed = expectClose(TokenKind::RBrace, brace);
  component->weights = state.arena.copy<WeightDecl>(items.weights);
  component->instances = state.arena.copy<InstanceDecl>(items.instances);
  component->bodies = state.arena.copy<BodyDecl>(items.bodies);
  component->vertexTypes = state.arena.copy<VertexTypeDecl>(items.vertexTypes);
  component->relations = state.arena.copy<RelationDecl>(items.relations);
  component->graph = state.arena.copy<Setting>(items.graph);
  component->training = state.arena.copy<Setting>(items.training);
  component->schedule = state.arena.copy<Setting>(items.schedule);
  component->range = rangeFrom(component->range);
  component->isDamaged = !closed || items.isDamaged;
  component->isIncomplete = state.lost;
  return closed;
}

/// All before the brace; null if that could not be read.
ComponentDecl *DeclParser::parseHead(File &file) {
  auto *component = state.arena.create<ComponentDecl>();
  component->range = token().range();
  component->doc = token().doc;
  component->isModel = consume().is(TokenKind::kw_model);
  component->isDamaged = true;
  std::optional<Name> name = parseName(component->isModel ? "the model's name" : "the layer's name");
  if (!name) {
    file.isIncomplete = true;
    return nullptr;
  }
  component->name = *name;
  component->range = rangeFrom(component->range);
  file.components.push_back(component);
  if (at(TokenKind::LBrace)) {
    llvm::StringRef word = component->isModel ? "model " : "layer ";
    foreign(name->range, "parameters stand in parentheses, which may be empty")
        .at("no parentheses behind this name")
        .fix("`" + word + name->text + "() { ... }`", llvm::SMRange(name->range.End, name->range.End), "()");
    return component;
  }
  if (!at(TokenKind::LParen)) {
    unexpected("`(`");
    return nullptr;
  }
  Token open = consume();
  llvm::SmallVector<ComponentParam, 0> params;
  if (!parseList(open, TokenKind::RParen, [&] { return parseComponentParam(params); }))
    return nullptr;
  component->params = state.arena.copy<ComponentParam>(params);
  llvm::SmallVector<WhereClause, 0> where;
  if (consumeIf(TokenKind::kw_where) && !parseWhere(where))
    return nullptr;
  component->where = state.arena.copy<WhereClause>(where);
  if (at(TokenKind::LBrace))
    return component;
  unexpected("`{`");
  return nullptr;
}

/// param = NAME ":" ( "dim" | "int" | "real" | "bool" | "layer" expr "->" expr | ( "aggregation" | "fn" ) [ "[" "]" ] )
///         [ "=" expr ]
bool DeclParser::parseComponentParam(llvm::SmallVectorImpl<ComponentParam> &params) {
  ComponentParam &param = params.emplace_back();
  param.doc = token().doc;
  std::optional<Name> name = parseName("a parameter");
  if (!name)
    return false;
  param.name = *name;
  if (at(TokenKind::Comma) || at(TokenKind::RParen) || at(TokenKind::Equal)) {
    // One mistake, however many of them have none.
    if (params.size() == 1 || params[params.size() - 2].hasKind)
      foreign(name->range, "a parameter is a `dim`, an `int`, a `real` or a `bool`")
          .at("says nothing of its kind")
          .fix("say what it is: `" + name->text + ": dim`", llvm::SMRange(name->range.End, name->range.End), ": dim");
    param.hasKind = false;
    return !consumeIf(TokenKind::Equal) || (param.fallback = exprs.parseExpr());
  }
  if (!expect(TokenKind::Colon, "before its kind"))
    return false;
  if (consumeIf(TokenKind::kw_int))
    param.kind = ComponentParam::Kind::Int;
  else if (consumeIf(TokenKind::kw_real))
    param.kind = ComponentParam::Kind::Real;
  else if (consumeIf(TokenKind::kw_bool))
    param.kind = ComponentParam::Kind::Bool;
  else if (at(TokenKind::kw_layer)) {
    if (!parseLayerType(param))
      return false;
  } else if (at(TokenKind::kw_fn) || (at(TokenKind::Identifier) && token().text == "aggregation")) {
    param.kind = consume().is(TokenKind::kw_fn) ? ComponentParam::Kind::Function : ComponentParam::Kind::Aggregation;
    param.isList = consumeIf(TokenKind::LBracket);
    if (param.isList && !expect(TokenKind::RBracket, "of a list"))
      return false;
  } else if (!expect(TokenKind::kw_dim, "(or `int`, `real`, `bool`, `layer`, `aggregation` or `fn`)"))
    return false;
  return !consumeIf(TokenKind::Equal) || (param.fallback = exprs.parseExpr());
}

/// `layer in -> out`
bool DeclParser::parseLayerType(ComponentParam &param) {
  param.kind = ComponentParam::Kind::Layer;
  consume();
  return (param.takes = exprs.parseBinary(/*minPrecedence=*/4)) &&
         expect(TokenKind::Arrow, "between the dimensions of what the layer takes and gives") &&
         (param.gives = exprs.parseBinary(/*minPrecedence=*/4));
}

/// where = "where" sum "==" sum { "," sum "==" sum }
bool DeclParser::parseWhere(llvm::SmallVectorImpl<WhereClause> &clauses) {
  do {
    WhereClause &clause = clauses.emplace_back();
    clause.range = token().range();
    clause.left = exprs.parseBinary(/*minPrecedence=*/4);
    if (!clause.left || !expect(TokenKind::EqualEqual, "between two dimensions"))
      return false;
    clause.right = exprs.parseBinary(/*minPrecedence=*/4);
    if (!clause.right)
      return false;
    clause.range = rangeFrom(clause.range);
  } while (consumeIf(TokenKind::Comma));
  return true;
}

/// item = weight | instance | body | graph | train | schedule
bool DeclParser::parseItem(const ComponentDecl &component, ComponentItems &items) {
  Token start = token();
  switch (start.kind) {
  case TokenKind::kw_param:
  case TokenKind::kw_state:
    if (std::optional<WeightDecl> weight = statements.parseWeight()) {
      items.weights.push_back(*weight);
      return !weight->isDamaged;
    }
    return false;
  case TokenKind::kw_layer:
    return statements.parseInstance(items, consume().range());
  case TokenKind::kw_vertex:
  case TokenKind::kw_edge:
    if (parseBody(component, items))
      return true;
    items.isDamaged = true;
    return false;
  case TokenKind::kw_graph:
  case TokenKind::kw_train:
    if (!component.isModel && start.is(TokenKind::kw_train))
      state.diagnostics.report(DiagnosticCode::E0007, start.range(), "`" + start.text + "` belongs in a model")
          .at("in layer `" + component.name.text + "`");
    consume();
    if (start.is(TokenKind::kw_train))
      return settings.parseSettings(items.training);
    if (!settings.parseGraph(items))
      return false;
    if (!component.isModel && (!items.vertexTypes.empty() || !items.relations.empty())) {
      const bool hasTypes = !items.vertexTypes.empty();
      state.diagnostics
          .report(DiagnosticCode::E0007,
                  hasTypes ? items.vertexTypes.front().name.range : items.relations.front().name.range,
                  "vertex types and relations belong in a model")
          .at("in layer `" + component.name.text + "`")
          .note("a layer is about the edges that it is called over");
      items.vertexTypes.clear();
      items.relations.clear();
    }
    return true;
  case TokenKind::kw_schedule:
    consume();
    return settings.parseSettings(items.schedule);
  default:
    if (at(TokenKind::Identifier) && peek(1).is(TokenKind::Equal) && peek(2).is(TokenKind::Identifier) &&
        peek(3).is(TokenKind::LParen)) {
      foreign(start.range(), "an item begins with a keyword")
          .at("which one?")
          .fix("`layer " + start.text + " = ...` declares a layer",
               llvm::SMRange(start.range().Start, start.range().Start), "layer ");
      return statements.parseInstance(items, start.range());
    }
    state.lost = true;
    if (llvm::StringRef block = blockOfSetting(start.text); !block.empty()) {
      const Token &value = peek(peek(1).is(TokenKind::Equal) || peek(1).is(TokenKind::Colon) ? 2 : 1);
      const bool hasValue = block == "train" && !value.startsLine;
      state.diagnostics.report(DiagnosticCode::E0007, start.range(), "`" + start.text + "` belongs in `" + block + "`")
          .at("outside of `" + block + "`")
          .help("`" + block + " { " + start.text + (hasValue ? " " + value.text : "") + " }`");
      return false;
    }
    if (statements.startsStatement()) {
      state.diagnostics.report(DiagnosticCode::E0007, start.range(), "`" + start.text + "` belongs in a body")
          .at("outside of any body")
          .help("put it into `vertex v { ... }`");
      return false;
    }
    unexpected("`param`, `layer`, `vertex` or another item");
    return false;
  }
}

/// body = ( "vertex" NAME [ ":" NAME ] | "edge" pattern ) [ "(" [ formal { "," formal } ] ")" ] [ "->" type ] block
bool DeclParser::parseBody(const ComponentDecl &component, ComponentItems &items) {
  BodyDecl body;
  body.range = token().range();
  body.isEdge = consume().is(TokenKind::kw_edge);
  if (body.isEdge) {
    std::optional<Pattern> pattern = exprs.parsePattern(/*allowVertices=*/false);
    if (!pattern)
      return false;
    body.pattern = *pattern;
  } else {
    std::optional<Name> vertex = parseName("a name for the vertex");
    if (!vertex)
      return false;
    body.vertex = *vertex;
    if (consumeIf(TokenKind::Colon) && !(body.vertexType = parseName("a vertex type")))
      return false;
  }
  llvm::SmallVector<FormalDecl, 0> formals;
  if (at(TokenKind::LParen)) {
    Token open = consume();
    if (!parseList(open, TokenKind::RParen, [&] { return parseFormal(formals, /*typeRequired=*/true); }))
      return false;
    body.formals = state.arena.copy<FormalDecl>(formals);
  }
  if (consumeIf(TokenKind::Arrow) && !(body.result = exprs.parseType()))
    return false;
  body.head = rangeFrom(body.range);
  if (!component.isModel && body.vertexType)
    state.diagnostics.report(DiagnosticCode::E0007, body.vertexType->range, "a layer's vertex has no type")
        .at("in layer `" + component.name.text + "`")
        .note("a layer is about whatever vertices it is called for");
  if (component.isModel && (!formals.empty() || body.result))
    state.diagnostics.report(DiagnosticCode::E0007, body.head, "a model's body has no parameters and no result")
        .help("declare them inside with `input x: real[in]` and `output y = ...`");
  std::optional<llvm::ArrayRef<Stmt *>> block = statements.parseBlock();
  if (!block)
    return false;
  body.statements = *block;
  body.range = rangeFrom(body.range);
  items.bodies.push_back(body);
  return true;
}

/// formal = [ "edge" ] NAME [ ":" type [ "=" expr | "?" ] ]
bool DeclParser::parseFormal(llvm::SmallVectorImpl<FormalDecl> &formals, bool typeRequired) {
  FormalDecl &formal = formals.emplace_back();
  formal.doc = token().doc;
  formal.ofEdges = consumeIf(TokenKind::kw_edge);
  std::optional<Name> name = parseName("a parameter");
  if (!name)
    return false;
  formal.name = *name;
  if (!typeRequired && !at(TokenKind::Colon))
    return true;
  if (!expect(TokenKind::Colon, "before its type") || !(formal.type = exprs.parseType()))
    return false;
  return !typeRequired || parseWhereLeftOut(formal);
}

static llvm::StringRef textOf(llvm::SMRange range) {
  return {range.Start.getPointer(), size_t(range.End.getPointer() - range.Start.getPointer())};
}

/// Parses `= 1` or `?` behind the type of an input: a call of the layer may leave it out.
bool DeclParser::parseWhereLeftOut(FormalDecl &formal) {
  if (at(TokenKind::Question)) {
    formal.condition = exprs.createGiven(formal.name, consume().range());
    return true;
  }
  if (!at(TokenKind::Equal))
    return true;
  const llvm::SMRange sign = consume().range();
  if (!(formal.fallback = exprs.parseExpr()))
    return false;
  if (!formal.ofEdges)
    state.diagnostics.report(DiagnosticCode::E0007, rangeFrom(sign), "only an input of edges has a constant")
        .at("`" + formal.name.text + "` is an input of vertices")
        .help("`" + formal.name.text + ": " + textOf(formal.type->range) +
              "?` may be left out, and is read where `if given(" + formal.name.text + ")` says that it is there");
  return true;
}

/// function = "fn" NAME "(" [ formal { "," formal } ] ")" ( "=" expr | block )
bool DeclParser::parseFunction(File &file) {
  unsigned errorsBefore = state.diagnostics.numErrors();
  auto *function = state.arena.create<FunctionDecl>();
  function->range = token().range();
  function->doc = token().doc;
  consume();
  std::optional<Name> name = parseName("the function's name");
  if (!name)
    return false;
  function->name = *name;
  if (!at(TokenKind::LParen)) {
    unexpected("`(`");
    return false;
  }
  Token open = consume();
  llvm::SmallVector<FormalDecl, 0> formals;
  if (!parseList(open, TokenKind::RParen, [&] { return parseFormal(formals, /*typeRequired=*/false); }))
    return false;
  function->formals = state.arena.copy<FormalDecl>(formals);
  if (consumeIf(TokenKind::Equal)) {
    auto *stmt = state.arena.create<Stmt>();
    stmt->kind = Stmt::Kind::Return;
    stmt->value = exprs.parseExpr();
    if (!stmt->value)
      return false;
    stmt->range = stmt->value->range;
    function->statements = state.arena.copy<Stmt *>(stmt);
    consumeIf(TokenKind::Semicolon);
  } else {
    std::optional<llvm::ArrayRef<Stmt *>> block = statements.parseBlock();
    function->isDamaged = state.diagnostics.numErrors() != errorsBefore;
    function->statements = block.value_or(llvm::ArrayRef<Stmt *>());
  }
  function->range = rangeFrom(function->range);
  file.functions.push_back(function);
  return !function->isDamaged;
}
