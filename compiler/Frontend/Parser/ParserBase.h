//===- ParserBase.h - Tokens and recovery -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking at tokens, consuming them, and skipping those that cannot be read.
//
// The parser is a recursive descent: one function for each production of docs/language.md, with its grammar line. A
// function that fails has reported why and returns null or false; the loops over statements and items then skip to the
// next place where one can start.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_PARSER_PARSERBASE_H
#define GNNC_FRONTEND_PARSER_PARSERBASE_H

#include "compiler/Frontend/AST.h"
#include "compiler/Frontend/Diagnostics.h"
#include "compiler/Frontend/Lexer.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

namespace gnnc {

struct ComponentItems;

/// The text that is parsed, as far as it has been.
struct ParserState {
  ParserState(llvm::StringRef text, ast::Arena &arena, DiagnosticEngine &diagnostics)
      : lexer(text, diagnostics), arena(arena), diagnostics(diagnostics) {}

  Lexer lexer;
  ast::Arena &arena;
  DiagnosticEngine &diagnostics;
  llvm::SmallVector<Token, 4> lookahead;
  llvm::SMLoc lastEnd; // of the token consumed last
  unsigned depth = 0;
  unsigned numTokens = 0;
  llvm::StringSet<> vertexTypes;            // of the model that is being parsed
  llvm::StringSet<> layerLists;             // names that were declared as lists of layers, which has been reported
  ComponentItems *componentItems = nullptr; // of the layer or model that is being parsed
  bool lost = false;                        // something of it could not be read at all
  const char *missesClose = nullptr;        // the token before which a bracket was reported as not closed
};

/// The base of the parsers: tokens of the state that they share.
class ParserBase {
protected:
  explicit ParserBase(ParserState &state) : state(state) {}

  const Token &token() const { return state.lookahead.front(); }
  const Token &peek(unsigned distance);
  bool at(TokenKind kind) const { return token().is(kind); }
  Token consume();
  bool consumeIf(TokenKind kind);
  bool expect(TokenKind kind, llvm::StringRef where);
  /// The bracket that closes `open`; says where the open one is if it is missing.
  bool expectClose(TokenKind kind, const Token &open);
  std::optional<ast::Name> parseName(llvm::StringRef what);
  void unexpected(llvm::StringRef expected);
  /// Reports what stands here, and how it is written in this language; the caller then reads it as that.
  Diagnostic &foreign(llvm::SMRange range, const llvm::Twine &message);
  llvm::SMRange rangeFrom(llvm::SMRange start) const { return {start.Start, state.lastEnd}; }
  /// Parses `item {"," item}` up to `close`, which it consumes.
  bool parseList(const Token &open, TokenKind close, llvm::function_ref<bool()> item);
  void skipLine();
  void skipBalanced();

  ParserState &state;

private:
  static constexpr unsigned maxTokens = 1'000'000;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_PARSER_PARSERBASE_H
