//===- Layout.cpp - Pieces as lines ---------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where lines begin, their indentation, and the blanks between tokens.
//
//===----------------------------------------------------------------------===//

#include "compiler/Formatter/Layout.h"

using namespace gnnc;

namespace {

constexpr unsigned indentWidth = 2, continuationWidth = 4;

class LineBuilder {
public:
  explicit LineBuilder(const std::vector<Piece> &pieces)
      : pieces(pieces), nextToken(pieces.size() + 1, pieces.size()), previousToken(pieces.size(), pieces.size()) {
    for (size_t i = pieces.size(); i-- > 0;)
      nextToken[i] = pieces[i].isComment ? nextToken[i + 1] : i;
    for (size_t i = 1; i < pieces.size(); ++i)
      previousToken[i] = pieces[i - 1].isComment ? previousToken[i - 1] : i - 1;
  }

  std::vector<Line> run() {
    for (size_t i = 0; i < pieces.size(); ++i)
      place(i);
    for (size_t i = 0; i < lines.size(); ++i)
      separate(i);
    return std::move(lines);
  }

private:
  struct Bracket {
    bool isBlock, manyLines;
    bool hangs; // the last of its line: what is inside is indented by one step
  };

  void place(size_t i) {
    const Piece &piece = pieces[i];
    bool closes = piece.is(TokenKind::RParen) || piece.is(TokenKind::RBracket) || piece.is(TokenKind::RBrace) ||
                  piece.role == Piece::Role::AngleClose;
    Bracket closed{};
    if (closes) {
      closed = brackets.back();
      brackets.pop_back();
    }
    if (piece.isComment)
      placeComment(i);
    else if (startsLine(i))
      newLine(i, closes ? &closed : nullptr);
    else
      append(i);
    if (piece.startsItem)
      startItem(piece);
    noteColumns(piece);
    bool isAngle = piece.role == Piece::Role::AngleOpen;
    if (piece.is(TokenKind::LBrace))
      brackets.push_back({true, piece.manyLines, piece.manyLines});
    else if (isAngle || piece.is(TokenKind::LParen) || piece.is(TokenKind::LBracket))
      brackets.push_back({false, false, pieces[nextToken[i + 1]].token.startsLine}); // it is closed somewhere
  }

  bool inOneLine() const { return !brackets.empty() && brackets.back().isBlock && !brackets.back().manyLines; }
  bool afterComment(size_t i) const { return i > 0 && pieces[i - 1].isComment; }

  bool startsLine(size_t i) const {
    const Piece &piece = pieces[i];
    if (lines.empty() || afterComment(i))
      return true;
    if (piece.is(TokenKind::RBrace))
      return piece.manyLines;
    if (piece.is(TokenKind::LBrace) || (piece.is(TokenKind::kw_else) && pieces[i - 1].is(TokenKind::RBrace)))
      return false;
    if (piece.startsItem)
      return !inOneLine();
    return piece.breaksBefore > 0;
  }

  /// `closed`: the bracket that the first token of the line closes.
  unsigned indentOf(size_t i, const Bracket *closed) const {
    unsigned indent = 0;
    for (const Bracket &bracket : brackets)
      indent += bracket.hangs ? indentWidth : 0;
    size_t token = nextToken[i];
    if (token == pieces.size() || pieces[token].startsItem || pieces[token].is(TokenKind::RBrace) ||
        (closed && closed->hangs))
      return indent;
    // The first of a list that hangs, or one of its later items: not a continuation.
    const Piece *before = previousToken[i] < pieces.size() ? &pieces[previousToken[i]] : nullptr;
    bool startsEntry = before && (before->is(TokenKind::Comma) || before->is(TokenKind::LParen) ||
                                  before->is(TokenKind::LBracket) || before->role == Piece::Role::AngleOpen);
    bool hangs = !brackets.empty() && !brackets.back().isBlock && brackets.back().hangs;
    bool closesNext = pieces[token].is(TokenKind::RParen) || pieces[token].is(TokenKind::RBracket);
    return hangs && (startsEntry || closesNext) ? indent : indent + continuationWidth;
  }

  void newLine(size_t i, const Bracket *closed) {
    const Piece &piece = pieces[i];
    if (!lines.empty() && lines.back().typeBegin > lines.back().text.size()) // the line ended with the colon
      lines.back().typeBegin = 0;
    Line line;
    bool opensBlock = i > 0 && pieces[i - 1].is(TokenKind::LBrace);
    line.blankBefore = piece.breaksBefore > 1 && !lines.empty() && !opensBlock && !piece.is(TokenKind::RBrace);
    line.indent = indentOf(i, closed);
    line.text = piece.token.text.str();
    line.first = piece.token.kind;
    lines.push_back(std::move(line));
  }

