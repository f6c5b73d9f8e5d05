//===- Pieces.cpp - Tokens and comments -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Formatter/Pieces.h"
#include "compiler/Frontend/Parser.h"

using namespace gnnc;

namespace {

unsigned columnOf(const char *position, llvm::StringRef text) {
  unsigned column = 0;
  while (position != text.begin() && position[-1] != '\n')
    column += (static_cast<unsigned char>(*--position) & 0xc0) != 0x80; // not the inside of a code point
  return column;
}

/// Tokens and, out of the gaps between them, comments.
class Splitter {
public:
  explicit Splitter(llvm::StringRef text) : text(text), lexer(text, ignored) {}

  std::vector<Piece> run() {
    const char *gapBegin = text.begin();
    for (;;) {
      Token token = lexer.next();
      addComments(llvm::StringRef(gapBegin, token.text.begin() - gapBegin));
      if (token.is(TokenKind::End))
        return std::move(pieces);
      gapBegin = token.text.end();
      if (!token.is(TokenKind::Semicolon)) // line breaks beside one count for what comes after
        add(token, /*isComment=*/false);
    }
  }

private:
  void addComments(llvm::StringRef gap) {
    gap.consume_front("\xef\xbb\xbf");
    while (!gap.empty()) {
      if (gap.front() == '/') {
        Token comment;
        comment.text = gap.take_front(std::min(gap.size(), gap.find('\n'))).rtrim();
        add(comment, /*isComment=*/true);
        gap = gap.drop_front(comment.text.size());
      } else {
        breaks += gap.front() == '\n';
        gap = gap.drop_front();
      }
    }
  }

  void add(const Token &token, bool isComment) {
    Piece &piece = pieces.emplace_back();
    piece.token = token;
    piece.isComment = isComment;
    piece.breaksBefore = std::min(breaks, 2u);
    piece.column = isComment ? columnOf(token.text.begin(), text) : 0;
    breaks = 0;
  }

  llvm::StringRef text;
  DiagnosticEngine ignored; // the source is known to have no errors
  Lexer lexer;
  std::vector<Piece> pieces;
  unsigned breaks = 0;
};

/// Finds items, blocks and the roles of tokens.
class Structure {
public:
  explicit Structure(std::vector<Piece> &pieces) : pieces(pieces) {
    for (size_t i = 0; i < pieces.size(); ++i)
      if (!pieces[i].isComment)
        tokens.push_back(i);
  }

  void run() {
    for (size_t i = 0; i < tokens.size(); ++i) {
      Piece &piece = at(i);
      lines += piece.breaksBefore > 0;
      piece.startsItem = startsItem(i);
      if (piece.startsItem)
        item = piece.token.kind;
      if (piece.is(TokenKind::Minus))
        piece.role = roleOfMinus(i);
      else if (piece.is(TokenKind::Arrow) && i >= 2 && at(i - 2).role == Piece::Role::RelationMinus)
        piece.role = Piece::Role::RelationArrow;
      else if (piece.is(TokenKind::Colon) && !brackets.empty() && brackets.back().kind == TokenKind::LBracket)
        piece.role = Piece::Role::RangeColon;
      nest(i);
    }
  }

private:
  struct Bracket {
    TokenKind kind;
    bool ofSettings = false;
    size_t piece = 0;   // of a brace
    unsigned lines = 0; // before it
  };

  Piece &at(size_t token) { return pieces[tokens[token]]; }
  bool is(size_t token, TokenKind kind) { return token < tokens.size() && at(token).is(kind); }
  bool inSettings() const { return !brackets.empty() && brackets.back().ofSettings; }

