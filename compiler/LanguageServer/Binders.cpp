//===- Binders.cpp - What vertices and edges have fields --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Binders.h"
#include "compiler/Formatter/Pieces.h"
#include "compiler/Frontend/Parser/ExprParser.h"

using namespace gnnc;
using namespace gnnc::lsp;
using llvm::ArrayRef;
using llvm::StringRef;

Binders::Binders(ArrayRef<Token> component, ArrayRef<Token> behind) {
  readSchema(component);
  readBodies(component);
  readPatternAround(component, behind);
}

/// The pattern at the beginning of `tokens`.
Binders::Pattern Binders::readPattern(ArrayRef<Token> tokens) const {
  size_t next = 0;
  auto is = [&](TokenKind kind, size_t ahead = 0) {
    return next + ahead < tokens.size() && tokens[next + ahead].is(kind);
  };
  auto name = [&] { return is(TokenKind::Identifier) ? tokens[next++].text : StringRef(); };
  auto type = [&] { return is(TokenKind::Colon) ? (++next, name()) : StringRef(); };
  Pattern pattern;
  pattern.source = name();
  // In `a: b ->` the one is an edge unless the other is a vertex type (Parser::parsePatternStart).
  bool isEdge = is(TokenKind::Colon) && is(TokenKind::Identifier, 1) &&
                (is(TokenKind::Colon, 2) || !vertexTypes.contains(tokens[next + 1].text));
  if (isEdge) {
    pattern.edge = pattern.source;
    ++next;
    pattern.source = name();
  }
  pattern.sourceType = type();
  if (is(TokenKind::Minus)) {
    ++next;
    pattern.relation = name();
  }
  if (!is(TokenKind::Arrow))
    return pattern;
  ++next;
  pattern.target = name();
  pattern.targetType = type();
  return pattern;
}

void Binders::readSchema(ArrayRef<Token> tokens) {
  bool inGraph = false, inList = false;
  for (size_t i = 1; i < tokens.size(); ++i) {
    const Token &token = tokens[i], &before = tokens[i - 1];
    inGraph = token.is(TokenKind::kw_graph) || (inGraph && !token.is(TokenKind::RBrace));
    bool isName = token.is(TokenKind::Identifier);
    bool goesOn = isName ? !before.is(TokenKind::Identifier) : token.is(TokenKind::Comma);
    inList = token.is(TokenKind::kw_vertex) || (inList && goesOn);
    if (inGraph && inList && isName)
      vertexTypes.insert(token.text);
    bool isRelation = inGraph && isName && i >= 2 && before.is(TokenKind::Minus) && i + 2 < tokens.size() &&
                      tokens[i + 1].is(TokenKind::Arrow);
    if (isRelation)
      relations[token.text] = {tokens[i - 2].text, tokens[i + 2].text};
  }
}

/// Collects the fields that bodies define, and in `body` the head of the last one.
void Binders::readBodies(ArrayRef<Token> tokens) {
  unsigned braces = 0, parens = 0;
  bool inGraph = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    TokenKind kind = tokens[i].kind;
    bool isHead = braces == 1 && parens == 0 && (kind == TokenKind::kw_vertex || kind == TokenKind::kw_edge);
    if (isHead) {
      isEdgeBody = kind == TokenKind::kw_edge;
      body = readPattern(tokens.drop_front(i + 1));
      if (!isEdgeBody && !body.edge.empty()) // `vertex a: A`, where `A` is no type yet
        body = {{}, body.edge, body.source, {}, {}, {}};
    } else if (kind == TokenKind::kw_graph || (inGraph && kind == TokenKind::RBrace)) {
      inGraph = kind == TokenKind::kw_graph;
    }
    braces += kind == TokenKind::LBrace;
    braces -= braces > 0 && kind == TokenKind::RBrace;
    parens += kind == TokenKind::LParen;
    parens -= parens > 0 && kind == TokenKind::RParen;
    bool inBody = !inGraph && !body.source.empty() && (braces > 1 || parens > 0);
    if (inBody && kind == TokenKind::Identifier)
      addField(tokens, i);
  }
}

