//===- ParserStatements.cpp - Statements and types --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statements of bodies, and types. Newlines mean nothing to the grammar, since no expression can go on with a name
// or a keyword that starts a statement; only recovery looks at them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/ParserImpl.h"

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
    if (Stmt *stmt = parseStatement()) {
      statements.push_back(stmt);
      consumeIf(TokenKind::Semicolon);
    } else {
      // What starts an item of the file cannot be in a block: the closing brace is missing.
      if (token().startsLine &&
          (at(TokenKind::kw_layer) || at(TokenKind::kw_model) || at(TokenKind::kw_fn) || at(TokenKind::kw_import)))
        break;
      skipToStatement();
    }
  }
  --depth;
  if (!expectClose(TokenKind::RBrace, open))
    return std::nullopt;
  return arena.copy<Stmt *>(statements);
}

/// statement = "let" NAME "=" value | NAME "=" value | "return" expr | "repeat" expr [ "as" NAME ] block
///           | "input" NAME ":" type | "target" NAME ":" type | "output" NAME [ "=" value ] | "loss" expr | weight
Stmt *Parser::parseStatement() {
  auto *stmt = arena.create<Stmt>();
  stmt->range = token().range();
  stmt->doc = token().doc;
  bool good = false;
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
      good = true;
    }
    break;
  default:
    unexpected("a statement");
  }
  stmt->range = rangeFrom(stmt->range);
  return good ? stmt : nullptr;
}

bool Parser::parseTypedStatement(Stmt &stmt) {
  TokenKind keyword = consume().kind;
  std::optional<Name> name = parseName("a name");
  if (!name)
    return false;
  stmt.name = *name;
  if (keyword == TokenKind::kw_output) {
    stmt.kind = Stmt::Kind::Output;
    return !consumeIf(TokenKind::Equal) || (stmt.value = parseValue());
  }
  stmt.kind = keyword == TokenKind::kw_input ? Stmt::Kind::Input : Stmt::Kind::Target;
  if (!expect(TokenKind::Colon, "before its type"))
    return false;
  std::optional<TypeExpr> type = parseType();
  if (type)
    stmt.type = *type;
  return type.has_value();
}

bool Parser::parseAssignment(Stmt &stmt) {
  std::optional<Name> name = parseName("a name");
  if (!name)
    return false;
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
  if (!expect(TokenKind::Equal, "in an assignment"))
    return false;
  stmt.value = parseValue();
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
    unexpected("a type (`real`, `f32`, `f64`, `i32`, `i64` or `bool`)");
    return std::nullopt;
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
