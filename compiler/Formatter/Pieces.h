//===- Pieces.h - Tokens and comments ---------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pieces of a source that the formatter lays out: tokens and comments in order, without semicolons, with the
// properties by which each is laid out.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FORMATTER_PIECES_H
#define GNNC_FORMATTER_PIECES_H

#include "compiler/Frontend/Lexer.h"
#include <vector>

namespace gnnc {

struct Piece {
  enum class Role {
    None,
    Unary,         // `-` of one operand
    RelationMinus, // the `-` and `->` of `Author -writes-> p`
    RelationArrow,
    AngleOpen, // the `<` and `>` of `sum<heads>(x)`
    AngleClose,
    RangeColon, // the `:` of `y[a:b]`
  };

  Token token; // its kind means nothing for a comment
  bool isComment = false;
  unsigned breaksBefore = 0; // line breaks in the source: 0, 1, or 2 for a blank line and more
  unsigned column = 0;       // of a comment, in code points
  bool startsItem = false;   // an import, declaration, item, statement or setting
  bool manyLines = false;    // of a brace: its block has several lines
  Role role = Role::None;

  bool is(TokenKind kind) const { return !isComment && token.is(kind); }
};

/// All pieces of a source that parses. Where items start and which blocks stand in one line is found from the tokens
/// alone: items start with a keyword, or with a name and `=`; settings with their line.
std::vector<Piece> splitPieces(llvm::StringRef text);

} // namespace gnnc

#endif // GNNC_FORMATTER_PIECES_H