  bool startsItem(size_t i) {
    if (i == 0 || is(i - 1, TokenKind::LBrace))
      return !is(i, TokenKind::RBrace);
    bool inBlock = brackets.empty() || brackets.back().kind == TokenKind::LBrace;
    if (!inBlock || is(i, TokenKind::RBrace) || is(i, TokenKind::LBrace) || is(i, TokenKind::kw_else) ||
        is(i - 1, TokenKind::kw_else))
      return false;
    if (is(i - 1, TokenKind::RBrace))
      return true;
    if (is(i, TokenKind::kw_if))
      return roleOfIf(i) == IfRole::Statement;
    if (gnnc::startsItem(at(i).token.kind))
      return true;
    if (inSettings()) {
      bool goesOn = is(i - 1, TokenKind::Comma) || is(i - 1, TokenKind::Arrow) || is(i - 1, TokenKind::Minus);
      return is(i, TokenKind::Identifier) && !goesOn && (at(i).token.startsLine || followsSemicolon(i));
    }
    bool isNamed = is(i - 1, TokenKind::kw_let) || is(i - 1, TokenKind::kw_layer) || is(i - 1, TokenKind::kw_output);
    return is(i, TokenKind::Identifier) && is(i + 1, TokenKind::Equal) && !isNamed;
  }

  /// Semicolons are no pieces: looks for one in the text between.
  bool followsSemicolon(size_t i) {
    llvm::StringRef before = at(i - 1).token.text;
    return llvm::StringRef(before.end(), at(i).token.text.begin() - before.end()).ltrim().starts_with(";");
  }

  IfRole roleOfIf(size_t i) {
    return gnnc::roleOfIf([&](unsigned behind) {
      return i + 1 + behind < tokens.size() ? at(i + 1 + behind).token.kind : TokenKind::End;
    });
  }

  Piece::Role roleOfMinus(size_t i) {
    if (is(i + 1, TokenKind::Identifier) && is(i + 2, TokenKind::Arrow))
      return Piece::Role::RelationMinus;
    if (i == 0)
      return Piece::Role::None;
    const Piece &before = at(i - 1);
    bool endsOperand = before.is(TokenKind::Identifier) || before.is(TokenKind::Integer) ||
                       before.is(TokenKind::Float) || before.is(TokenKind::RParen) || before.is(TokenKind::RBracket);
    return endsOperand && !inSettings() ? Piece::Role::None : Piece::Role::Unary;
  }

  void nest(size_t i) {
    Piece &piece = at(i);
    switch (piece.token.kind) {
    case TokenKind::LBrace:
      brackets.push_back(
          {TokenKind::LBrace,
           item == TokenKind::kw_graph || item == TokenKind::kw_train || item == TokenKind::kw_schedule, tokens[i],
           lines});
      break;
    case TokenKind::LParen:
    case TokenKind::LBracket:
      brackets.push_back({piece.token.kind});
      break;
    case TokenKind::Less:
      if (i > 0 && is(i - 1, TokenKind::Identifier) && takesDims(at(i - 1).token.text)) {
        piece.role = Piece::Role::AngleOpen;
        brackets.push_back({TokenKind::Less});
      }
      break;
    case TokenKind::Greater:
      if (brackets.empty() || brackets.back().kind != TokenKind::Less)
        break;
      piece.role = Piece::Role::AngleClose;
      brackets.pop_back();
      break;
    case TokenKind::RBrace:
      piece.manyLines = pieces[brackets.back().piece].manyLines = lines != brackets.back().lines;
      [[fallthrough]];
    case TokenKind::RParen:
    case TokenKind::RBracket:
      brackets.pop_back();
      break;
    default:
      break;
    }
  }

  std::vector<Piece> &pieces;
  std::vector<size_t> tokens; // positions in `pieces`
  std::vector<Bracket> brackets;
  unsigned lines = 0;              // so far
  TokenKind item = TokenKind::End; // what the current item starts with
};

} // namespace

std::vector<Piece> gnnc::splitPieces(llvm::StringRef text) {
  std::vector<Piece> pieces = Splitter(text).run();
  Structure(pieces).run();
  return pieces;
}