  void placeComment(size_t i) {
    const Piece &piece = pieces[i];
    if (piece.breaksBefore > 0 || lines.empty()) {
      newLine(i, nullptr);
      lines.back().kind = Line::Kind::Comment;
      return;
    }
    lines.back().comment = piece.token.text.str();
    lines.back().sourceColumn = piece.column;
  }

  void append(size_t i) {
    std::string &text = lines.back().text;
    const Piece &piece = pieces[i];
    bool separates = piece.startsItem && !pieces[i - 1].is(TokenKind::LBrace) && !pieces[i - 1].is(TokenKind::RBrace);
    if (separates)
      text += ";";
    if (isSpaced(pieces[i - 1], piece))
      text += " ";
    text += piece.token.text;
  }

  bool isSpaced(const Piece &before, const Piece &piece) const {
    using Role = Piece::Role;
    switch (before.token.kind) {
    case TokenKind::LParen:
    case TokenKind::LBracket:
    case TokenKind::Dot:
      return false;
    case TokenKind::LBrace:
      return !piece.is(TokenKind::RBrace);
    default:
      if (before.role == Role::Unary || before.role == Role::RelationMinus || before.role == Role::AngleOpen ||
          before.role == Role::RangeColon)
        return false;
    }
    bool isType = before.token.kind >= TokenKind::kw_real && before.token.kind <= TokenKind::kw_bool;
    switch (piece.token.kind) {
    case TokenKind::RParen:
    case TokenKind::RBracket:
    case TokenKind::Comma:
    case TokenKind::Dot:
    case TokenKind::Question:
      return false;
    case TokenKind::Colon:
      return piece.role == Role::RangeColon && before.is(TokenKind::Comma);
    case TokenKind::LParen: // a call, unless it holds the inputs of a body
      return before.is(TokenKind::Identifier) ? inHead : !isType && before.role != Role::AngleClose;
    case TokenKind::LBracket:
      return !isType && !before.is(TokenKind::kw_fn) && !before.is(TokenKind::Identifier) &&
             !before.is(TokenKind::RParen) && !before.is(TokenKind::RBracket);
    default:
      return piece.role != Role::RelationArrow && piece.role != Role::AngleOpen && piece.role != Role::AngleClose;
    }
  }

  void startItem(const Piece &piece) {
    inHead = piece.is(TokenKind::kw_vertex) || piece.is(TokenKind::kw_edge);
    itemLine = lines.size() - 1;
    itemDepth = brackets.size();
    Line &line = lines.back();
    bool isFirst = line.text.size() == piece.token.text.size();
    if (!isFirst)
      return;
    line.isTopLevel = brackets.empty();
    switch (piece.token.kind) {
    case TokenKind::kw_param:
    case TokenKind::kw_state:
      line.kind = Line::Kind::Weight;
      break;
    case TokenKind::kw_layer:
      line.kind = brackets.empty() ? Line::Kind::Other : Line::Kind::Instance;
      break;
    case TokenKind::kw_let:
    case TokenKind::kw_input:
    case TokenKind::kw_output:
    case TokenKind::kw_target:
    case TokenKind::kw_loss:
      line.kind = Line::Kind::Statement;
      line.keywordEnd = line.text.size();
      break;
    default:
      break;
    }
  }

  /// Called when `piece` is the last of the text.
  void noteColumns(const Piece &piece) {
    inHead &= !piece.is(TokenKind::LBrace) && !piece.is(TokenKind::LParen);
    Line &line = lines.back();
    bool isOfItem = line.kind != Line::Kind::Other && line.kind != Line::Kind::Comment &&
                    itemLine == lines.size() - 1 && itemDepth == brackets.size();
    if (!isOfItem || line.equal)
      return;
    if (piece.is(TokenKind::Equal))
      line.equal = line.text.size() - 1;
    else if (piece.is(TokenKind::Colon) && !line.typeBegin)
      line.typeBegin = line.text.size() + 1;
  }

  /// A blank line before a declaration and its comments, but not between imports or functions that follow directly.
  void separate(size_t i) {
    if (!lines[i].isTopLevel)
      return;
    size_t begin = i;
    while (begin > 0 && lines[begin - 1].kind == Line::Kind::Comment && !lines[begin].blankBefore)
      --begin;
    bool follows = begin == i && i > 0 && lines[i - 1].isTopLevel && lines[i - 1].first == lines[i].first;
    if (begin > 0 && !follows)
      lines[begin].blankBefore = true;
  }

  const std::vector<Piece> &pieces;
  std::vector<size_t> nextToken;     // at or after a piece; the number of pieces: none
  std::vector<size_t> previousToken; // before it
  std::vector<Line> lines;
  std::vector<Bracket> brackets;
  bool inHead = false; // of a body, before its inputs
  size_t itemLine = 0, itemDepth = 0;
};

} // namespace

std::vector<Line> gnnc::layOut(const std::vector<Piece> &pieces) { return LineBuilder(pieces).run(); }
