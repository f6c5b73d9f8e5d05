//===- Workspace.cpp - The open documents -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Workspace.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/Sema/Wording.h"

using namespace gnnc;
using namespace gnnc::lsp;

bool lsp::isName(llvm::StringRef name) {
  std::string text = name.str();
  DiagnosticEngine diagnostics;
  Token token = Lexer(text, diagnostics).next();
  return token.is(TokenKind::Identifier) && token.text.size() == text.size();
}

std::unique_ptr<Analysis> Workspace::analyse(const std::string &path, const std::string &text) const {
  std::map<std::string, std::string> others;
  for (const auto &[other, document] : documents)
    if (other != path)
      others[other] = document.text;
  return std::make_unique<Analysis>(text, path, options, std::move(others));
}

std::vector<const Document *> Workspace::update(const std::string &path, std::string text, int64_t version) {
  Document &document = documents[path];
  document.path = path;
  document.text = std::move(text);
  document.version = version;
  document.analysis = analyse(path, document.text);
  std::vector<const Document *> changed = analyseDependents(path);
  changed.insert(changed.begin(), &document);
  return changed;
}

std::vector<const Document *> Workspace::close(const std::string &path) {
  documents.erase(path);
  return analyseDependents(path);
}

std::vector<const Document *> Workspace::analyseDependents(const std::string &path) {
  std::vector<const Document *> changed;
  for (auto &[other, document] : documents) {
    if (other == path || !document.analysis->dependsOn(path))
      continue;
    document.analysis = analyse(other, document.text);
    changed.push_back(&document);
  }
  return changed;
}

const Document *Workspace::find(const std::string &path) const {
  auto it = documents.find(path);
  return it == documents.end() ? nullptr : &it->second;
}

static llvm::SMRange definitionAt(const Analysis &analysis, size_t offset) {
  if (const SemanticIndex::Use *use = analysis.useAt(offset))
    return use->definition;
  const char *position = analysis.text().data() + offset;
  for (const Symbol &symbol : analysis.symbols())
    if (position >= symbol.nameRange.Start.getPointer() && position <= symbol.nameRange.End.getPointer())
      return symbol.nameRange;
  return {};
}

std::map<std::string, std::vector<Range>> Workspace::uses(const Document &document, size_t offset) const {
  std::map<std::string, std::vector<Range>> result;
  llvm::SMRange place = definitionAt(*document.analysis, offset);
  if (!place.isValid())
    return result;
  Definition definition = document.analysis->definition(place);
  for (const auto &[path, other] : documents)
    for (llvm::SMRange use : other.analysis->usesOf(definition))
      result[path].push_back(other.analysis->range(use));
  return result;
}

static std::string withEdits(const Document &document, const std::vector<Edit> &edits) {
  std::string text = document.text;
  LineTable lines(document.text);
  for (size_t i = edits.size(); i-- > 0;) { // they are in the order of the text
    size_t begin = lines.offset(edits[i].range.start), end = lines.offset(edits[i].range.end);
    text.replace(begin, end - begin, edits[i].text);
  }
  return text;
}

Workspace::Renaming Workspace::rename(const Document &document, size_t offset, const std::string &name) const {
  Renaming result;
  auto refuse = [&](std::string why) {
    result.edits.clear();
    result.refusal = std::move(why);
    return result;
  };
  if (!isName(name))
    return refuse("`" + name + "` is no name");
  llvm::SMRange place = definitionAt(*document.analysis, offset);
  if (!place.isValid())
    return refuse("there is no name here that is known");
  std::string definedIn = document.analysis->definition(place).path;
  if (!find(definedIn))
    return refuse(definedIn == "<prelude>" ? "this is a function of the language"
                                           : "this is defined in " + definedIn + ", which is not open");
  std::string old = sourceText(place);
  for (const auto &[path, ranges] : uses(document, offset)) {
    const Document &other = *find(path);
    if (other.analysis->diagnostics().hasErrors())
      return refuse(path + " has errors: renaming needs to know what every name means");
    if (std::vector<llvm::SMRange> unknown = other.analysis->unresolved(old); !unknown.empty())
      return refuse("what `" + old + "` means in line " +
                    std::to_string(other.analysis->range(unknown.front()).start.line + 1) + " of " + path +
                    " is not known, because nothing uses that part");
    for (const Range &range : ranges)
      result.edits[path].push_back({range, name});
  }
  // Nothing may be wrong afterwards: a name that is taken is an error (law 1).
  Workspace renamed(options);
  for (const auto &[path, other] : documents) {
    auto edits = result.edits.find(path);
    renamed.update(path, edits == result.edits.end() ? other.text : withEdits(other, edits->second), 0);
  }
  for (const auto &[path, edits] : result.edits) {
    const DiagnosticEngine &diagnostics = renamed.find(path)->analysis->diagnostics();
    if (diagnostics.hasErrors())
      return refuse("after renaming: " + diagnostics.diagnostics().front().message);
  }
  return result;
}
