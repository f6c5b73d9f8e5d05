//===- StatementParser.cpp - Statements -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements, and declarations that may stand among them: parameters and layers.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Parser/StatementParser.h"
#include "compiler/Frontend/ForeignSyntax.h"

using namespace gnnc;
using namespace gnnc::ast;

/// weight = ( "param" | "state" ) NAME ":" type [ "=" NAME [ "(" expr ")" ] ] [ "if" expr ]
std::optional<WeightDecl> StatementParser::parseWeight() {
  WeightDecl weight;
  weight.range = token().range();
  weight.doc = token().doc;
  weight.isState = consume().is(TokenKind::kw_state);
  llvm::StringRef keyword = weight.isState ? "state" : "param";
  if (isElementKeyword(token().kind)) {
    parseForeignType(keyword, {});
    state.lost = true;
    return std::nullopt;
  }
  std::optional<Name> name = parseName("a name");
  if (!name) {
    state.lost = true;
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

/// Parses the rest of a weight, from the colon behind its name on.
bool StatementParser::parseWeightRest(WeightDecl &weight) {
  if (!expect(TokenKind::Colon, "before its type"))
    return false;
  std::optional<TypeExpr> type = exprs.parseType();
  if (!type)
    return false;
  weight.type = *type;
  if (consumeIf(TokenKind::Equal) && !parseInitializer(weight))
    return false;
  if (!at(TokenKind::kw_if) || exprs.roleOfIf() != IfRole::Condition)
    return true;
  consume();
  return (weight.condition = exprs.parseExpr());
}

bool StatementParser::parseInitializer(WeightDecl &weight) {
  if (!(weight.initializer = parseName("an initialiser")))
    return false;
  if (!at(TokenKind::LParen))
    return true;
  Token open = consume();
  weight.initArgument = exprs.parseExpr();
  return weight.initArgument && expectClose(TokenKind::RParen, open);
}

/// `param W[d, d]`, `param W = real[d, d]`, `input real[d] x`: the type in another place. `name` is empty if it is to
/// come behind the type. Skips what is there.
void StatementParser::parseForeignType(llvm::StringRef keyword, const Name &name) {
  llvm::SMRange start = token().range();
  consumeIf(TokenKind::Equal);
  const char *type = token().text.begin();
  bool hasElement = !at(TokenKind::LBracket);
  if (hasElement)
    consume();
  if (at(TokenKind::LBracket))
    while (!at(TokenKind::End) && !token().startsLine && !consumeIf(TokenKind::RBracket))
      consume();
  std::string text = (hasElement ? "" : "real") + std::string(type, state.lastEnd.getPointer());
  llvm::StringRef after = at(TokenKind::Identifier) ? token().text : "x";
  foreign(rangeFrom(start), "a type stands behind a colon")
      .at("the type")
      .help("`" + keyword + " " + (name.text.empty() ? after : name.text) + ": " + text + "`");
}

/// `layer convs[depth] = ...`: the number of layers in a list.
void StatementParser::skipLayerCount(llvm::StringRef name) {
  if (!at(TokenKind::LBracket))
    return;
  llvm::SMRange start = consume().range();
  while (!at(TokenKind::End) && !token().startsLine && !consumeIf(TokenKind::RBracket))
    consume();
  state.layerLists.insert(name);
  llvm::StringRef count = llvm::StringRef(start.End.getPointer(), state.lastEnd.getPointer() - start.End.getPointer());
  count.consume_back("]");
  foreign(rangeFrom(start), "there are no lists of layers")
      .help("`repeat` applies one layer again, with the same weights: `repeat " + count.trim() + " { h = " + name +
            "(h) }`")
      .help("layers with weights of their own are declared one by one");
}

/// instance = "layer" NAME "=" NAME "(" [ argument { "," argument } ] ")", from the name on
bool StatementParser::parseInstance(ComponentItems &items, llvm::SMRange start) {
  std::optional<Name> name = parseName("a name");
  state.lost |= !name;
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
  Expr *call = layer ? exprs.parseCall(*layer) : nullptr;
  if (!call)
    return false;
  instance.layer = *layer;
  instance.args = static_cast<CallExpr *>(call)->args;
  instance.range = rangeFrom(start);
  instance.isDamaged = false;
  return true;
}

/// Whether the token can only be the start of a statement: a keyword, or a name with `=` (or `.name =`, which Sema
/// refuses) after it.
bool StatementParser::startsStatement() {
  switch (token().kind) {
  case TokenKind::kw_let:
  case TokenKind::kw_return:
  case TokenKind::kw_repeat:
  case TokenKind::kw_if:
  case TokenKind::kw_input:
  case TokenKind::kw_output:
  case TokenKind::kw_target:
  case TokenKind::kw_loss:
  case TokenKind::kw_param:
  case TokenKind::kw_state:
    return true;
  default:
    return at(TokenKind::Identifier) && peek(1).is(TokenKind::Equal);
  }
}

void StatementParser::skipToStatement() {
  while (!at(TokenKind::End) && !at(TokenKind::RBrace)) {
    if (consumeIf(TokenKind::Semicolon) || (token().startsLine && startsStatement()))
      return;
    if (at(TokenKind::LBrace))
      skipBalanced();
    else
      consume();
  }
}

/// block = "{" { statement [ ";" ] } "}"
std::optional<llvm::ArrayRef<Stmt *>> StatementParser::parseBlock() {
  if (!at(TokenKind::LBrace)) {
    unexpected("`{`");
    return std::nullopt;
  }
  if (exprs.tooDeep(token().range()))
    return std::nullopt;
  ++state.depth;
  Token open = consume();
  llvm::SmallVector<Stmt *> statements;
  while (!at(TokenKind::RBrace) && !at(TokenKind::End)) {
    // A `model`, `layer`, `fn` or `import` cannot be in a block: the closing brace is missing.
    bool isInstance = at(TokenKind::kw_layer) && peek(2).is(TokenKind::Equal);
    bool missesBrace =
        token().startsLine && !isInstance &&
        (at(TokenKind::kw_layer) || at(TokenKind::kw_model) || at(TokenKind::kw_fn) || at(TokenKind::kw_import));
    if (missesBrace)
      break;
    if (isInstance && state.componentItems) {
      state.diagnostics.report(DiagnosticCode::E0007, token().range(), "a layer is declared once, not in a body")
          .at("inside a body")
          .help("layers stand beside the bodies, before this one");
      llvm::SMRange start = consume().range();
      if (!parseInstance(*state.componentItems, start))
        skipToStatement();
      continue;
    }
    bool good = false;
    if (Stmt *stmt = parseStatement(good))
      statements.push_back(stmt);
    else
      state.lost = true;
    if (good)
      consumeIf(TokenKind::Semicolon);
    else
      skipToStatement();
  }
  --state.depth;
  if (!expectClose(TokenKind::RBrace, open))
    return std::nullopt;
  return state.arena.copy<Stmt *>(statements);
}

/// statement = "let" NAME "=" value | NAME "=" value | "return" expr | "repeat" expr [ "as" NAME ] block | if
///           | "input" NAME ":" type | "target" NAME ":" type | "output" NAME [ "=" value ] | "loss" expr | weight
Stmt *StatementParser::parseStatement(bool &good) {
  auto *stmt = state.arena.create<Stmt>();
  stmt->range = token().range();
  stmt->doc = token().doc;
  switch (token().kind) {
  case TokenKind::kw_let:
    consume();
    stmt->kind = Stmt::Kind::Let;
    good = parseAssignment(*stmt);
    break;
  case TokenKind::Identifier:
    stmt->kind = Stmt::Kind::Assign;
    good = parseAssignment(*stmt);
    break;
  case TokenKind::kw_return:
  case TokenKind::kw_loss:
    stmt->kind = consume().is(TokenKind::kw_return) ? Stmt::Kind::Return : Stmt::Kind::Loss;
    if (stmt->kind == Stmt::Kind::Loss && at(TokenKind::Equal))
      foreign(consume().range(), "a loss has no name").help("`loss cross_entropy(logits, label)`");
    stmt->value = exprs.parseValue();
    good = stmt->value;
    break;
  case TokenKind::kw_repeat: {
    consume();
    stmt->kind = Stmt::Kind::Repeat;
    stmt->value = exprs.parseExpr();
    if (stmt->value && at(TokenKind::Identifier) && token().text == "as") {
      consume();
      std::optional<Name> counter = parseName("a name for the number of the iteration");
      if (!counter)
        break;
      stmt->name = *counter;
    }
    std::optional<llvm::ArrayRef<Stmt *>> body = stmt->value ? parseBlock() : std::nullopt;
    good = body.has_value();
    stmt->body = body.value_or(llvm::ArrayRef<Stmt *>());
    break;
  }
  case TokenKind::kw_if:
    stmt->kind = Stmt::Kind::If;
    good = parseIf(*stmt);
    break;
  case TokenKind::kw_input:
  case TokenKind::kw_target:
  case TokenKind::kw_output:
    good = parseTypedStatement(*stmt);
    break;
  case TokenKind::kw_param:
  case TokenKind::kw_state:
    stmt->kind = Stmt::Kind::Weight;
    if (std::optional<WeightDecl> weight = parseWeight()) {
      stmt->weight = state.arena.create<WeightDecl>(*weight);
      stmt->name = weight->name;
      good = !weight->isDamaged;
    }
    break;
  default:
    unexpected("a statement");
  }
  stmt->range = rangeFrom(stmt->range);
  if (good)
    return stmt;
  // It is kept, though damaged, for the name that it defines or for ending the body: fewer errors follow from it.
  bool isDefinition =
      stmt->kind != Stmt::Kind::Loss && stmt->kind != Stmt::Kind::Repeat && stmt->kind != Stmt::Kind::If;
  if (!isDefinition || (stmt->name.text.empty() && stmt->kind != Stmt::Kind::Return))
    return nullptr;
  stmt->value = exprs.create<ErrorExpr>(stmt->range);
  stmt->isDamaged = true;
  return stmt;
}

/// if = "if" expr block [ "else" ( block | if ) ]
bool StatementParser::parseIf(Stmt &stmt) {
  if (exprs.tooDeep(token().range()))
    return false;
  consume();
  stmt.value = exprs.parseExpr();
  std::optional<llvm::ArrayRef<Stmt *>> body = stmt.value ? parseBlock() : std::nullopt;
  if (!body)
    return false;
  stmt.body = *body;
  if (!consumeIf(TokenKind::kw_else))
    return true;
  if (!at(TokenKind::kw_if)) {
    std::optional<llvm::ArrayRef<Stmt *>> otherwise = parseBlock();
    stmt.otherwise = otherwise.value_or(llvm::ArrayRef<Stmt *>());
    return otherwise.has_value();
  }
  auto *next = state.arena.create<Stmt>();
  next->kind = Stmt::Kind::If;
  next->range = token().range();
  ++state.depth;
  bool good = parseIf(*next);
  --state.depth;
  next->range = rangeFrom(next->range);
  stmt.otherwise = state.arena.copy<Stmt *>(next);
  return good;
}

bool StatementParser::parseTypedStatement(Stmt &stmt) {
  Token keyword = consume();
  if (isElementKeyword(token().kind)) {
    parseForeignType(keyword.text, {});
    if (at(TokenKind::Identifier)) {
      Token word = consume();
      stmt.name = {word.text, word.range()};
    }
    stmt.kind = keyword.is(TokenKind::kw_input) ? Stmt::Kind::Input : Stmt::Kind::Target;
    return false;
  }
  std::optional<Name> name = parseName("a name");
  if (!name)
    return false;
  stmt.name = *name;
  if (keyword.is(TokenKind::kw_output)) {
    stmt.kind = Stmt::Kind::Output;
    skipForeignType("output", *name);
    return !consumeIf(TokenKind::Equal) || (stmt.value = exprs.parseValue());
  }
  stmt.kind = keyword.is(TokenKind::kw_input) ? Stmt::Kind::Input : Stmt::Kind::Target;
  if (at(TokenKind::LBracket) || (at(TokenKind::Equal) && isElementKeyword(peek(1).kind))) {
    parseForeignType(keyword.text, *name);
    return false;
  }
  if (!expect(TokenKind::Colon, "before its type"))
    return false;
  std::optional<TypeExpr> type = exprs.parseType();
  if (type)
    stmt.type = *type;
  return type.has_value();
}

/// `let z: real[d] = ...`: a type where it is found out.
void StatementParser::skipForeignType(llvm::StringRef keyword, const Name &name) {
  if (!at(TokenKind::Colon))
    return;
  llvm::SMRange start = consume().range();
  std::optional<TypeExpr> type = exprs.parseType();
  if (type)
    foreign(rangeFrom(start), "`" + keyword + "` takes no type")
        .fix("its type is found out: `" + keyword + " " + name.text + " = ...`", rangeFrom(start), "");
}

/// Reports a statement that begins with a name but is none of the language, with what it may have been meant for.
bool StatementParser::parseForeignAssignment(const Name &name) {
  llvm::SMRange start(name.range.Start, name.range.Start);
  bool isOperator = at(TokenKind::Plus) || at(TokenKind::Minus) || at(TokenKind::Star) || at(TokenKind::Slash);
  if (isOperator && peek(1).is(TokenKind::Equal)) {
    std::string op = token().text.str();
    llvm::SMRange place = token().range();
    consume();
    place.End = consume().range().End;
    foreign(place, "there is no `" + op + "=`").help("`" + name.text + " = " + name.text + " " + op + " ...`");
    return true;
  }
  if (at(TokenKind::Identifier) && peek(1).is(TokenKind::Equal) && !token().startsLine) {
    foreign(name.range, "a field is defined by `let`").fix("`let " + token().text + " = ...`", name.range, "let");
    consume();
    consume();
    return true;
  }
  Diagnostic &wrong =
      state.diagnostics.report(DiagnosticCode::E0003, rangeFrom(name.range), "`" + name.text + "` starts no statement");
  wrong.at("expected a statement");
  std::string advice = adviceOnStatement(name.text);
  wrong.help(!advice.empty()
                 ? advice
                 : "a statement is `let name = ...`, or `name = ...` for a new version of what a `let` defined");
  return false;
}

bool StatementParser::parseAssignment(Stmt &stmt) {
  std::optional<Name> name = parseName("a name");
  if (!name)
    return false;
  bool isLet = stmt.kind == Stmt::Kind::Let;
  if (isLet)
    stmt.name = *name;
  if (at(TokenKind::Dot) && peek(1).is(TokenKind::Identifier) && peek(2).is(TokenKind::Equal)) {
    consume();
    Token field = consume();
    state.diagnostics
        .report(DiagnosticCode::E0405, rangeFrom(name->range), "a vertex cannot write the fields of another value")
        .at("only plain names are assigned")
        .help("write `" + field.text + " = ...`: every vertex computes its own, so what `v` calls `" + field.text +
              "` is `u." + field.text + "` for a neighbour");
    return false;
  }
  if (isLet)
    skipForeignType("let", *name);
  bool isDeclaration = !isLet && at(TokenKind::Identifier);
  Name declared = isDeclaration ? Name{token().text, token().range()} : *name;
  if (!isLet && !at(TokenKind::Equal)) {
    if (!parseForeignAssignment(*name))
      return false;
    stmt.kind = isDeclaration ? Stmt::Kind::Let : Stmt::Kind::Assign;
  } else if (!expect(TokenKind::Equal, "in an assignment")) {
    return false;
  }
  stmt.name = declared;
  stmt.value = exprs.parseValue(declared.text);
  return stmt.value;
}
