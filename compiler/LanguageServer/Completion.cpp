//===- Completion.cpp - What can be written here ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Completion.h"
#include "compiler/Formatter/Pieces.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/LanguageServer/Binders.h"
#include "compiler/LanguageServer/BuiltinDocs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gnnc;
using namespace gnnc::lsp;
using Item = CompletionItem;

namespace {

/// Where the cursor is, by the tokens before it.
struct Place {
  std::vector<Token> tokens;
  std::vector<TokenKind> blocks;   // the keywords that head the open braces, outermost first
  TokenKind item = TokenKind::End; // the keyword of the current item or statement
  size_t component = 0;            // the token that starts the current layer, model or function
  bool startsLine = false;

  TokenKind last(size_t distance = 1) const {
    return tokens.size() < distance ? TokenKind::End : tokens[tokens.size() - distance].kind;
  }
  bool isIn(TokenKind block) const { return llvm::is_contained(blocks, block); }
  /// True if the innermost open bracket is a `[`, where a colon belongs to a range.
  bool isInSubscript() const {
    unsigned closed = 0;
    for (const Token &token : llvm::reverse(tokens)) {
      if (token.is(TokenKind::RParen) || token.is(TokenKind::RBracket) || token.is(TokenKind::RBrace))
        ++closed;
      else if (token.is(TokenKind::LParen) || token.is(TokenKind::LBracket) || token.is(TokenKind::LBrace)) {
        if (closed == 0)
          return token.is(TokenKind::LBracket);
        --closed;
      }
    }
    return false;
  }
};

bool headsBlock(TokenKind kind) {
  switch (kind) {
  case TokenKind::kw_layer:
  case TokenKind::kw_model:
  case TokenKind::kw_fn:
  case TokenKind::kw_vertex:
  case TokenKind::kw_edge:
  case TokenKind::kw_graph:
  case TokenKind::kw_train:
  case TokenKind::kw_schedule:
  case TokenKind::kw_repeat:
    return true;
  default:
    return false;
  }
}

Place placeOf(const std::string &prefix) {
  Place place;
  DiagnosticEngine ignored;
  Lexer lexer(prefix, ignored);
  TokenKind head = TokenKind::End;
  unsigned parens = 0;
  for (Token token = lexer.next();; token = lexer.next()) {
    if (token.is(TokenKind::End)) {
      place.startsLine = token.startsLine;
      return place;
    }
    size_t position = place.tokens.size();
    place.tokens.push_back(token);
    parens += token.is(TokenKind::LParen);
    parens -= parens > 0 && token.is(TokenKind::RParen);
    if (startsItem(token.kind) && parens == 0)
      place.item = token.kind;
    if (headsBlock(token.kind) && parens == 0) {
      head = token.kind;
      if (place.blocks.empty())
        place.component = position;
    }
    if (token.is(TokenKind::LBrace)) {
      place.blocks.push_back(head);
      parens = 0;
    } else if (token.is(TokenKind::RBrace) && !place.blocks.empty()) {
      place.blocks.pop_back();
    }
  }
}

class Completer {
public:
  /// `behind`: the tokens behind the cursor.
  Completer(const Analysis &analysis, Place place, std::vector<Token> behind)
      : analysis(analysis), place(std::move(place)), behind(std::move(behind)) {}

