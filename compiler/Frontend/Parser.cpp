//===- Parser.cpp - Declarations --------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files, layers, models, functions and their items; tokens and recovery.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Parser.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/ParserItems.h"

using namespace gnnc;
using namespace gnnc::ast;

ast::File gnnc::parse(llvm::StringRef text, Arena &arena, DiagnosticEngine &diagnostics) {
  return Parser(text, arena, diagnostics).parseFile();
}

//===----------------------------------------------------------------------===//
// Tokens and recovery
//===----------------------------------------------------------------------===//

Parser::Parser(llvm::StringRef text, Arena &arena, DiagnosticEngine &diagnostics)
    : lexer(text, diagnostics), arena(arena), diagnostics(diagnostics) {
  peek(0);
}

const Token &Parser::peek(unsigned distance) {
  while (lookahead.size() <= distance) {
    Token next = lexer.next();
    if (++numTokens > maxTokens && !next.is(TokenKind::End)) {
      if (numTokens == maxTokens + 1)
        diagnostics.report(DiagnosticCode::E0602, next.range(),
                           "a file has at most " + llvm::Twine(maxTokens) + " tokens");
      next.kind = TokenKind::End;
    }
    lookahead.push_back(next);
  }
  return lookahead[distance];
}

Token Parser::consume() {
  Token current = token();
  lastEnd = current.range().End;
  if (!current.is(TokenKind::End)) {
    lookahead.erase(lookahead.begin());
    peek(0);
  }
  return current;
}

bool Parser::consumeIf(TokenKind kind) {
  if (!at(kind))
    return false;
  consume();
  return true;
}

/// Reports the current token; says nothing if the lexer has already reported it.
void Parser::unexpected(llvm::StringRef expected) {
  if (at(TokenKind::Error))
    return;
  std::string found = at(TokenKind::End) ? describe(TokenKind::End) : "`" + token().text.str() + "`";
  Diagnostic &error =
      diagnostics.report(DiagnosticCode::E0003, token().range(), "expected " + expected + ", found " + found);
  bool isAfterExpression = expected == "a statement" || expected.starts_with("`");
  if (at(TokenKind::kw_for) && isAfterExpression) {
    error.code = DiagnosticCode::E0006;
    error.help("`for` stands at the end of a `let` or inside an aggregation: `sum(u.h for u -> v)`");
  } else if (token().isKeyword() && expected.starts_with("a name"))
    error.at("this word is a keyword");
  else
    error.at("expected " + expected);
  if (std::string advice = adviceOn(token(), expected); !advice.empty())
    error.help(advice);
}

bool Parser::expect(TokenKind kind, llvm::StringRef where) {
  if (consumeIf(kind))
    return true;
  unexpected(describe(kind) + " " + where.str());
  return false;
}

bool Parser::expectClose(TokenKind kind, const Token &open) {
  if (consumeIf(kind))
    return true;
  if (at(TokenKind::Error))
    return false;
  if (at(TokenKind::kw_for)) {
    unexpected(describe(kind));
    return false;
  }
  if (at(TokenKind::End) || token().startsLine || at(TokenKind::RBrace))
    diagnostics.report(DiagnosticCode::E0004, open.range(), "`" + open.text + "` is never closed")
        .at("opened here")
        .label(token().range(), at(TokenKind::End) ? "the file ends" : "expected " + describe(kind) + " before this");
  else
    diagnostics
        .report(DiagnosticCode::E0003, token().range(), "expected " + describe(kind) + ", found `" + token().text + "`")
        .at("expected " + describe(kind))
        .label(open.range(), "to close this");
  return false;
}

std::optional<Name> Parser::parseName(llvm::StringRef what) {
  if (!at(TokenKind::Identifier)) {
    unexpected(what);
    return std::nullopt;
  }
  Token name = consume();
  return Name{name.text, name.range()};
}

bool Parser::parseList(const Token &open, TokenKind close, llvm::function_ref<bool()> item) {
  while (!at(close)) {
    if (!item())
      return false;
    if (!consumeIf(TokenKind::Comma))
      break;
  }
  return expectClose(close, open);
}

void Parser::skipToDeclaration() {
  while (!at(TokenKind::End)) {
    if (token().startsLine && (at(TokenKind::kw_import) || at(TokenKind::kw_model) || at(TokenKind::kw_fn)))
      return;
    if (token().startsLine && at(TokenKind::kw_layer) && !peek(2).is(TokenKind::Equal))
      return;
    consume();
  }
}

/// Skips to the next item of a layer or model, or to the brace that closes it.
void Parser::skipToItem() {
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

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// file = { import | layer | model | function }
File Parser::parseFile() {
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
      unexpected("`import`, `layer`, `model` or `fn`");
      consume();
    }
    if (!good)
      skipToDeclaration();
  }
  return file;
}

