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
#include "llvm/Support/SaveAndRestore.h"

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

Diagnostic &Parser::foreign(llvm::SMRange range, const llvm::Twine &message) {
  return diagnostics.report(DiagnosticCode::E0003, range, message).at("not in this language");
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
  // What the lexer has reported, or the bracket inside of this one.
  if (at(TokenKind::Error) || missesClose == token().text.begin())
    return false;
  if (at(TokenKind::kw_for)) {
    unexpected(describe(kind));
    return false;
  }
  if (at(TokenKind::End) || token().startsLine || at(TokenKind::RBrace)) {
    missesClose = token().text.begin();
    diagnostics.report(DiagnosticCode::E0004, open.range(), "`" + open.text + "` is never closed")
        .at("opened here")
        .label(token().range(), at(TokenKind::End) ? "the file ends" : "expected " + describe(kind) + " before this")
        .help("write " + describe(kind) + " where what it holds ends");
    return false;
  }
  Diagnostic &wrong = diagnostics.report(DiagnosticCode::E0003, token().range(),
                                         "expected " + describe(kind) + ", found `" + token().text + "`");
  wrong.at("expected " + describe(kind)).label(open.range(), "to close this");
  if (std::string advice = adviceOn(token(), describe(kind)); !advice.empty())
    wrong.help(advice);
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

/// Skips to the next line.
void Parser::skipLine() {
  do
    consume();
  while (!at(TokenKind::End) && !token().startsLine);
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
bool Parser::parseImport(File &file) {
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
bool Parser::parseComponent(File &file) {
  ComponentDecl *component = parseHead(file);
  if (!component)
    return false;
  Items items;
  llvm::SaveAndRestore inside(componentItems, &items);
  lost = false;
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
  component->isDamaged = !closed || items.isDamaged;
  component->isIncomplete = lost;
  return closed;
}

/// All before the brace; null if that could not be read.
ComponentDecl *Parser::parseHead(File &file) {
  auto *component = arena.create<ComponentDecl>();
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
  component->params = arena.copy<ComponentParam>(params);
  llvm::SmallVector<WhereClause, 0> where;
  if (consumeIf(TokenKind::kw_where) && !parseWhere(where))
    return nullptr;
  component->where = arena.copy<WhereClause>(where);
  if (at(TokenKind::LBrace))
    return component;
  unexpected("`{`");
  return nullptr;
}

/// param = NAME ":" ( "dim" | "int" | "real" ) [ "=" expr ]
bool Parser::parseComponentParam(llvm::SmallVectorImpl<ComponentParam> &params) {
  ComponentParam &param = params.emplace_back();
  param.doc = token().doc;
  std::optional<Name> name = parseName("a parameter");
  if (!name)
    return false;
  param.name = *name;
  if (at(TokenKind::Comma) || at(TokenKind::RParen) || at(TokenKind::Equal)) {
    // One mistake, however many of them have none.
    if (params.size() == 1 || params[params.size() - 2].hasKind)
      foreign(name->range, "a parameter is a `dim`, an `int` or a `real`")
          .at("says nothing of its kind")
          .fix("say what it is: `" + name->text + ": dim`", llvm::SMRange(name->range.End, name->range.End), ": dim");
    param.hasKind = false;
    return !consumeIf(TokenKind::Equal) || (param.fallback = parseExpr());
  }
  if (!expect(TokenKind::Colon, "before its kind"))
    return false;
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
      return !weight->isDamaged;
    }
    return false;
  case TokenKind::kw_layer:
    return parseInstance(items, consume().range());
  case TokenKind::kw_vertex:
  case TokenKind::kw_edge:
    if (parseBody(component, items))
      return true;
    items.isDamaged = true;
    return false;
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
    if (at(TokenKind::Identifier) && peek(1).is(TokenKind::Equal) && peek(2).is(TokenKind::Identifier) &&
        peek(3).is(TokenKind::LParen)) {
      foreign(start.range(), "an item begins with a keyword")
          .at("which one?")
          .fix("`layer " + start.text + " = ...` declares a layer",
               llvm::SMRange(start.range().Start, start.range().Start), "layer ");
      return parseInstance(items, start.range());
    }
    lost = true;
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
  llvm::StringRef keyword = weight.isState ? "state" : "param";
  if (isElementKeyword(token().kind)) {
    parseForeignType(keyword, {});
    lost = true;
    return std::nullopt;
  }
  std::optional<Name> name = parseName("a name");
  if (!name) {
    lost = true;
    return std::nullopt;
  }
  weight.name = *name;
  if (at(TokenKind::LBracket) || (at(TokenKind::Equal) && isElementKeyword(peek(1).kind))) {
    parseForeignType(keyword, *name);
    weight.isDamaged = true;
  } else {
    weight.isDamaged = !parseWeightRest(weight);
  }
  weight.range = rangeFrom(weight.range);
  return weight;
}

/// What stands behind the name.
bool Parser::parseWeightRest(WeightDecl &weight) {
  if (!expect(TokenKind::Colon, "before its type"))
    return false;
  std::optional<TypeExpr> type = parseType();
  if (!type)
    return false;
  weight.type = *type;
  if (!consumeIf(TokenKind::Equal))
    return true;
  if (!(weight.initializer = parseName("an initialiser")))
    return false;
  if (!at(TokenKind::LParen))
    return true;
  Token open = consume();
  weight.initArgument = parseExpr();
  return weight.initArgument && expectClose(TokenKind::RParen, open);
}

/// `param W[d, d]`, `param W = real[d, d]`, `input real[d] x`: the type in another place. `name` is empty if it is to
/// come behind the type. Skips what is there.
void Parser::parseForeignType(llvm::StringRef keyword, const Name &name) {
  llvm::SMRange start = token().range();
  consumeIf(TokenKind::Equal);
  const char *type = token().text.begin();
  bool hasElement = !at(TokenKind::LBracket);
  if (hasElement)
    consume();
  if (at(TokenKind::LBracket))
    while (!at(TokenKind::End) && !token().startsLine && !consumeIf(TokenKind::RBracket))
      consume();
  std::string text = (hasElement ? "" : "real") + std::string(type, lastEnd.getPointer());
  llvm::StringRef after = at(TokenKind::Identifier) ? token().text : "x";
  foreign(rangeFrom(start), "a type stands behind a colon")
      .at("the type")
      .help("`" + keyword + " " + (name.text.empty() ? after : name.text) + ": " + text + "`");
}

/// `layer convs[depth] = ...`: the number of layers in a list.
void Parser::skipLayerCount(llvm::StringRef name) {
  if (!at(TokenKind::LBracket))
    return;
  llvm::SMRange start = consume().range();
  while (!at(TokenKind::End) && !token().startsLine && !consumeIf(TokenKind::RBracket))
    consume();
  foreign(rangeFrom(start), "there are no lists of layers")
      .help("`repeat` applies one layer again, with the same weights: `repeat n { h = " + name + "(h) }`")
      .help("layers with weights of their own are declared one by one");
}

/// instance = "layer" NAME "=" NAME "(" [ argument { "," argument } ] ")", from the name on
bool Parser::parseInstance(Items &items, llvm::SMRange start) {
  std::optional<Name> name = parseName("a name");
  lost |= !name;
  if (!name)
    return false;
  InstanceDecl &instance = items.instances.emplace_back();
  instance.name = *name;
  instance.isDamaged = true;
  instance.range = rangeFrom(start);
  skipLayerCount(name->text);
  if (!expect(TokenKind::Equal, "before the layer"))
    return false;
  std::optional<Name> layer = parseName("a layer");
  Expr *call = layer ? parseCall(*layer) : nullptr;
  if (!call)
    return false;
  instance.layer = *layer;
  instance.args = static_cast<CallExpr *>(call)->args;
  instance.range = rangeFrom(start);
  instance.isDamaged = false;
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
