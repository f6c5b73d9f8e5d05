//===- Queries.cpp - Answers about a place in a document --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Queries.h"
#include "compiler/LanguageServer/BuiltinDocs.h"
#include "compiler/LanguageServer/SettingDocs.h"
#include "llvm/ADT/StringExtras.h"

using namespace gnnc;
using namespace gnnc::lsp;

/// `real[out], for every vertex, 1 hop`
static std::string describe(const SemanticIndex::Fact &fact) {
  std::string text = "`" + fact.type + "`";
  if (!fact.place.empty())
    text += ", " + fact.place;
  if (fact.hops > 0)
    text += ", " + std::to_string(fact.hops) + (fact.hops == 1 ? " hop" : " hops");
  return text;
}

static const ast::Name *importAt(const Analysis &analysis, size_t offset) {
  const char *position = analysis.text().data() + offset;
  for (const ast::Name &import : analysis.imports())
    if (position >= import.range.Start.getPointer() && position <= import.range.End.getPointer())
      return &import;
  return nullptr;
}

/// The declaration whose own name is at `offset`: declarations of files are not looked up by anybody.
static const Symbol *declarationAt(const Analysis &analysis, size_t offset) {
  const char *position = analysis.text().data() + offset;
  for (const Symbol &symbol : analysis.symbols())
    if (position >= symbol.nameRange.Start.getPointer() && position <= symbol.nameRange.End.getPointer())
      return &symbol;
  return nullptr;
}

/// The name of a function of the language that is called at `offset`; empty if none is.
static llvm::StringRef builtinAt(const Analysis &analysis, size_t offset) {
  llvm::StringRef text = analysis.text();
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  size_t begin = offset, line = text.take_front(offset).rfind('\n') + 1;
  while (begin > line && isWord(text[begin - 1]))
    --begin;
  llvm::StringRef name = text.drop_front(begin).take_while(isWord);
  llvm::StringRef rest = text.drop_front(begin + name.size());
  bool isCalled = rest.starts_with("(") || rest.starts_with("<");
  bool inComment = text.slice(line, begin).contains("//");
  return isCalled && !inComment && !builtinDoc(name).empty() ? name : llvm::StringRef();
}

std::optional<Hover> lsp::hover(const Analysis &analysis, size_t offset) {
  if (auto setting = settingAt(analysis, offset))
    return Hover{setting->second, analysis.range(setting->first)};
  const SemanticIndex::Use *use = analysis.useAt(offset);
  const Symbol *symbol = use ? analysis.symbolAt(use->definition) : declarationAt(analysis, offset);
  const SemanticIndex::Fact *fact = use ? analysis.factOfName(use->range) : nullptr;
  if (use && !fact && analysis.isInDocument(use->definition))
    fact = analysis.factOfName(use->definition);
  if (!symbol && !fact)
    fact = analysis.factAround(offset);
  llvm::StringRef builtin = use ? "" : builtinAt(analysis, offset);
  if (!symbol && !fact && builtin.empty())
    return std::nullopt;
  std::string text;
  if (symbol)
    text = "```gnn\n" + symbol->text + "\n```";
  else if (!builtin.empty())
    text = "```gnn\n" + builtinUsage(builtin).str() + "\n```";
  bool saysMore = fact && !(fact->place.empty() && symbol);
  if (saysMore)
    text += (text.empty() ? "" : "\n\n") + describe(*fact);
  if (symbol && !symbol->doc.empty())
    text += "\n\n" + symbol->doc;
  else if (!builtin.empty())
    text += "\n\n" + builtinDoc(builtin).str();
  if (!builtin.empty() && !symbol) {
    llvm::SMLoc begin = llvm::SMLoc::getFromPointer(builtin.begin()), end = llvm::SMLoc::getFromPointer(builtin.end());
    return Hover{text, analysis.range({begin, end})};
  }
  return Hover{text, analysis.range(use ? use->range : symbol ? symbol->nameRange : fact->range)};
}

std::vector<Location> lsp::definitions(const Analysis &analysis, size_t offset) {
  std::vector<Location> locations;
  if (const ast::Name *import = importAt(analysis, offset)) {
    for (const std::string &file : analysis.filesOfImport(import->text))
      locations.push_back({file, {}});
  } else if (const SemanticIndex::Use *use = analysis.useAt(offset)) {
    locations.push_back(analysis.location(use->definition));
  } else if (const Symbol *symbol = declarationAt(analysis, offset)) {
    locations.push_back(analysis.location(symbol->nameRange));
  }
  return locations;
}

static llvm::StringRef spelling(GraphKind kind) {
  switch (kind) {
  case GraphKind::P:
    return "whole graph";
  case GraphKind::V:
    return "per vertex";
  case GraphKind::S:
    return "per source";
  case GraphKind::D:
    return "per destination";
  case GraphKind::E:
    return "per edge";
  }
  return "";
}

static void addHints(const Analysis &analysis, const Symbol &symbol, const char *begin, const char *end,
                     std::vector<InlayHint> &hints) {
  const char *place = symbol.nameRange.End.getPointer();
  const SemanticIndex::Fact *fact = symbol.isComputed ? analysis.factOfName(symbol.nameRange) : nullptr;
  if (fact && place >= begin && place <= end)
    hints.push_back({analysis.range(symbol.nameRange).end,
                     ": " + fact->type + (fact->kind ? " " + spelling(*fact->kind).str() : "")});
  for (const Symbol &child : symbol.children)
    addHints(analysis, child, begin, end, hints);
}

std::vector<InlayHint> lsp::inlayHints(const Analysis &analysis, size_t begin, size_t end) {
  std::vector<InlayHint> hints;
  const char *text = analysis.text().data();
  for (const Symbol &symbol : analysis.symbols())
    addHints(analysis, symbol, text + begin, text + end, hints);
  return hints;
}