/// import = "import" NAME [ ";" ]
bool Parser::parseImport(File &file) {
  consume();
  std::optional<Name> name = parseName("the name of a library or file");
  if (!name)
    return false;
  file.imports.push_back(*name);
  consumeIf(TokenKind::Semicolon);
  return true;
}

/// layer = "layer" NAME "(" [ param { "," param } ] ")" [ where ] "{" { item } "}"
/// model = "model" NAME "(" [ param { "," param } ] ")" [ where ] "{" { item } "}"
bool Parser::parseComponent(File &file) {
  unsigned errorsBefore = diagnostics.numErrors();
  auto *component = arena.create<ComponentDecl>();
  component->range = token().range();
  component->doc = token().doc;
  component->isModel = consume().is(TokenKind::kw_model);
  std::optional<Name> name = parseName(component->isModel ? "the model's name" : "the layer's name");
  if (!name)
    return false;
  component->name = *name;
  if (!at(TokenKind::LParen)) {
    unexpected("`(`");
    return false;
  }
  Token open = consume();
  llvm::SmallVector<ComponentParam, 0> params;
  if (!parseList(open, TokenKind::RParen, [&] { return parseComponentParam(params); }))
    return false;
  component->params = arena.copy<ComponentParam>(params);
  llvm::SmallVector<WhereClause, 0> where;
  if (consumeIf(TokenKind::kw_where) && !parseWhere(where))
    return false;
  component->where = arena.copy<WhereClause>(where);
  if (!at(TokenKind::LBrace)) {
    unexpected("`{`");
    return false;
  }
  Items items;
  vertexTypes.clear();
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
  component->weights = arena.copy<WeightDecl>(items.weights);
  component->instances = arena.copy<InstanceDecl>(items.instances);
  component->bodies = arena.copy<BodyDecl>(items.bodies);
  component->vertexTypes = arena.copy<VertexTypeDecl>(items.vertexTypes);
  component->relations = arena.copy<RelationDecl>(items.relations);
  component->graph = arena.copy<Setting>(items.graph);
  component->training = arena.copy<Setting>(items.training);
  component->schedule = arena.copy<Setting>(items.schedule);
  component->range = rangeFrom(component->range);
  component->isDamaged = diagnostics.numErrors() != errorsBefore;
  file.components.push_back(component);
  return closed;
}

/// param = NAME ":" ( "dim" | "int" | "real" ) [ "=" expr ]
bool Parser::parseComponentParam(llvm::SmallVectorImpl<ComponentParam> &params) {
  ComponentParam &param = params.emplace_back();
  param.doc = token().doc;
  std::optional<Name> name = parseName("a parameter");
  if (!name || !expect(TokenKind::Colon, "before its kind"))
    return false;
  param.name = *name;
  if (consumeIf(TokenKind::kw_int))
    param.kind = ComponentParam::Kind::Int;
  else if (consumeIf(TokenKind::kw_real))
    param.kind = ComponentParam::Kind::Real;
  else if (!expect(TokenKind::kw_dim, "(or `int` or `real`)"))
    return false;
  return !consumeIf(TokenKind::Equal) || (param.fallback = parseExpr());
}

/// where = "where" sum "==" sum { "," sum "==" sum }
bool Parser::parseWhere(llvm::SmallVectorImpl<WhereClause> &clauses) {
  do {
    WhereClause &clause = clauses.emplace_back();
    clause.range = token().range();
    clause.left = parseBinary(/*minPrecedence=*/4);
    if (!clause.left || !expect(TokenKind::EqualEqual, "between two dimensions"))
      return false;
    clause.right = parseBinary(/*minPrecedence=*/4);
    if (!clause.right)
      return false;
    clause.range = rangeFrom(clause.range);
  } while (consumeIf(TokenKind::Comma));
  return true;
}

/// item = weight | instance | body | graph | train | schedule
bool Parser::parseItem(const ComponentDecl &component, Items &items) {
  Token start = token();
  switch (start.kind) {
  case TokenKind::kw_param:
  case TokenKind::kw_state:
    if (std::optional<WeightDecl> weight = parseWeight()) {
      items.weights.push_back(*weight);
      return true;
    }
    return false;
  case TokenKind::kw_layer:
    return parseInstance(items);
  case TokenKind::kw_vertex:
  case TokenKind::kw_edge:
    return parseBody(component, items);
  case TokenKind::kw_graph:
  case TokenKind::kw_train:
    if (!component.isModel)
      diagnostics.report(DiagnosticCode::E0007, start.range(), "`" + start.text + "` belongs in a model")
          .at("in layer `" + component.name.text + "`");
    consume();
    return start.is(TokenKind::kw_graph) ? parseGraph(items) : parseSettings(items.training);
  case TokenKind::kw_schedule:
    consume();
    return parseSettings(items.schedule);
  default:
    if (startsStatement()) {
      diagnostics.report(DiagnosticCode::E0007, start.range(), "`" + start.text + "` belongs in a body")
          .at("outside of any body")
          .help("put it into `vertex v { ... }`");
      return false;
    }
    unexpected("`param`, `layer`, `vertex` or another item");
    return false;
  }
}

