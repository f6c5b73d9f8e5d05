//===- Lexer.h - Splits source text into tokens -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A token is a kind and a range of the buffer. The lexer reports malformed text itself and returns an Error token for
// it, so that the parser stays silent about that place: one mistake, one message.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_LEXER_H
#define GNNC_FRONTEND_LEXER_H

#include "compiler/Frontend/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <set>

namespace gnnc {

enum class TokenKind {
#define TOKEN(KIND, DESCRIPTION) KIND,
#define PUNCTUATION(KIND, SPELLING) KIND,
#define KEYWORD(SPELLING) kw_##SPELLING,
#include "compiler/Frontend/Tokens.def"
};

/// "`->`", "a name", "`layer`": how a message speaks of the kind.
std::string describe(TokenKind kind);

struct Token {
  TokenKind kind = TokenKind::End;
  llvm::StringRef text;
  llvm::StringRef doc;     // the `///` lines right above, as written
  bool startsLine = false; // only blanks and comments stand before it in its line

  bool is(TokenKind other) const { return kind == other; }
  bool isKeyword() const;
  llvm::SMRange range() const;
};

class Lexer {
public:
  /// `buffer` is followed by a NUL, as llvm::MemoryBuffer's are, and outlives the tokens.
  Lexer(llvm::StringRef buffer, DiagnosticEngine &diagnostics);

  Token next();

private:
  void skipTrivia(Token &token);
  Token finish(Token token, TokenKind kind, const char *end);
  Token lexNumber(Token token);
  Token lexWord(Token token);
  Token lexPunctuation(Token token);
  bool checkUtf8(llvm::StringRef text);
  std::optional<Token> lexForeign(Token token);
  void reportComment(llvm::StringRef comment, size_t length);
  bool skipForeignBlank();
  Token lexForeignName(Token token);

  const char *cursor, *end;
  bool atStart = true;                                     // of the file
  bool sawForeignComment = false, sawForeignBlank = false; // reported once
  std::set<llvm::StringRef> foreignNames;                  // reported
  DiagnosticEngine &diagnostics;
};

/// Whether the keyword starts an import, declaration, item or statement (outside of parentheses). `if` may stand within
/// one, too.
bool startsItem(TokenKind kind);

/// The lines of a documentation comment without the slashes, joined by newlines.
std::string documentation(llvm::StringRef doc);

} // namespace gnnc

#endif // GNNC_FRONTEND_LEXER_H