  std::vector<Item> run() {
    find();
    llvm::sort(items, [](const Item &a, const Item &b) { return a.label < b.label; });
    items.erase(
        std::unique(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.label == b.label; }),
        items.end());
    return std::move(items);
  }

private:
  void find() {
    TokenKind last = place.last();
    if (last == TokenKind::Dot)
      return addFields();
    if (last == TokenKind::kw_import)
      return addImports();
    if (last == TokenKind::kw_loss)
      return addWords(Item::Kind::Function, {"cross_entropy", "binary_cross_entropy", "mean_squared_error"});
    TokenKind block = place.blocks.empty() ? TokenKind::End : place.blocks.back();
    if (block == TokenKind::kw_graph)
      return addSchema(last);
    if (last == TokenKind::Colon && !place.isInSubscript())
      return addTypes();
    if (last == TokenKind::Equal && place.item == TokenKind::kw_layer && place.last(3) == TokenKind::kw_layer)
      return addLayers();
    bool namesNew = last == TokenKind::kw_let || last == TokenKind::kw_layer || last == TokenKind::kw_model ||
                    last == TokenKind::kw_fn || last == TokenKind::kw_param || last == TokenKind::kw_state ||
                    last == TokenKind::kw_input || last == TokenKind::kw_target || last == TokenKind::kw_output ||
                    last == TokenKind::kw_vertex || last == TokenKind::kw_edge || last == TokenKind::kw_for;
    if (namesNew || last == TokenKind::Integer || last == TokenKind::Float)
      return;
    if (place.blocks.empty() && place.startsLine)
      return addWords(Item::Kind::Keyword, {"import", "layer", "model", "fn"});
    if (block == TokenKind::kw_train)
      return addSettings(last);
    if (block == TokenKind::kw_schedule)
      return addKnobs();
    bool startsItem = place.startsLine || last == TokenKind::LBrace || last == TokenKind::Semicolon;
    if (startsItem && (block == TokenKind::kw_layer || block == TokenKind::kw_model))
      return addWords(
          Item::Kind::Keyword,
          block == TokenKind::kw_model
              ? std::vector<llvm::StringRef>{"param", "state", "layer", "vertex", "edge", "graph", "train", "schedule"}
              : std::vector<llvm::StringRef>{"param", "state", "layer", "vertex", "edge", "graph", "schedule"});
    if (startsItem && !place.blocks.empty())
      addStatements();
    if (place.item == TokenKind::kw_param || place.item == TokenKind::kw_state)
      return addInitializers(last);
    if (place.item == TokenKind::kw_layer && (last == TokenKind::LParen || last == TokenKind::Comma))
      return addLayerParameters();
    addValues();
  }

  void add(llvm::StringRef label, Item::Kind kind, std::string detail = "", std::string doc = "") {
    items.push_back({label.str(), kind, std::move(detail), std::move(doc)});
  }
  void addWords(Item::Kind kind, llvm::ArrayRef<llvm::StringRef> words) {
    for (llvm::StringRef word : words)
      add(word, kind);
  }

  void addTypes() {
    bool ofComponent = place.blocks.empty() && place.item != TokenKind::kw_fn;
    if (ofComponent)
      return addWords(Item::Kind::Keyword, {"dim", "int", "real", "bool", "layer", "aggregation", "fn"});
    bool isPattern = place.item != TokenKind::kw_param && place.item != TokenKind::kw_state &&
                     place.item != TokenKind::kw_input && place.item != TokenKind::kw_target;
    if (isPattern && place.isIn(TokenKind::kw_model) && place.tokens.size() > 1)
      return addVertexTypes();
    addWords(Item::Kind::Keyword, {"real", "f32", "f64", "i32", "i64", "bool", "sparse"});
  }

  /// In `graph`.
  void addSchema(TokenKind last) {
    bool isAfterWord = last == TokenKind::Identifier && !place.startsLine;
    if (last == TokenKind::kw_edge || last == TokenKind::Arrow || (isAfterWord && place.tokens.back().text == "pairs"))
      return addVertexTypes();
    if (isAfterWord && place.tokens.back().text == "on")
      return addRelations();
    if (!place.startsLine && last != TokenKind::LBrace && last != TokenKind::Semicolon)
      return;
    if (place.tokens[place.component].is(TokenKind::kw_layer))
      return addWords(Item::Kind::Setting, {"one_loop", "no_loops"});
    addWords(Item::Kind::Keyword, {"vertex", "edge", "pairs"});
    addWords(Item::Kind::Setting, {"self_loops", "one_loop", "symmetric", "inverse_relations"});
  }

