//===- Lexer.cpp - Splits source text into tokens ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens from text: longest match, comments skipped, documentation comments kept beside the token that they precede.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include <utility>

using namespace gnnc;

namespace {

bool isWordStart(char c) { return llvm::isAlpha(c) || c == '_'; }
bool isWord(char c) { return llvm::isAlnum(c) || c == '_'; }

TokenKind wordKind(llvm::StringRef word) {
  return llvm::StringSwitch<TokenKind>(word)
#define KEYWORD(SPELLING) .Case(#SPELLING, TokenKind::kw_##SPELLING)
#include "compiler/Frontend/Tokens.def"
      .Default(TokenKind::Identifier);
}

/// The rest of a text from its first byte on that belongs to no UTF-8 character. Empty if the text is valid.
llvm::StringRef fromInvalid(llvm::StringRef text) {
  const auto *bytes = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  llvm::isLegalUTF8String(&bytes, reinterpret_cast<const llvm::UTF8 *>(text.end()));
  return text.substr(reinterpret_cast<const char *>(bytes) - text.begin());
}

/// Bytes that are no ASCII and no sign that is known.
size_t foreignLetters(llvm::StringRef rest) {
  size_t length = 0;
  while (length < rest.size() && static_cast<signed char>(rest[length]) < 0 && !foreignSign(rest.drop_front(length)))
    ++length;
  return length;
}

} // namespace

std::string gnnc::describe(TokenKind kind) {
  switch (kind) {
#define TOKEN(KIND, DESCRIPTION)                                                                                       \
  case TokenKind::KIND:                                                                                                \
    return DESCRIPTION;
#define PUNCTUATION(KIND, SPELLING)                                                                                    \
  case TokenKind::KIND:                                                                                                \
    return "`" SPELLING "`";
#define KEYWORD(SPELLING)                                                                                              \
  case TokenKind::kw_##SPELLING:                                                                                       \
    return "`" #SPELLING "`";
#include "compiler/Frontend/Tokens.def"
  }
  return "";
}

bool Token::isKeyword() const { return kind >= TokenKind::kw_import; }

llvm::SMRange Token::range() const {
  return {llvm::SMLoc::getFromPointer(text.begin()), llvm::SMLoc::getFromPointer(text.end())};
}

Lexer::Lexer(llvm::StringRef buffer, DiagnosticEngine &diagnostics)
    : cursor(buffer.begin()), end(buffer.end()), diagnostics(diagnostics) {
  if (buffer.starts_with("\xef\xbb\xbf")) // byte order mark
    cursor += 3;
}

Token Lexer::finish(Token token, TokenKind kind, const char *tokenEnd) {
  token.kind = kind;
  token.text = llvm::StringRef(cursor, tokenEnd - cursor);
  cursor = tokenEnd;
  return token;
}

/// Skips blanks and comments; notes line starts and the documentation lines that end right above the token.
void Lexer::skipTrivia(Token &token) {
  const char *docBegin = nullptr, *docEnd = nullptr;
  while (cursor < end) {
    if (*cursor == '\n') {
      token.startsLine = true;
      // An empty line parts a documentation comment from what follows.
      if (docEnd && llvm::StringRef(docEnd, cursor - docEnd).trim(" \t\r").empty() && cursor > docEnd &&
          docEnd[-1] == '\n')
        docBegin = docEnd = nullptr;
      ++cursor;
    } else if (*cursor == ' ' || *cursor == '\t' || *cursor == '\r') {
      ++cursor;
    } else if (end - cursor >= 2 && cursor[0] == '/' && cursor[1] == '/') {
      llvm::StringRef rest(cursor, end - cursor);
      llvm::StringRef line = rest.take_front(std::min(rest.size(), rest.find('\n')));
      bool isDoc = line.starts_with("///") && !line.starts_with("////") && token.startsLine;
      cursor = line.end();
      checkUtf8(line);
      if (!isDoc) {
        docBegin = docEnd = nullptr;
      } else {
        docBegin = docBegin ? docBegin : line.begin();
        docEnd = std::min(line.end() + 1, end);
      }
    } else if (skipForeignBlank()) {
    } else if (llvm::StringRef(cursor, end - cursor).starts_with("/*")) {
      llvm::StringRef rest(cursor, end - cursor);
      size_t close = rest.find("*/", 2);
      llvm::StringRef text = rest.take_front(close == llvm::StringRef::npos ? rest.find('\n') : close + 2);
      reportComment(text, 2);
      token.startsLine |= text.contains('\n');
      docBegin = docEnd = nullptr;
      cursor = text.end();
    } else if (*cursor == '#') {
      llvm::StringRef rest(cursor, end - cursor);
      llvm::StringRef line = rest.take_front(std::min(rest.size(), rest.find('\n')));
      reportComment(line, 1);
      docBegin = docEnd = nullptr;
      cursor = line.end();
    } else {
      break;
    }
  }
  if (docBegin)
    token.doc = llvm::StringRef(docBegin, docEnd - docBegin);
}

