//===- StatementParser.h - Statements ---------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements, and declarations that may stand among them: parameters and layers.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_PARSER_STATEMENTPARSER_H
#define GNNC_FRONTEND_PARSER_STATEMENTPARSER_H

#include "compiler/Frontend/Parser/ComponentItems.h"
#include "compiler/Frontend/Parser/ExprParser.h"

namespace gnnc {

/// Parses statements.
class StatementParser : ParserBase {
public:
  explicit StatementParser(ParserState &state) : ParserBase(state), exprs(state) {}

  bool startsStatement();
  std::optional<ast::WeightDecl> parseWeight();
  bool parseInstance(ComponentItems &items, llvm::SMRange start);
  std::optional<llvm::ArrayRef<ast::Stmt *>> parseBlock();

private:
  void skipToStatement();
  bool parseWeightRest(ast::WeightDecl &weight);
  bool parseInitializer(ast::WeightDecl &weight);
  /// Null: nothing can be said of it. `good`: it was read to its end.
  ast::Stmt *parseStatement(bool &good);
  bool parseIf(ast::Stmt &stmt);
  bool parseTypedStatement(ast::Stmt &stmt);
  bool parseAssignment(ast::Stmt &stmt);
  bool parseForeignAssignment(const ast::Name &name);
  void skipForeignType(llvm::StringRef keyword, const ast::Name &name);
  void skipLayerCount(llvm::StringRef name);
  void parseForeignType(llvm::StringRef keyword, const ast::Name &name);

  ExprParser exprs;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_PARSER_STATEMENTPARSER_H
