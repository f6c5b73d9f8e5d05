//===- SettingsParser.cpp - Settings ----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks `graph`, `train` and `schedule`.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Parser/SettingsParser.h"

using namespace gnnc;
using namespace gnnc::ast;

/// Parses `"{" { entry [ ";" ] } "}"`; after an entry that fails, goes on in the next line.
bool SettingsParser::parseBraces(llvm::function_ref<bool()> entry) {
  if (!at(TokenKind::LBrace)) {
    unexpected("`{`");
    return false;
  }
  Token open = consume();
  while (!at(TokenKind::RBrace) && !at(TokenKind::End)) {
    if (at(TokenKind::Comma)) {
      Token comma = consume();
      foreign(comma.range(), "settings are parted by `;` or lines").fix("write `;`", comma.range(), ";");
    } else if (!entry()) {
      while (!at(TokenKind::RBrace) && !at(TokenKind::End) && !at(TokenKind::Semicolon) && !token().startsLine)
        consume();
    }
    consumeIf(TokenKind::Semicolon);
  }
  return expectClose(TokenKind::RBrace, open);
}

/// train = "train" "{" { setting [ ";" ] } "}", schedule = "schedule" "{" { setting [ ";" ] } "}"
bool SettingsParser::parseSettings(llvm::SmallVectorImpl<Setting> &settings) {
  return parseBraces([&] {
    std::optional<Setting> setting = parseSetting();
    if (setting)
      settings.push_back(*setting);
    return setting.has_value();
  });
}

/// graph = "graph" "{" { types | relation | setting [ "if" expr ] [ ";" ] } "}"
bool SettingsParser::parseGraph(ComponentItems &items) {
  return parseBraces([&] {
    bool isPairs = at(TokenKind::Identifier) && token().text == "pairs" && peek(1).is(TokenKind::Identifier);
    if (at(TokenKind::kw_vertex) || at(TokenKind::kw_edge) || isPairs) {
      bool good = at(TokenKind::kw_vertex) ? parseVertexTypes(items) : parseRelation(items);
      items.isDamaged |= !good;
      return good;
    }
    std::optional<Setting> setting = parseSetting();
    const bool isGood = setting && (!consumeIf(TokenKind::kw_if) || (setting->condition = exprs.parseExpr()));
    if (setting)
      items.graph.push_back(*setting);
    return isGood;
  });
}

/// types = "vertex" NAME { "," NAME }
bool SettingsParser::parseVertexTypes(ComponentItems &items) {
  llvm::StringRef doc = token().doc;
  consume();
  do {
    VertexTypeDecl &type = items.vertexTypes.emplace_back();
    type.doc = doc;
    std::optional<Name> name = parseName("a vertex type");
    if (!name)
      return false;
    type.name = *name;
    state.vertexTypes.insert(name->text);
  } while (consumeIf(TokenKind::Comma));
  return true;
}

/// relation = ( "edge" | "pairs" ) NAME "-" NAME "->" NAME | "pairs" NAME
bool SettingsParser::parseRelation(ComponentItems &items) {
  RelationDecl relation;
  relation.doc = token().doc;
  relation.isPairs = !consume().is(TokenKind::kw_edge);
  std::optional<Name> first = parseName("a vertex type");
  if (!first)
    return false;
  if (relation.isPairs && !at(TokenKind::Minus)) {
    relation.name = *first;
    items.relations.push_back(relation);
    return true;
  }
  if (at(TokenKind::Colon) && peek(2).is(TokenKind::Arrow)) { // `edge writes: Author -> Paper`
    consume();
    relation.name = *first;
    relation.source = parseName("a vertex type");
    if (!relation.source)
      return false;
    consume();
    foreign(rangeFrom(first->range), "a relation is named in its arrow")
        .help("`edge " + relation.source->text + " -" + first->text + "-> " + token().text + "`");
    relation.target = parseName("a vertex type");
    if (relation.target)
      items.relations.push_back(relation);
    return relation.target.has_value();
  }
  relation.source = first;
  if (at(TokenKind::Arrow)) {
    foreign(token().range(), "a relation has a name").help("`edge " + first->text + " -name-> " + peek(1).text + "`");
    return false;
  }
  std::optional<Name> name = at(TokenKind::Minus) ? exprs.parseArrow() : std::nullopt;
  if (!name) {
    if (!at(TokenKind::Minus))
      unexpected("`-relation->`");
    return false;
  }
  relation.name = *name;
  if (!(relation.target = parseName("a vertex type")))
    return false;
  items.relations.push_back(relation);
  return true;
}

/// setting = NAME [ NAME | [ "-" ] NUMBER ] [ "on" NAME { "," NAME } ]
/// A value stands in the line of its name, so that settings need no separator.
std::optional<Setting> SettingsParser::parseSetting() {
  Setting setting;
  std::optional<Name> name = parseName("a setting");
  if (!name) {
    consume();
    return std::nullopt;
  }
  setting.name = *name;
  const bool hasSign = (at(TokenKind::Equal) || at(TokenKind::Colon)) && !token().startsLine;
  const Token value = hasSign ? peek(1) : token();
  if (!value.startsLine && (value.text == "true" || value.text == "false")) {
    foreign(value.range(), "a property of the graph has no value")
        .help(value.text == "true" ? "`" + name->text + "` alone switches it on"
                                   : "delete `" + name->text + "`: a property that is not named is off");
    if (hasSign)
      consume();
    consume();
    return setting;
  }
  if (hasSign) {
    Token sign = consume();
    foreign(sign.range(), "a setting is followed by its value")
        .help("a setting is a name and its value: `" + name->text + " " + token().text + "`");
  }
  if (!token().startsLine && at(TokenKind::Identifier) && token().text != "on") {
    Token word = consume();
    setting.word = Name{word.text, word.range()};
    setting.valueRange = word.range();
  } else if (!token().startsLine && (at(TokenKind::Integer) || at(TokenKind::Float) || at(TokenKind::Minus))) {
    bool negative = consumeIf(TokenKind::Minus);
    Expr *number =
        at(TokenKind::Integer) || at(TokenKind::Float) ? exprs.parseNumber() : (unexpected("a number"), nullptr);
    if (!number)
      return std::nullopt;
    double value = static_cast<NumberExpr *>(number)->value;
    setting.value = negative ? -value : value;
    setting.valueRange = number->range;
  }
  if (!token().startsLine && at(TokenKind::Identifier) && token().text == "on") {
    consume();
    llvm::SmallVector<Name, 0> on;
    do {
      std::optional<Name> layer = parseName("a name");
      if (!layer)
        return std::nullopt;
      on.push_back(*layer);
    } while (consumeIf(TokenKind::Comma));
    setting.on = state.arena.copy<Name>(on);
  }
  return setting;
}
