//===- Analysis.cpp - What the front end knows of a document ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Analysis.h"
#include "compiler/Frontend/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace gnnc;
using namespace gnnc::lsp;
namespace path = llvm::sys::path;

static std::unique_ptr<Frontend> runFrontend(llvm::StringRef text, llvm::StringRef path, FrontendOptions options,
                                             std::map<std::string, std::string> openFiles, SemanticIndex &index) {
  options.openFiles = std::move(openFiles);
  options.index = &index;
  auto frontend = std::make_unique<Frontend>(std::move(options));
  frontend->loadBuffer(text, path);
  frontend->check(/*needsModel=*/false);
  return frontend;
}

/// The text of the main file; empty if it was refused.
static llvm::StringRef mainText(const Frontend &frontend) {
  llvm::SMLoc start = frontend.mainStart();
  if (!start.isValid())
    return "";
  const llvm::SourceMgr &sources = frontend.sources();
  return sources.getMemoryBuffer(sources.FindBufferContainingLoc(start))->getBuffer();
}

Analysis::Analysis(llvm::StringRef text, llvm::StringRef path, FrontendOptions options,
                   std::map<std::string, std::string> openFiles)
    : path(path), frontend(runFrontend(text, path, std::move(options), std::move(openFiles), index)),
      buffer(mainText(*frontend)), lines(buffer) {
  auto add = [&](Symbol symbol) {
    (isInDocument(symbol.nameRange) ? fileSymbols : otherSymbols).push_back(std::move(symbol));
  };
  for (const ast::ComponentDecl *component : frontend->file().components)
    add(symbolOf(*component));
  for (const ast::FunctionDecl *function : frontend->file().functions)
    add(symbolOf(*function));
  for (const auto &entry : declarations().layers)
    if (!isInDocument(entry.getValue()->name.range))
      add(symbolOf(*entry.getValue()));
  for (const auto &entry : declarations().functions)
    if (!isInDocument(entry.getValue()->name.range))
      add(symbolOf(*entry.getValue()));
  llvm::sort(fileSymbols, [](const Symbol &a, const Symbol &b) {
    return a.nameRange.Start.getPointer() < b.nameRange.Start.getPointer();
  });
  auto note = [&](const Symbol &symbol, auto &self) -> void {
    byName[symbol.nameRange.Start.getPointer()] = &symbol;
    for (const Symbol &child : symbol.children)
      self(child, self);
  };
  for (const std::vector<Symbol> *symbols : {&fileSymbols, &otherSymbols})
    for (const Symbol &symbol : *symbols)
      note(symbol, note);
}

bool Analysis::dependsOn(llvm::StringRef file) const { return llvm::is_contained(frontend->files(), file); }

std::vector<std::string> Analysis::filesOfImport(llvm::StringRef name) const {
  std::vector<std::string> files;
  for (const std::string &file : frontend->files())
    if (path::stem(file) == name || path::filename(path::parent_path(file)) == name)
      files.push_back(file);
  return files;
}

std::vector<std::string> Analysis::importable() const {
  std::vector<std::string> names = frontend->importable(path::parent_path(path));
  llvm::erase(names, path::stem(path).str());
  return names;
}

//===----------------------------------------------------------------------===//
// Names and values
//===----------------------------------------------------------------------===//

const SemanticIndex::Use *Analysis::useAt(size_t offset) const {
  const char *position = buffer.data() + offset;
  auto it = index.uses.upper_bound(position);
  if (it == index.uses.begin())
    return nullptr;
  const SemanticIndex::Use &use = std::prev(it)->second;
  return isInDocument(use.range) && position <= use.range.End.getPointer() ? &use : nullptr;
}

