//===- Workspace.h - The open documents -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The documents that the editor has open, each with its analysis, and what concerns several of them: imports of unsaved
// texts, uses, renaming.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_WORKSPACE_H
#define GNNC_LANGUAGESERVER_WORKSPACE_H

#include "compiler/LanguageServer/Analysis.h"

namespace gnnc::lsp {

struct Document {
  std::string path;
  std::string text;
  int64_t version = 0;
  std::unique_ptr<Analysis> analysis; // of `text`
};

struct Edit {
  Range range;
  std::string text;
};

class Workspace {
public:
  explicit Workspace(FrontendOptions options) : options(std::move(options)) {}

  /// Opens a document or replaces its text. Returns the documents whose analysis is new: this one and those that import
  /// it.
  std::vector<const Document *> update(const std::string &path, std::string text, int64_t version);
  /// Returns the documents that import it, which now see the file.
  std::vector<const Document *> close(const std::string &path);
  const Document *find(const std::string &path) const;

  /// All uses of what the name at `offset` means, in all open documents, by path.
  std::map<std::string, std::vector<Range>> uses(const Document &document, size_t offset) const;

  struct Renaming {
    std::map<std::string, std::vector<Edit>> edits; // by path
    std::string refusal;                            // why not; empty: the edits are good
  };
  /// The edits that give the name at `offset` another spelling. Refused if they might change what a program means: the
  /// documents must have no errors before and after.
  Renaming rename(const Document &document, size_t offset, const std::string &name) const;

private:
  std::vector<const Document *> analyseDependents(const std::string &path);
  std::unique_ptr<Analysis> analyse(const std::string &path, const std::string &text) const;

  FrontendOptions options;
  std::map<std::string, Document> documents; // by path
};

/// Whether `name` may name something.
bool isName(llvm::StringRef name);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_WORKSPACE_H
