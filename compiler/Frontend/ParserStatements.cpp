//===- ParserStatements.cpp - Statements and types --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statements of bodies, and types. Newlines mean nothing to the grammar, since no expression can go on with a name
// or a keyword that starts a statement; only recovery looks at them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/ParserItems.h"

using namespace gnnc;
using namespace gnnc::ast;

/// Whether the token can only be the start of a statement: a keyword, or a name with `=` (or `.name =`, which Sema
/// refuses) after it.
bool Parser::startsStatement() {
  switch (token().kind) {
  case TokenKind::kw_let:
  case TokenKind::kw_return:
  case TokenKind::kw_repeat:
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

/// Skips the brackets that open here with all that is between them.
void Parser::skipBalanced() {
  unsigned open = 0;
  do {
    if (at(TokenKind::LBrace))
      ++open;
    else if (at(TokenKind::RBrace))
      --open;
    consume();
  } while (open && !at(TokenKind::End));
}

void Parser::skipToStatement() {
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
std::optional<llvm::ArrayRef<Stmt *>> Parser::parseBlock() {
  if (!at(TokenKind::LBrace)) {
    unexpected("`{`");
    return std::nullopt;
  }
  if (tooDeep(token().range()))
    return std::nullopt;
  ++depth;
  Token open = consume();
  llvm::SmallVector<Stmt *> statements;
  while (!at(TokenKind::RBrace) && !at(TokenKind::End)) {
    // What starts an item of the file cannot be in a block: the closing brace is missing.
    bool isInstance = at(TokenKind::kw_layer) && peek(2).is(TokenKind::Equal);
    bool missesBrace =
        token().startsLine && !isInstance &&
        (at(TokenKind::kw_layer) || at(TokenKind::kw_model) || at(TokenKind::kw_fn) || at(TokenKind::kw_import));
    if (missesBrace)
      break;
    if (isInstance && componentItems) {
      diagnostics.report(DiagnosticCode::E0007, token().range(), "a layer is declared once, not in a body")
          .at("inside a body")
          .help("layers stand beside the bodies, before this one");
      llvm::SMRange start = consume().range();
      if (!parseInstance(*componentItems, start))
        skipToStatement();
      continue;
    }
    bool good = false;
    if (Stmt *stmt = parseStatement(good))
      statements.push_back(stmt);
    else
      lost = true;
    if (good)
      consumeIf(TokenKind::Semicolon);
    else
      skipToStatement();
  }
  --depth;
  if (!expectClose(TokenKind::RBrace, open))
    return std::nullopt;
  return arena.copy<Stmt *>(statements);
}

/// statement = "let" NAME "=" value | NAME "=" value | "return" expr | "repeat" expr [ "as" NAME ] block
///           | "input" NAME ":" type | "target" NAME ":" type | "output" NAME [ "=" value ] | "loss" expr | weight
Stmt *Parser::parseStatement(bool &good) {
  auto *stmt = arena.create<Stmt>();
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
    stmt->value = parseValue();
    good = stmt->value;
    break;
  case TokenKind::kw_repeat: {
    consume();
    stmt->kind = Stmt::Kind::Repeat;
    stmt->value = parseExpr();
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
  case TokenKind::kw_input:
  case TokenKind::kw_target:
  case TokenKind::kw_output:
    good = parseTypedStatement(*stmt);
    break;
  case TokenKind::kw_param:
  case TokenKind::kw_state:
    stmt->kind = Stmt::Kind::Weight;
    if (std::optional<WeightDecl> weight = parseWeight()) {
      stmt->weight = arena.create<WeightDecl>(*weight);
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
  // What it defines is known, or that it ends the body.
  bool isDefinition = stmt->kind != Stmt::Kind::Loss && stmt->kind != Stmt::Kind::Repeat;
  if (!isDefinition || (stmt->name.text.empty() && stmt->kind != Stmt::Kind::Return))
    return nullptr;
  stmt->value = create<ErrorExpr>(stmt->range);
  stmt->isDamaged = true;
  return stmt;
}

bool Parser::parseTypedStatement(Stmt &stmt) {
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
    return !consumeIf(TokenKind::Equal) || (stmt.value = parseValue());
  }
  stmt.kind = keyword.is(TokenKind::kw_input) ? Stmt::Kind::Input : Stmt::Kind::Target;
  if (at(TokenKind::LBracket) || (at(TokenKind::Equal) && isElementKeyword(peek(1).kind))) {
    parseForeignType(keyword.text, *name);
    return false;
  }
  if (!expect(TokenKind::Colon, "before its type"))
    return false;
  std::optional<TypeExpr> type = parseType();
  if (type)
    stmt.type = *type;
  return type.has_value();
}

/// `let z: real[d] = ...`: a type where it is found out.
void Parser::skipForeignType(llvm::StringRef keyword, const Name &name) {
  if (!at(TokenKind::Colon))
    return;
  llvm::SMRange start = consume().range();
  std::optional<TypeExpr> type = parseType();
  if (type)
    foreign(rangeFrom(start), "`" + keyword + "` takes no type")
        .fix("its type is found out: `" + keyword + " " + name.text + " = ...`", rangeFrom(start), "");
}

/// What is no statement, and what it may have been meant for.
bool Parser::parseForeignAssignment(const Name &name) {
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
      diagnostics.report(DiagnosticCode::E0003, rangeFrom(name.range), "`" + name.text + "` starts no statement");
  wrong.at("expected a statement");
  std::string advice = adviceOnStatement(name.text);
  wrong.help(!advice.empty()
                 ? advice
                 : "a statement is `let name = ...`, or `name = ...` for a new version of what a `let` defined");
  return false;
}

bool Parser::parseAssignment(Stmt &stmt) {
  std::optional<Name> name = parseName("a name");
  if (!name)
    return false;
  bool isLet = stmt.kind == Stmt::Kind::Let;
  if (isLet)
    stmt.name = *name;
  if (at(TokenKind::Dot) && peek(1).is(TokenKind::Identifier) && peek(2).is(TokenKind::Equal)) {
    consume();
    Token field = consume();
    diagnostics
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
  stmt.value = parseValue(declared.text);
  return stmt.value;
}

/// type = [ "sparse" ] element [ "[" dim { "," dim } "]" ] [ "row_normalized" ]
/// element = "real" | "f32" | "f64" | "i32" | "i64" | "bool"
std::optional<TypeExpr> Parser::parseType() {
  TypeExpr type;
  type.range = token().range();
  type.sparse = consumeIf(TokenKind::kw_sparse);
  switch (token().kind) {
  case TokenKind::kw_real:
    type.element = ElementKind::Real;
    break;
  case TokenKind::kw_f32:
    type.element = ElementKind::F32;
    break;
  case TokenKind::kw_f64:
    type.element = ElementKind::F64;
    break;
  case TokenKind::kw_i32:
    type.element = ElementKind::I32;
    break;
  case TokenKind::kw_i64:
    type.element = ElementKind::I64;
    break;
  case TokenKind::kw_bool:
    type.element = ElementKind::Bool;
    break;
  default:
    std::optional<ForeignElement> meant = foreignElement(token().text);
    if (!meant || at(TokenKind::Error)) {
      unexpected("a type (`real`, `f32`, `f64`, `i32`, `i64` or `bool`)");
      return std::nullopt;
    }
    type.element = meant->element;
    foreign(token().range(), "there is no type `" + token().text + "`")
        .fix("`" + token().text + "` is `" + meant->spelling + "` here", token().range(), meant->spelling);
  }
  consume();
  if (at(TokenKind::LBracket)) {
    Token open = consume();
    llvm::SmallVector<Expr *> dims;
    if (!parseList(open, TokenKind::RBracket, [&] { return dims.emplace_back(parseExpr()) != nullptr; }))
      return std::nullopt;
    type.dims = arena.copy<Expr *>(dims);
  }
  type.rowNormalized = consumeIf(TokenKind::kw_row_normalized);
  type.range = rangeFrom(type.range);
  return type;
}
