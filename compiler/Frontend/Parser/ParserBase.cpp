//===- ParserBase.cpp - Tokens and recovery ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking at tokens, consuming them, and skipping those that cannot be read.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Parser/ParserBase.h"
#include "compiler/Frontend/ForeignSyntax.h"

using namespace gnnc;
using namespace gnnc::ast;

const Token &ParserBase::peek(unsigned distance) {
  while (state.lookahead.size() <= distance) {
    Token next = state.lexer.next();
    if (++state.numTokens > maxTokens && !next.is(TokenKind::End)) {
      if (state.numTokens == maxTokens + 1)
        state.diagnostics.report(DiagnosticCode::E0602, next.range(),
                                 "a file has at most " + llvm::Twine(maxTokens) + " tokens");
      next.kind = TokenKind::End;
    }
    state.lookahead.push_back(next);
  }
  return state.lookahead[distance];
}

Token ParserBase::consume() {
  Token current = token();
  state.lastEnd = current.range().End;
  if (!current.is(TokenKind::End)) {
    state.lookahead.erase(state.lookahead.begin());
    peek(0);
  }
  return current;
}

bool ParserBase::consumeIf(TokenKind kind) {
  if (!at(kind))
    return false;
  consume();
  return true;
}

Diagnostic &ParserBase::foreign(llvm::SMRange range, const llvm::Twine &message) {
  return state.diagnostics.report(DiagnosticCode::E0003, range, message).at("not in this language");
}

/// Reports the current token; says nothing if the lexer has already reported it.
void ParserBase::unexpected(llvm::StringRef expected) {
  if (at(TokenKind::Error))
    return;
  std::string found = at(TokenKind::End) ? describe(TokenKind::End) : "`" + token().text.str() + "`";
  Diagnostic &error =
      state.diagnostics.report(DiagnosticCode::E0003, token().range(), "expected " + expected + ", found " + found);
  bool isAfterExpression = expected == "a statement" || expected.starts_with("`");
  if (at(TokenKind::kw_for) && expected == "a statement" && peek(1).is(TokenKind::Identifier) &&
      peek(2).text == "in") { // `for i in range(3)`, `for u in neighbours`
    error.code = DiagnosticCode::E0006;
    error.at("there are no loops")
        .help(peek(3).is(TokenKind::Integer) || peek(3).text == "range"
                  ? adviceOnStatement("for")
                  : "neighbours are aggregated: `sum(u.h for u -> v)`");
    return;
  }
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

bool ParserBase::expect(TokenKind kind, llvm::StringRef where) {
  if (consumeIf(kind))
    return true;
  unexpected(describe(kind) + " " + where.str());
  return false;
}

bool ParserBase::expectClose(TokenKind kind, const Token &open) {
  if (consumeIf(kind))
    return true;
  // An error of the lexer, or a bracket inside of this one that is not closed, has been reported.
  if (at(TokenKind::Error) || state.missesClose == token().text.begin())
    return false;
  if (at(TokenKind::kw_for)) {
    unexpected(describe(kind));
    return false;
  }
  if (at(TokenKind::End) || token().startsLine || at(TokenKind::RBrace)) {
    state.missesClose = token().text.begin();
    state.diagnostics.report(DiagnosticCode::E0004, open.range(), "`" + open.text + "` is never closed")
        .at("opened here")
        .label(token().range(), at(TokenKind::End) ? "the file ends" : "expected " + describe(kind) + " before this")
        .help("write " + describe(kind) + " where what it holds ends");
    return false;
  }
  Diagnostic &wrong = state.diagnostics.report(DiagnosticCode::E0003, token().range(),
                                               "expected " + describe(kind) + ", found `" + token().text + "`");
  wrong.at("expected " + describe(kind)).label(open.range(), "to close this");
  if (std::string advice = adviceOn(token(), describe(kind)); !advice.empty())
    wrong.help(advice);
  return false;
}

std::optional<Name> ParserBase::parseName(llvm::StringRef what) {
  if (!at(TokenKind::Identifier)) {
    unexpected(what);
    return std::nullopt;
  }
  Token name = consume();
  return Name{name.text, name.range()};
}

bool ParserBase::parseList(const Token &open, TokenKind close, llvm::function_ref<bool()> item) {
  while (!at(close)) {
    if (!item())
      return false;
    if (!consumeIf(TokenKind::Comma))
      break;
  }
  return expectClose(close, open);
}

/// Skips to the next line.
void ParserBase::skipLine() {
  do
    consume();
  while (!at(TokenKind::End) && !token().startsLine);
}

/// Skips the brackets that open here with all that is between them.
void ParserBase::skipBalanced() {
  unsigned open = 0;
  do {
    if (at(TokenKind::LBrace))
      ++open;
    else if (at(TokenKind::RBrace))
      --open;
    consume();
  } while (open && !at(TokenKind::End));
}
