//===- ExprParser.h - Expressions -------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions, patterns and types.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_PARSER_EXPRPARSER_H
#define GNNC_FRONTEND_PARSER_EXPRPARSER_H

#include "compiler/Frontend/Parser.h"
#include "compiler/Frontend/Parser/ParserBase.h"

namespace gnnc {

/// Parses expressions, patterns and types.
class ExprParser : ParserBase {
public:
  explicit ExprParser(ParserState &state) : ParserBase(state) {}

  std::optional<ast::TypeExpr> parseType();
  ast::Expr *parseValue(llvm::StringRef defined = {});
  ast::Expr *parseExpr();
  ast::Expr *parseBinary(unsigned minPrecedence);
  ast::Expr *parseNumber();
  ast::Expr *parseCall(ast::Name callee, ast::Expr *receiver = nullptr);
  ast::Expr *createGiven(const ast::Name &input, llvm::SMRange range);
  std::optional<ast::Pattern> parsePattern(bool allowVertices);
  std::optional<ast::Name> parseArrow();
  /// The role of the `if` that is the current token.
  IfRole roleOfIf();
  template <typename Node> Node *create(llvm::SMRange range) { return state.arena.create<Node>(range); }
  bool tooDeep(llvm::SMRange range);

private:
  static constexpr unsigned maxDepth = 256;

  ast::Expr *parseFilter();
  ast::Expr *parseUnary();
  ast::Expr *parsePostfix();
  ast::Expr *parseSlice(ast::Expr *base, ast::Expr *first, const Token &open, llvm::SMRange start);
  ast::Expr *parseListedLayer(const ast::Name &list, llvm::SMRange start);
  ast::Expr *parseMember(ast::Expr *base, llvm::SMRange start);
  ast::Expr *parsePrimary();
  ast::Expr *parseListOfFunctions();
  bool parseArgument(llvm::SmallVectorImpl<ast::Argument> &args);
  bool parsePatternStart(ast::Pattern &pattern);
  ast::Expr *finish(ast::Expr *expr, std::initializer_list<const ast::Expr *> children);
};

/// Whether it is `real`, `i32` and the like.
bool isElementKeyword(TokenKind kind);

} // namespace gnnc

#endif // GNNC_FRONTEND_PARSER_EXPRPARSER_H
