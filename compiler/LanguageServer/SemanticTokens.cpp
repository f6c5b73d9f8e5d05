//===- SemanticTokens.cpp - What names are, for colours -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/SemanticTokens.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/LanguageServer/BuiltinDocs.h"

using namespace gnnc;
using namespace gnnc::lsp;

namespace {

enum TokenType : uint32_t { Class, Function, Parameter, Property, Variable, Type, Namespace, EnumMember };

std::optional<TokenType> typeOf(Symbol::Kind kind) {
  switch (kind) {
  case Symbol::Kind::Layer:
  case Symbol::Kind::Model:
    return Class;
  case Symbol::Kind::Function:
  case Symbol::Kind::Instance:
    return Function;
  case Symbol::Kind::Parameter:
    return Parameter;
  case Symbol::Kind::Weight:
    return Property;
  case Symbol::Kind::Field:
    return Variable;
  case Symbol::Kind::VertexType:
    return Type;
  case Symbol::Kind::Relation:
    return EnumMember;
  case Symbol::Kind::Body:
    break;
  }
  return std::nullopt;
}

std::optional<TokenType> typeOf(const Analysis &analysis, const Token &name, bool isCalled) {
  for (const ast::Name &import : analysis.imports())
    if (import.range.Start == name.range().Start)
      return Namespace;
  size_t offset = name.text.begin() - analysis.text().begin();
  const SemanticIndex::Use *use = analysis.useAt(offset);
  if (use && use->range.Start.getPointer() != name.text.begin())
    use = nullptr;
  const Symbol *symbol = analysis.symbolAt(use ? use->definition : name.range());
  if (symbol)
    return typeOf(symbol->kind);
  if (use)
    return Variable; // vertices, edges, counters
  return isCalled && !builtinDoc(name.text).empty() ? std::optional(Function) : std::nullopt;
}

} // namespace

llvm::ArrayRef<llvm::StringLiteral> lsp::tokenTypes() {
  static constexpr llvm::StringLiteral names[] = {"class",    "function", "parameter", "property",
                                                  "variable", "type",     "namespace", "enumMember"};
  return names;
}

std::vector<uint32_t> lsp::semanticTokens(const Analysis &analysis) {
  std::vector<Token> tokens;
  DiagnosticEngine ignored;
  Lexer lexer(analysis.text(), ignored);
  do
    tokens.push_back(lexer.next());
  while (!tokens.back().is(TokenKind::End));
  std::vector<uint32_t> data;
  Position last;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const Token &token = tokens[i];
    bool isCalled = tokens[i + 1].is(TokenKind::LParen) || tokens[i + 1].is(TokenKind::Less);
    std::optional<TokenType> type = token.is(TokenKind::Identifier) ? typeOf(analysis, token, isCalled) : std::nullopt;
    if (!type)
      continue;
    Range range = analysis.range(token.range());
    bool isDeclaration = analysis.symbolAt(token.range()) != nullptr;
    bool isSameLine = range.start.line == last.line;
    data.insert(data.end(), {range.start.line - last.line, range.start.character - (isSameLine ? last.character : 0),
                             range.end.character - range.start.character, *type, isDeclaration ? 1u : 0u});
    last = range.start;
  }
  return data;
}
