//===- Formatter.cpp - One way to lay out .gnn files ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Formatter/Formatter.h"
#include "compiler/Formatter/Layout.h"
#include "compiler/Frontend/Parser.h"
#include <algorithm>
#include <stdexcept>

using namespace gnnc;

/// Whether two texts have the same tokens, comments and documentation, and parse to the same tree.
static bool meansTheSame(llvm::StringRef before, const std::vector<Piece> &pieces, const std::string &after) {
  std::vector<Piece> others = splitPieces(after);
  bool samePieces = std::equal(pieces.begin(), pieces.end(), others.begin(), others.end(), [](auto &a, auto &b) {
    return a.isComment == b.isComment && a.token.text == b.token.text &&
           documentation(a.token.doc) == documentation(b.token.doc);
  });
  if (!samePieces)
    return false;
  auto tree = [](llvm::StringRef text) {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    DiagnosticEngine diagnostics;
    ast::Arena arena;
    parse(text, arena, diagnostics).print(os);
    return diagnostics.hasErrors() ? std::string("errors") : printed;
  };
  return tree(before) == tree(after);
}

std::optional<std::string> gnnc::format(llvm::StringRef text, DiagnosticEngine &diagnostics) {
  ast::Arena arena;
  parse(text, arena, diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  std::vector<Piece> pieces = splitPieces(text);
  std::vector<Line> lines = layOut(pieces);
  align(lines);
  std::string result;
  for (const Line &line : lines) {
    result += line.blankBefore ? "\n" : "";
    result.append(line.indent, ' ').append(line.text).append("\n");
  }
  if (!meansTheSame(text, pieces, result))
    throw std::logic_error("formatting would change what the file means");
  return result;
}