const SemanticIndex::Fact *Analysis::factOfName(llvm::SMRange range) const {
  auto it = index.facts.find({range.Start.getPointer(), range.End.getPointer()});
  if (it != index.facts.end())
    return &it->second;
  // `u.h`: the fact is about the whole of it.
  const char *dot = range.Start.getPointer() - 1;
  if (dot <= buffer.begin() || dot >= buffer.end() || *dot != '.')
    return nullptr;
  auto binder = index.uses.lower_bound(dot);
  if (binder == index.uses.begin() || std::prev(binder)->second.range.End.getPointer() != dot)
    return nullptr;
  it = index.facts.find({std::prev(binder)->first, range.End.getPointer()});
  return it == index.facts.end() ? nullptr : &it->second;
}

const SemanticIndex::Fact *Analysis::factAround(size_t offset) const {
  const char *position = buffer.data() + offset;
  const SemanticIndex::Fact *best = nullptr;
  auto size = [](const SemanticIndex::Fact &fact) {
    return fact.range.End.getPointer() - fact.range.Start.getPointer();
  };
  for (auto it = index.facts.lower_bound({buffer.begin(), nullptr});
       it != index.facts.end() && it->first.first <= position; ++it)
    if (position <= it->first.second && (!best || size(it->second) <= size(*best)))
      best = &it->second;
  return best;
}

const Symbol *Analysis::symbolAt(llvm::SMRange definition) const {
  auto it = byName.find(definition.Start.getPointer());
  return it == byName.end() ? nullptr : it->second;
}

std::vector<llvm::SMRange> Analysis::usesOf(const Definition &wanted) const {
  std::vector<llvm::SMRange> ranges;
  for (auto it = index.uses.lower_bound(buffer.begin()); it != index.uses.end() && it->first < buffer.end(); ++it)
    if (definition(it->second.definition) == wanted)
      ranges.push_back(it->second.range);
  for (const Symbol &symbol : fileSymbols) // declarations of the file are not looked up
    if (definition(symbol.nameRange) == wanted && !index.uses.count(symbol.nameRange.Start.getPointer()))
      ranges.push_back(symbol.nameRange);
  llvm::sort(ranges, [](const llvm::SMRange &a, const llvm::SMRange &b) {
    return a.Start.getPointer() < b.Start.getPointer();
  });
  return ranges;
}

std::vector<llvm::SMRange> Analysis::unresolved(llvm::StringRef name) const {
  std::vector<llvm::SMRange> ranges;
  DiagnosticEngine ignored;
  Lexer lexer(buffer, ignored);
  for (Token token = lexer.next(); !token.is(TokenKind::End); token = lexer.next())
    if (token.is(TokenKind::Identifier) && token.text == name && !index.uses.count(token.text.begin()) &&
        !symbolAt(token.range()))
      ranges.push_back(token.range());
  return ranges;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

bool Analysis::isInDocument(llvm::SMRange range) const {
  const char *start = range.Start.getPointer();
  return range.isValid() && start >= buffer.begin() && start <= buffer.end();
}

Range Analysis::range(llvm::SMRange range) const {
  return {lines.position(range.Start.getPointer() - buffer.begin()),
          lines.position(range.End.getPointer() - buffer.begin())};
}

Definition Analysis::definition(llvm::SMRange range) const {
  if (isInDocument(range))
    return {path, static_cast<size_t>(range.Start.getPointer() - buffer.begin())};
  unsigned id = range.isValid() ? bufferOf(range) : 0;
  if (id == 0)
    return {};
  const llvm::MemoryBuffer *file = frontend->sources().getMemoryBuffer(id);
  return {file->getBufferIdentifier().str(), static_cast<size_t>(range.Start.getPointer() - file->getBufferStart())};
}

Location Analysis::location(llvm::SMRange place) const {
  if (isInDocument(place))
    return {path, range(place)};
  const llvm::MemoryBuffer *file = frontend->sources().getMemoryBuffer(bufferOf(place));
  LineTable table(file->getBuffer());
  std::string name = file->getBufferIdentifier().str();
  return {name == "<prelude>" ? "" : name,
          {table.position(place.Start.getPointer() - file->getBufferStart()),
           table.position(place.End.getPointer() - file->getBufferStart())}};
}