/// Notes the name as a field of the current body if it is defined there.
void Binders::addField(ArrayRef<Token> tokens, size_t name) {
  TokenKind before = tokens[name - 1].kind;
  bool isInput = before == TokenKind::kw_input || before == TokenKind::kw_target || before == TokenKind::kw_param;
  bool isLet = before == TokenKind::kw_let || before == TokenKind::kw_output;
  bool startsFormal = before == TokenKind::LParen || before == TokenKind::Comma || before == TokenKind::kw_edge;
  bool hasType = name + 2 < tokens.size() && tokens[name + 1].is(TokenKind::Colon) &&
                 (isElementKeyword(tokens[name + 2].kind) || tokens[name + 2].is(TokenKind::kw_sparse));
  bool isFormal = startsFormal && hasType; // not the bound of a range `y[:, a:b]`
  if (!isInput && !isLet && !isFormal)
    return;
  Field field{tokens[name].text, isEdgeBody ? body.relation : body.sourceType, isEdgeBody};
  if (isFormal)
    field.ofEdges = before == TokenKind::kw_edge;
  // `let s = ... for u -> v` is a field of edges in a vertex body too.
  int parens = 0;
  auto goesOn = [&](size_t i) {
    bool assigns = tokens[i].startsLine && i + 1 < tokens.size() && tokens[i + 1].is(TokenKind::Equal);
    return !startsItem(tokens[i].kind) && !assigns;
  };
  size_t i = name + 1;
  for (; isLet && i < tokens.size() && goesOn(i); ++i) {
    parens += tokens[i].is(TokenKind::LParen) - tokens[i].is(TokenKind::RParen);
    if (parens != 0 || !tokens[i].is(TokenKind::kw_for))
      continue;
    field.ofEdges = true;
    field.place = readPattern(tokens.drop_front(i + 1)).relation;
  }
  bool isBeingWritten = isLet && i == tokens.size();
  if (!isBeingWritten)
    fields.push_back(field);
}

/// The pattern of the comprehension that the place is in: behind it, or, in the condition, before it.
void Binders::readPatternAround(ArrayRef<Token> before, ArrayRef<Token> behind) {
  auto ends = [](TokenKind kind) {
    return startsItem(kind) || kind == TokenKind::LBrace || kind == TokenKind::RBrace || kind == TokenKind::Semicolon;
  };
  int parens = 0, outermost = 0;
  for (size_t i = 0; i < behind.size() && !ends(behind[i].kind); ++i) {
    parens += behind[i].is(TokenKind::LParen) - behind[i].is(TokenKind::RParen);
    outermost = std::min(parens, outermost);
    if (behind[i].is(TokenKind::kw_for) && parens == outermost) {
      comprehension = readPattern(behind.drop_front(i + 1));
      return;
    }
  }
  parens = outermost = 0;
  for (size_t i = before.size(); i-- > 0 && !ends(before[i].kind);) {
    parens += before[i].is(TokenKind::RParen) - before[i].is(TokenKind::LParen);
    outermost = std::min(parens, outermost);
    if (before[i].is(TokenKind::kw_for) && parens == outermost) {
      comprehension = readPattern(before.drop_front(i + 1));
      return;
    }
  }
}

/// The type at an end of the pattern, as it is written or as its relation or the body says; empty if neither does.
StringRef Binders::typeOf(const Pattern &pattern, bool isSource) const {
  StringRef written = isSource ? pattern.sourceType : pattern.targetType;
  if (!written.empty())
    return written;
  if (auto it = relations.find(pattern.relation); it != relations.end())
    return isSource ? it->second.first : it->second.second;
  bool isOwn = !isEdgeBody && (isSource ? pattern.source : pattern.target) == body.source;
  return isOwn ? body.sourceType : StringRef();
}

Binders::Choice Binders::choices(StringRef name) const {
  Choice choice;
  StringRef type, relation;
  const Pattern *around[] = {&comprehension, &body};
  for (const Pattern *pattern : around) {
    if (choice.ofVertices || choice.ofEdges)
      break;
    choice.ofEdges = pattern->edge == name;
    choice.ofVertices = !choice.ofEdges && (pattern->source == name || pattern->target == name);
    if (choice.ofEdges)
      relation = pattern->relation;
    else if (choice.ofVertices)
      type = typeOf(*pattern, pattern->source == name);
  }
  if (!choice.ofVertices && !choice.ofEdges)
    choice.ofVertices = choice.ofEdges = true;
  for (const Field &field : fields) {
    StringRef wanted = field.ofEdges ? relation : type;
    bool isThere = wanted.empty() || field.place.empty() || field.place == wanted;
    if (isThere && (field.ofEdges ? choice.ofEdges : choice.ofVertices))
      choice.fields.push_back(field.name);
  }
  return choice;
}
