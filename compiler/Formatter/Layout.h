//===- Layout.h - Lines of formatted text -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces as lines: what stands in each and how far it is indented, and where columns of neighbouring lines are aligned.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FORMATTER_LAYOUT_H
#define GNNC_FORMATTER_LAYOUT_H

#include "compiler/Formatter/Pieces.h"
#include <string>
#include <vector>

namespace gnnc {

struct Line {
  /// Lines of one kind that follow one another are aligned.
  enum class Kind {
    Other,
    Comment,   // nothing but a comment, in `text`
    Weight,    // `param W: real[d] = zeros`: types and `=`
    Instance,  // `layer conv = Conv(d)`: `=`
    Statement, // `let x = ..`, `input x: ..`, `loss ..`: what follows the keyword, types, `=`
  };

  Kind kind = Kind::Other;
  bool blankBefore = false;
  unsigned indent = 0;
  std::string text;          // without indentation
  size_t keywordEnd = 0;     // of a statement; the other positions are 0 where there is no such thing
  size_t typeBegin = 0;      // after the colon's blank
  size_t equal = 0;          // the `=`
  std::string comment;       // behind the text
  unsigned sourceColumn = 0; // of `comment`
  TokenKind first = TokenKind::End;
  bool isTopLevel = false; // starts an import or declaration
};

std::vector<Line> layOut(const std::vector<Piece> &pieces);

/// Pads lines so that neighbours of one kind have their types, `=` and comments in columns. Comments that are in a
/// column already stay in it.
void align(std::vector<Line> &lines);

} // namespace gnnc

#endif // GNNC_FORMATTER_LAYOUT_H
