//===- Analysis.h - What the front end knows of a document ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of the front end over a document as it is in the editor: diagnostics, what names mean, types and
// declarations. Never changed afterwards: a change of the document makes a new analysis.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_ANALYSIS_H
#define GNNC_LANGUAGESERVER_ANALYSIS_H

#include "compiler/Frontend/Frontend.h"
#include "compiler/Frontend/SemanticIndex.h"
#include "compiler/LanguageServer/LineTable.h"
#include "compiler/LanguageServer/Symbols.h"
#include <memory>

namespace gnnc::lsp {

/// A range in some file.
struct Location {
  std::string path; // of the prelude: empty
  Range range;
};

/// Where a name is defined, in a form that is the same in all analyses.
struct Definition {
  std::string path;
  size_t offset = 0;

  bool operator==(const Definition &other) const { return path == other.path && offset == other.offset; }
};

class Analysis {
public:
  /// `openFiles`: the texts of other documents, which count instead of the files.
  Analysis(llvm::StringRef text, llvm::StringRef path, FrontendOptions options,
           std::map<std::string, std::string> openFiles);

  const DiagnosticEngine &diagnostics() const { return frontend->diagnostics(); }
  /// The document's declarations, in the order of the source, with their children.
  const std::vector<Symbol> &symbols() const { return fileSymbols; }
  /// The functions and layers that may be used in the document.
  const Declarations &declarations() const { return frontend->declared(); }
  const ast::File &file() const { return frontend->file(); }
  llvm::ArrayRef<ast::Name> imports() const { return frontend->file().imports; }
  bool dependsOn(llvm::StringRef path) const;
  /// The files that `import name` reads, after the first of them alphabetically.
  std::vector<std::string> filesOfImport(llvm::StringRef name) const;

  /// The names that `import` may use.
  std::vector<std::string> importable() const;

  /// The use of a name that `offset` is in or right behind.
  const SemanticIndex::Use *useAt(size_t offset) const;
  /// The fact about the name at `range`, or else about the expression that ends with it.
  const SemanticIndex::Fact *factOfName(llvm::SMRange range) const;
  /// The fact about the smallest expression around `offset`.
  const SemanticIndex::Fact *factAround(size_t offset) const;
  /// The declaration whose name is at `definition`, in any file.
  const Symbol *symbolAt(llvm::SMRange definition) const;
  /// All uses of a definition in the document, the definition itself among them, in order.
  std::vector<llvm::SMRange> usesOf(const Definition &definition) const;
  /// Names of the document that Sema has not looked at (as in functions that nothing calls) and that are spelled so.
  std::vector<llvm::SMRange> unresolved(llvm::StringRef name) const;

  llvm::StringRef text() const { return buffer; }
  size_t offset(Position position) const { return lines.offset(position); }
  /// The line and column numbers of a range in the document.
  Range range(llvm::SMRange range) const;
  bool isInDocument(llvm::SMRange range) const;
  Location location(llvm::SMRange range) const;
  Definition definition(llvm::SMRange range) const;

private:
  unsigned bufferOf(llvm::SMRange range) const { return frontend->sources().FindBufferContainingLoc(range.Start); }

  std::string path;
  SemanticIndex index;
  std::unique_ptr<Frontend> frontend;
  llvm::StringRef buffer; // the document's, in the front end
  LineTable lines;
  std::vector<Symbol> fileSymbols, otherSymbols;
  std::map<const char *, const Symbol *> byName; // by start of the name
};

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_ANALYSIS_H