/// weight = ( "param" | "state" ) NAME ":" type [ "=" NAME [ "(" expr ")" ] ]
std::optional<WeightDecl> Parser::parseWeight() {
  WeightDecl weight;
  weight.range = token().range();
  weight.doc = token().doc;
  weight.isState = consume().is(TokenKind::kw_state);
  std::optional<Name> name = parseName("a name");
  if (!name || !expect(TokenKind::Colon, "before its type"))
    return std::nullopt;
  weight.name = *name;
  std::optional<TypeExpr> type = parseType();
  if (!type)
    return std::nullopt;
  weight.type = *type;
  if (consumeIf(TokenKind::Equal)) {
    if (!(weight.initializer = parseName("an initialiser")))
      return std::nullopt;
    if (at(TokenKind::LParen)) {
      Token open = consume();
      weight.initArgument = parseExpr();
      if (!weight.initArgument || !expectClose(TokenKind::RParen, open))
        return std::nullopt;
    }
  }
  weight.range = rangeFrom(weight.range);
  return weight;
}

/// instance = "layer" NAME "=" NAME "(" [ argument { "," argument } ] ")"
bool Parser::parseInstance(Items &items) {
  InstanceDecl instance;
  instance.range = consume().range();
  std::optional<Name> name = parseName("a name");
  if (!name || !expect(TokenKind::Equal, "before the layer"))
    return false;
  instance.name = *name;
  std::optional<Name> layer = parseName("a layer");
  if (!layer)
    return false;
  instance.layer = *layer;
  Expr *call = parseCall(*layer);
  if (!call)
    return false;
  instance.args = static_cast<CallExpr *>(call)->args;
  instance.range = rangeFrom(instance.range);
  items.instances.push_back(instance);
  return true;
}

/// body = ( "vertex" NAME [ ":" NAME ] | "edge" pattern ) [ "(" [ formal { "," formal } ] ")" ] [ "->" type ] block
bool Parser::parseBody(const ComponentDecl &component, Items &items) {
  BodyDecl body;
  body.range = token().range();
  body.isEdge = consume().is(TokenKind::kw_edge);
  if (body.isEdge) {
    std::optional<Pattern> pattern = parsePattern(/*allowVertices=*/false);
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
    body.formals = arena.copy<FormalDecl>(formals);
  }
  if (consumeIf(TokenKind::Arrow) && !(body.result = parseType()))
    return false;
  body.head = rangeFrom(body.range);
  if (!component.isModel && body.vertexType)
    diagnostics.report(DiagnosticCode::E0007, body.vertexType->range, "a layer's vertex has no type")
        .at("in layer `" + component.name.text + "`")
        .note("a layer is about whatever vertices it is called for");
  if (component.isModel && (!formals.empty() || body.result))
    diagnostics.report(DiagnosticCode::E0007, body.head, "a model's body has no parameters and no result")
        .help("declare them inside with `input x: real[in]` and `output y = ...`");
  std::optional<llvm::ArrayRef<Stmt *>> statements = parseBlock();
  if (!statements)
    return false;
  body.statements = *statements;
  body.range = rangeFrom(body.range);
  items.bodies.push_back(body);
  return true;
}

/// formal = [ "edge" ] NAME [ ":" type ]
bool Parser::parseFormal(llvm::SmallVectorImpl<FormalDecl> &formals, bool typeRequired) {
  FormalDecl &formal = formals.emplace_back();
  formal.doc = token().doc;
  formal.ofEdges = consumeIf(TokenKind::kw_edge);
  std::optional<Name> name = parseName("a parameter");
  if (!name)
    return false;
  formal.name = *name;
  if (!typeRequired && !at(TokenKind::Colon))
    return true;
  return expect(TokenKind::Colon, "before its type") && (formal.type = parseType());
}

/// function = "fn" NAME "(" [ formal { "," formal } ] ")" ( "=" expr | block )
bool Parser::parseFunction(File &file) {
  unsigned errorsBefore = diagnostics.numErrors();
  auto *function = arena.create<FunctionDecl>();
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
  function->formals = arena.copy<FormalDecl>(formals);
  if (consumeIf(TokenKind::Equal)) {
    auto *stmt = arena.create<Stmt>();
    stmt->kind = Stmt::Kind::Return;
    stmt->value = parseExpr();
    if (!stmt->value)
      return false;
    stmt->range = stmt->value->range;
    function->statements = arena.copy<Stmt *>(stmt);
    consumeIf(TokenKind::Semicolon);
  } else {
    std::optional<llvm::ArrayRef<Stmt *>> statements = parseBlock();
    function->isDamaged = diagnostics.numErrors() != errorsBefore;
    function->statements = statements.value_or(llvm::ArrayRef<Stmt *>());
  }
  function->range = rangeFrom(function->range);
  file.functions.push_back(function);
  return !function->isDamaged;
}