  /// Calls `found(name, the token before, whether it is in the list after `vertex`)` for what `graph` names.
  template <typename Found> void walkSchema(Found found) const {
    bool inGraph = false, inList = false;
    for (size_t i = place.component + 1; i < place.tokens.size(); ++i) {
      const Token &token = place.tokens[i];
      inGraph = token.is(TokenKind::kw_graph) || (inGraph && !token.is(TokenKind::RBrace));
      const Token &before = place.tokens[i - 1];
      bool isName = token.is(TokenKind::Identifier);
      bool goesOn = isName ? !before.is(TokenKind::Identifier) : token.is(TokenKind::Comma);
      inList = token.is(TokenKind::kw_vertex) || (inList && goesOn);
      if (inGraph && isName)
        found(token.text, before, inList);
    }
  }

  void addVertexTypes() {
    walkSchema([&](llvm::StringRef name, const Token &, bool inList) {
      if (inList)
        add(name, Item::Kind::Field, "vertex type");
    });
  }

  void addRelations() {
    walkSchema([&](llvm::StringRef name, const Token &before, bool) {
      if (before.is(TokenKind::Minus) || (before.is(TokenKind::Identifier) && before.text == "pairs"))
        add(name, Item::Kind::Field, "relation");
    });
  }

  void addSettings(TokenKind last) {
    bool wantsOptimizer = last == TokenKind::Identifier && place.tokens.back().text == "optimizer" && !place.startsLine;
    if (wantsOptimizer)
      return addWords(Item::Kind::Setting, {"sgd", "adam", "adamw"});
    addWords(Item::Kind::Setting, {"optimizer", "lr", "weight_decay", "epochs", "patience"});
    if (!place.startsLine)
      addNames();
  }

  void addKnobs() {
    for (const Knob &knob : knobs())
      add(knob.name, Item::Kind::Setting, knob.range(), knob.summary.str());
    if (!place.startsLine)
      addNames();
  }

  void addInitializers(TokenKind last) {
    if (last == TokenKind::Equal)
      return addWords(Item::Kind::Constant, {"zeros", "ones", "glorot_uniform", "glorot_normal", "kaiming_uniform",
                                             "uniform", "normal", "constant"});
    addNames(); // dimensions
  }

  void addStatements() {
    addWords(Item::Kind::Keyword, {"let", "repeat", "if"});
    if (place.isIn(TokenKind::kw_model))
      addWords(Item::Kind::Keyword, {"input", "target", "output", "loss"});
    else
      add("return", Item::Kind::Keyword);
  }

  void addLayers() {
    for (const auto &entry : analysis.declarations().layers)
      addDeclared(entry.getKey(), Item::Kind::Layer, entry.getValue()->name.range);
  }

  void addDeclared(llvm::StringRef name, Item::Kind kind, llvm::SMRange definition) {
    const Symbol *symbol = analysis.symbolAt(definition);
    add(name, kind, symbol ? symbol->text : "", symbol ? symbol->doc : "");
  }

  void addImports() {
    for (const std::string &name : analysis.importable())
      add(name, Item::Kind::Import);
  }

  /// In `layer conv = GATConv(in, out, `: the names of the parameters, and dimensions.
  void addLayerParameters() {
    addNames();
    size_t open = place.tokens.size();
    for (int parens = 1; open > 0 && parens > 0; --open)
      parens += place.tokens[open - 1].is(TokenKind::RParen) - place.tokens[open - 1].is(TokenKind::LParen);
    bool isInstance = open >= 4 && place.tokens[open - 4].is(TokenKind::kw_layer);
    auto layer = analysis.declarations().layers.find(isInstance ? place.tokens[open - 1].text : "");
    const Symbol *symbol =
        layer == analysis.declarations().layers.end() ? nullptr : analysis.symbolAt(layer->second->name.range);
    if (!symbol)
      return;
    for (const Symbol &parameter : symbol->children)
      if (parameter.kind == Symbol::Kind::Parameter)
        add(parameter.name + " = ", Item::Kind::Setting, parameter.text, parameter.doc);
  }

