//===- ParserImpl.h - The recursive-descent parser --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function for each production of docs/language.md, with its grammar line. A function that fails has reported why
// and returns null or false; the loops over statements and items then skip to the next place where one can start.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_PARSERIMPL_H
#define GNNC_FRONTEND_PARSERIMPL_H

#include "compiler/Frontend/AST.h"
#include "compiler/Frontend/Lexer.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

namespace gnnc {

class Parser {
public:
  Parser(llvm::StringRef text, ast::Arena &arena, DiagnosticEngine &diagnostics);

  ast::File parseFile();

private:
  static constexpr unsigned maxDepth = 256;
  static constexpr unsigned maxTokens = 1'000'000;

  // Tokens.
  const Token &token() const { return lookahead.front(); }
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
  llvm::SMRange rangeFrom(llvm::SMRange start) const { return {start.Start, lastEnd}; }
  /// Parses `item {"," item}` up to `close`, which it consumes.
  bool parseList(const Token &open, TokenKind close, llvm::function_ref<bool()> item);

  // Recovery.
  void skipLine();
  bool startsStatement();
  void skipToStatement();
  void skipToItem();
  void skipToDeclaration();
  void skipBalanced();

  // Parser.cpp: declarations.
  struct Items;
  bool parseImport(ast::File &file);
  bool parseComponent(ast::File &file);
  bool parseFunction(ast::File &file);
  bool parseComponentParam(llvm::SmallVectorImpl<ast::ComponentParam> &params);
  bool parseWhere(llvm::SmallVectorImpl<ast::WhereClause> &clauses);
  bool parseItem(const ast::ComponentDecl &component, Items &items);
  ast::ComponentDecl *parseHead(ast::File &file);
  std::optional<ast::WeightDecl> parseWeight();
  bool parseWeightRest(ast::WeightDecl &weight);
  bool parseInstance(Items &items, llvm::SMRange start);
  bool parseBody(const ast::ComponentDecl &component, Items &items);
  bool parseFormal(llvm::SmallVectorImpl<ast::FormalDecl> &formals, bool typeRequired);

  // ParserSettings.cpp: `graph` and `train`.
  bool parseGraph(Items &items);
  bool parseVertexTypes(Items &items);
  bool parseRelation(Items &items);
  bool parseSettings(llvm::SmallVectorImpl<ast::Setting> &settings);
  bool parseBraces(llvm::function_ref<bool()> entry);
  std::optional<ast::Setting> parseSetting();

  // ParserStatements.cpp
  std::optional<llvm::ArrayRef<ast::Stmt *>> parseBlock();
  /// Null: nothing can be said of it. `good`: it was read to its end.
  ast::Stmt *parseStatement(bool &good);
  bool parseTypedStatement(ast::Stmt &stmt);
  bool parseAssignment(ast::Stmt &stmt);
  bool parseForeignAssignment(const ast::Name &name);
  void skipForeignType(llvm::StringRef keyword, const ast::Name &name);
  void skipLayerCount(llvm::StringRef name);
  void parseForeignType(llvm::StringRef keyword, const ast::Name &name);
  std::optional<ast::TypeExpr> parseType();

  // ParserExpressions.cpp
  ast::Expr *parseValue(llvm::StringRef defined = {});
  ast::Expr *parseExpr();
  ast::Expr *parseBinary(unsigned minPrecedence);
  ast::Expr *parseUnary();
  ast::Expr *parsePostfix();
  ast::Expr *parseMember(ast::Expr *base, llvm::SMRange start);
  ast::Expr *parsePrimary();
  ast::Expr *parseNumber();
  ast::Expr *parseCall(ast::Name callee, ast::Expr *receiver = nullptr);
  bool parseArgument(llvm::SmallVectorImpl<ast::Argument> &args);
  std::optional<ast::Pattern> parsePattern(bool allowVertices);
  bool parsePatternStart(ast::Pattern &pattern);
  std::optional<ast::Name> parseArrow();
  template <typename Node> Node *create(llvm::SMRange range) { return arena.create<Node>(range); }
  ast::Expr *finish(ast::Expr *expr, std::initializer_list<const ast::Expr *> children);
  bool tooDeep(llvm::SMRange range);

  Lexer lexer;
  ast::Arena &arena;
  DiagnosticEngine &diagnostics;
  llvm::SmallVector<Token, 4> lookahead;
  llvm::SMLoc lastEnd; // of the token consumed last
  unsigned depth = 0;
  unsigned numTokens = 0;
  llvm::StringSet<> vertexTypes;     // of the model that is being parsed
  Items *componentItems = nullptr;   // of the layer or model that is being parsed
  bool lost = false;                 // something of it could not be read at all
  const char *missesClose = nullptr; // the token before which a bracket was reported as not closed
};

/// Whether it is `real`, `i32` and the like.
bool isElementKeyword(TokenKind kind);

} // namespace gnnc

#endif // GNNC_FRONTEND_PARSERIMPL_H