/// Reports the bytes of a token or comment from the first on that is no text; false if there are any.
bool Lexer::checkUtf8(llvm::StringRef text) {
  llvm::StringRef invalid = fromInvalid(text);
  if (invalid.empty())
    return true;
  llvm::StringRef bytes = invalid.take_while([](char c) { return static_cast<signed char>(c) < 0; });
  diagnostics
      .report(DiagnosticCode::E0001,
              {llvm::SMLoc::getFromPointer(bytes.begin()), llvm::SMLoc::getFromPointer(bytes.end())},
              "the source is not valid UTF-8")
      .at("these bytes are no character");
  return false;
}

/// A blank as web pages and papers have it.
bool Lexer::skipForeignBlank() {
  static constexpr llvm::StringLiteral blank = "\xc2\xa0";
  if (!llvm::StringRef(cursor, end - cursor).starts_with(blank))
    return false;
  llvm::SMRange range(llvm::SMLoc::getFromPointer(cursor), llvm::SMLoc::getFromPointer(cursor + blank.size()));
  if (!std::exchange(sawForeignBlank, true))
    diagnostics.report(DiagnosticCode::E0001, range, "a blank that is no ASCII")
        .at("U+00A0, as web pages have it")
        .fix("write a plain blank, here and wherever else this one stands", range, " ");
  cursor += blank.size();
  return true;
}

/// A comment of Python or C, which is passed over: one mistake, however many there are. It begins with `length`
/// characters.
void Lexer::reportComment(llvm::StringRef comment, size_t length) {
  checkUtf8(comment);
  if (std::exchange(sawForeignComment, true))
    return;
  llvm::SMRange sign(llvm::SMLoc::getFromPointer(comment.begin()),
                     llvm::SMLoc::getFromPointer(comment.begin() + length));
  Diagnostic &wrong = diagnostics.report(DiagnosticCode::E0001, sign,
                                         "unexpected character" + std::string(length > 1 ? "s" : "") + " `" +
                                             comment.take_front(length) + "`");
  wrong.at("not in this language");
  if (length == 1)
    wrong.fix("comments begin with `//`", sign, "//");
  else
    wrong.help("comments begin with `//` and end with the line");
}

/// Reads a sign or a quoted name that is no token of the language but is often typed or pasted, reports it, and returns
/// the token that it is likely to mean.
std::optional<Token> Lexer::lexForeign(Token token) {
  llvm::StringRef rest(cursor, end - cursor);
  if (const ForeignSign *sign = foreignSign(rest)) {
    token = finish(token, sign->meant, cursor + sign->text.size());
    diagnostics.report(DiagnosticCode::E0001, token.range(), "unexpected character `" + sign->text + "`")
        .at("not in this language")
        .help(sign->advice);
    return token;
  }
  bool isQuote = rest.front() == '"' || rest.front() == '\'';
  size_t close = isQuote ? rest.find_first_of(llvm::StringRef("\"'\n"), 1) : llvm::StringRef::npos;
  if (close == llvm::StringRef::npos || rest[close] != rest.front())
    return std::nullopt;
  llvm::StringRef inside = rest.slice(1, close);
  bool isName = !inside.empty() && isWordStart(inside.front()) && llvm::all_of(inside, isWord);
  token = finish(token, isName ? TokenKind::Identifier : TokenKind::Error, cursor + close + 1);
  if (!checkUtf8(token.text))
    return token;
  Diagnostic &text = diagnostics.report(DiagnosticCode::E0001, token.range(), "there is no text in this language");
  text.at("in quotes");
  if (isName)
    text.fix("names stand without quotes", token.range(), inside);
  else
    text.help("names stand without quotes, and comments behind `//`");
  if (isName)
    token.text = inside;
  return token;
}

/// A name with letters that are no ASCII; reported once.
Token Lexer::lexForeignName(Token token) {
  llvm::StringRef rest(cursor, end - cursor);
  size_t length = 0;
  for (size_t step = 1; step > 0; length += step) {
    size_t words = rest.drop_front(length).take_while(isWord).size();
    step = words ? words : foreignLetters(rest.drop_front(length));
  }
  token = finish(token, TokenKind::Identifier, cursor + length);
  if (!checkUtf8(token.text)) {
    token.kind = TokenKind::Error;
    return token;
  }
  if (!foreignNames.insert(token.text).second)
    return token;
  Diagnostic &foreign = diagnostics.report(DiagnosticCode::E0001, token.range(), "`" + token.text + "` is no name");
  foreign.at("names consist of letters a-z, digits and `_`");
  if (std::string plain = inAscii(token.text); !plain.empty())
    foreign.help("write it out: `" + plain + "`");
  return token;
}