  /// Behind `u.`, `v.` or `e.`.
  void addFields() {
    if (place.last(2) != TokenKind::Identifier)
      return;
    Binders binders(llvm::ArrayRef<Token>(place.tokens).drop_front(place.component), behind);
    Binders::Choice choice = binders.choices(place.tokens[place.tokens.size() - 2].text);
    std::map<std::string, std::string> types = typesOfNames();
    for (llvm::StringRef field : choice.fields)
      add(field, Item::Kind::Field, types[field.str()]);
    if (choice.ofVertices)
      addWords(Item::Kind::Field, {"in_degree", "out_degree"});
    if (choice.ofEdges)
      add("type", Item::Kind::Field, "i32");
  }

  void addValues() {
    addNames();
    for (const std::string &name : builtinNames())
      add(name, Item::Kind::Function, builtinUsage(name).str(), builtinDoc(name).str());
    for (const auto &entry : analysis.declarations().functions)
      addDeclared(entry.getKey(), Item::Kind::Function, entry.getValue()->name.range);
    addWords(Item::Kind::Keyword, {"for", "if", "else", "and", "or", "not", "true", "false"});
    if (place.last() == TokenKind::Minus)
      addRelations();
  }

  /// Adds the names that the current layer, model or function declares before the cursor: identifiers after a keyword
  /// or before a colon.
  void addNames() {
    std::map<std::string, std::string> types = typesOfNames();
    unsigned numOpen = 0; // brackets `[`
    for (size_t i = place.component + 1; i < place.tokens.size(); ++i) {
      const Token &token = place.tokens[i];
      numOpen += token.is(TokenKind::LBracket);
      numOpen -= numOpen > 0 && token.is(TokenKind::RBracket);
      if (!token.is(TokenKind::Identifier))
        continue;
      TokenKind before = place.tokens[i - 1].kind;
      bool afterKeyword = before == TokenKind::kw_let || before == TokenKind::kw_layer ||
                          before == TokenKind::kw_param || before == TokenKind::kw_state ||
                          before == TokenKind::kw_input || before == TokenKind::kw_target ||
                          before == TokenKind::kw_output || before == TokenKind::kw_vertex ||
                          before == TokenKind::kw_edge || before == TokenKind::kw_for;
      bool beforeColon = numOpen == 0 && i + 1 < place.tokens.size() && place.tokens[i + 1].is(TokenKind::Colon);
      if ((afterKeyword && i > place.component + 1) || beforeColon)
        add(token.text, Item::Kind::Field, types[token.text.str()]);
    }
  }

  /// As the front end knows them, where it could read the component.
  std::map<std::string, std::string> typesOfNames() const {
    std::map<std::string, std::string> types;
    auto note = [&](const Symbol &symbol, auto &self) -> void {
      if (const SemanticIndex::Fact *fact = analysis.factOfName(symbol.nameRange))
        types[symbol.name] = fact->type;
      for (const Symbol &child : symbol.children)
        self(child, self);
    };
    bool hasName = place.component + 1 < place.tokens.size();
    for (const Symbol &symbol : analysis.symbols())
      if (hasName && symbol.name == place.tokens[place.component + 1].text)
        note(symbol, note);
    return types;
  }

  const Analysis &analysis;
  Place place;
  std::vector<Token> behind;
  std::vector<Item> items;
};

} // namespace

std::vector<CompletionItem> lsp::complete(const Analysis &analysis, size_t offset) {
  llvm::StringRef text = analysis.text();
  while (offset > 0 && (llvm::isAlnum(text[offset - 1]) || text[offset - 1] == '_'))
    --offset;
  llvm::StringRef line = text.take_front(offset);
  line = line.drop_front(line.rfind('\n') + 1);
  if (line.contains("//"))
    return {};
  std::string prefix = text.take_front(offset).str();
  std::vector<Token> behind;
  DiagnosticEngine ignored;
  Lexer lexer(text.drop_front(offset), ignored);
  for (Token token = lexer.next(); !token.is(TokenKind::End); token = lexer.next())
    behind.push_back(token);
  return Completer(analysis, placeOf(prefix), std::move(behind)).run();
}
