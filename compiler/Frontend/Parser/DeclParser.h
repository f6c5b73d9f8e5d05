//===- DeclParser.h - Declarations ------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files, layers, models, functions and their items.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_PARSER_DECLPARSER_H
#define GNNC_FRONTEND_PARSER_DECLPARSER_H

#include "compiler/Frontend/Parser/ComponentItems.h"
#include "compiler/Frontend/Parser/ExprParser.h"
#include "compiler/Frontend/Parser/SettingsParser.h"
#include "compiler/Frontend/Parser/StatementParser.h"

namespace gnnc {

/// Parses files, layers, models, functions and their items.
class DeclParser : ParserBase {
public:
  explicit DeclParser(ParserState &state) : ParserBase(state), exprs(state), statements(state), settings(state) {
    peek(0);
  }

  ast::File parseFile();

private:
  void skipToItem();
  void skipToDeclaration();
  bool parseImport(ast::File &file);
  bool parseComponent(ast::File &file);
  bool parseFunction(ast::File &file);
  bool parseLayerType(ast::ComponentParam &param);
  bool parseComponentParam(llvm::SmallVectorImpl<ast::ComponentParam> &params);
  bool parseWhere(llvm::SmallVectorImpl<ast::WhereClause> &clauses);
  bool parseItem(const ast::ComponentDecl &component, ComponentItems &items);
  ast::ComponentDecl *parseHead(ast::File &file);
  bool parseBody(const ast::ComponentDecl &component, ComponentItems &items);
  bool parseFormal(llvm::SmallVectorImpl<ast::FormalDecl> &formals, bool typeRequired);
  bool parseWhereLeftOut(ast::FormalDecl &formal);

  ExprParser exprs;
  StatementParser statements;
  SettingsParser settings;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_PARSER_DECLPARSER_H