Token Lexer::next() {
  Token token;
  token.startsLine = atStart;
  atStart = false;
  skipTrivia(token);
  if (cursor == end)
    return finish(token, TokenKind::End, cursor);
  if (isWordStart(*cursor))
    return lexWord(token);
  if (llvm::isDigit(*cursor))
    return lexNumber(token);
  return lexPunctuation(token);
}

Token Lexer::lexWord(Token token) {
  const char *wordEnd = cursor;
  while (wordEnd < end && isWord(*wordEnd))
    ++wordEnd;
  if (foreignLetters(llvm::StringRef(wordEnd, end - wordEnd)))
    return lexForeignName(token);
  TokenKind kind = wordKind(llvm::StringRef(cursor, wordEnd - cursor));
  return finish(token, kind, wordEnd);
}

/// `digits [. digits] [(e|E) [+|-] digits]`
Token Lexer::lexNumber(Token token) {
  const char *p = cursor;
  auto skipDigits = [&] {
    const char *begin = p;
    while (p < end && llvm::isDigit(*p))
      ++p;
    return p != begin;
  };
  TokenKind kind = TokenKind::Integer;
  bool wellFormed = skipDigits();
  if (p < end && *p == '.') {
    ++p;
    kind = TokenKind::Float;
    wellFormed &= skipDigits();
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    kind = TokenKind::Float;
    if (p < end && (*p == '+' || *p == '-'))
      ++p;
    wellFormed &= skipDigits();
  }
  if (p < end && isWord(*p)) {
    wellFormed = false;
    while (p < end && isWord(*p))
      ++p;
  }
  Token number = finish(token, kind, p);
  if (wellFormed)
    return number;
  diagnostics.report(DiagnosticCode::E0002, number.range(), "`" + number.text + "` is not a number")
      .at("a name cannot start with a digit, and a point or `e` needs digits after it");
  number.kind = TokenKind::Error;
  return number;
}

Token Lexer::lexPunctuation(Token token) {
  llvm::StringRef rest(cursor, end - cursor);
#define PUNCTUATION(KIND, SPELLING)                                                                                    \
  if (rest.starts_with(SPELLING))                                                                                      \
    return finish(token, TokenKind::KIND, cursor + sizeof(SPELLING) - 1);
#include "compiler/Frontend/Tokens.def"

  if (rest.consume_front("?") && rest.ltrim().find_first_of(",)") == 0) // `c ? a : b` is foreign
    return finish(token, TokenKind::Question, cursor + 1);
  if (std::optional<Token> foreign = lexForeign(token))
    return *foreign;
  if (foreignLetters(rest))
    return lexForeignName(token);
  Token error = finish(token, TokenKind::Error, cursor + 1);
  if (error.text == llvm::StringRef("\0", 1))
    diagnostics.report(DiagnosticCode::E0001, error.range(), "a NUL byte in the source").at("the language is text");
  else if (checkUtf8(error.text)) {
    Diagnostic &unexpected =
        diagnostics.report(DiagnosticCode::E0001, error.range(), "unexpected character `" + error.text + "`");
    unexpected.at("names consist of letters a-z, digits and `_`");
  }
  return error;
}

bool gnnc::startsItem(TokenKind kind) {
  switch (kind) {
  case TokenKind::kw_import:
  case TokenKind::kw_layer:
  case TokenKind::kw_model:
  case TokenKind::kw_fn:
  case TokenKind::kw_param:
  case TokenKind::kw_state:
  case TokenKind::kw_graph:
  case TokenKind::kw_train:
  case TokenKind::kw_schedule:
  case TokenKind::kw_vertex:
  case TokenKind::kw_edge:
  case TokenKind::kw_let:
  case TokenKind::kw_return:
  case TokenKind::kw_repeat:
  case TokenKind::kw_input:
  case TokenKind::kw_output:
  case TokenKind::kw_target:
  case TokenKind::kw_loss:
    return true;
  default:
    return false;
  }
}

std::string gnnc::documentation(llvm::StringRef doc) {
  std::string text;
  while (!doc.empty()) {
    auto [line, rest] = doc.split('\n');
    line = line.trim();
    line.consume_front("///");
    line.consume_front(" ");
    text += (text.empty() ? "" : "\n") + line.str();
    doc = rest;
  }
  return text;
}
