//===- Frontend.h - From .gnn files to a checked model ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end's interface for drivers and tools: load a program, check it, get its model and what was said about it.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_FRONTEND_H
#define GNNC_FRONTEND_FRONTEND_H

#include "compiler/Frontend/AST.h"
#include "compiler/Frontend/CheckedModel.h"
#include "compiler/Frontend/Declarations.h"
#include "compiler/Frontend/Diagnostics.h"

namespace gnnc {

struct SemaBudget;
struct SemaOptions;
class SemanticIndex;

struct FrontendOptions {
  std::vector<std::pair<std::string, std::string>>
      defines;                          // -D name=value, for parameters of what is compiled; the last one counts
  std::vector<std::string> importPaths; // searched after the importing file's own folder
  std::string stdlibPath;               // the folder that holds `nn`; searched last; may be empty
  std::string model;                    // which model of the file; empty: the last one
  std::string layer;                    // compile this layer alone instead, as a model with the output `out`
  std::vector<std::string> given;       // inputs that it has then, of those that a call may leave out
  bool warnsOfUnused = true;            // names that nothing reads
  unsigned errorLimit = 20;             // errors past it are only counted; 0: none are
  std::map<std::string, std::string> openFiles; // by path: texts that count instead of the files, as editors have them
  SemanticIndex *index = nullptr;               // filled by `check`
};

/// One compilation. Source ranges in models, trees and diagnostics point into its buffers: it must outlive them.
class Frontend {
public:
  explicit Frontend(FrontendOptions options);

  /// Loads the main file and what it imports; `-` is the standard input. Returns whether it could be read and parsed;
  /// diagnostics say why not.
  bool loadFile(llvm::StringRef path);
  /// The same from memory. `name` is what diagnostics call it; imports are looked for in its folder.
  bool loadBuffer(llvm::StringRef text, llvm::StringRef name);
  /// Loads another main file in place of the previous one, whose diagnostics are dropped. Imports that were read are
  /// kept. The previous file must declare models only: its layers and functions would stay declared.
  bool reloadBuffer(llvm::StringRef text, llvm::StringRef name);

  /// Checks all layers and models of the main file and returns the chosen one; none if there was any error. After a
  /// file with syntax errors it still finds the errors of the parts that have none. A file of layers and functions only
  /// is in order, and gives no model: with `needsModel`, that is an error.
  std::optional<CheckedModel> check(bool needsModel = true);

  /// Both forms of the first input of `model`, which `check` gave, that nothing reads elementwise; none if there is no
  /// such input, or none so wide that nonzeros can pay.
  std::optional<InputForms> inputForms(const CheckedModel &model);

  /// Prints the main file's syntax tree.
  void printAST(llvm::raw_ostream &os) const { mainFile.print(os); }

  /// The main file's tree, and where its text starts (invalid if it could not be read).
  const ast::File &file() const { return mainFile; }
  llvm::SMLoc mainStart() const { return mainBegin; }
  /// The declarations of all files that were read.
  const Declarations &declared() const { return declarations; }

  const DiagnosticEngine &diagnostics() const { return engine; }
  const llvm::SourceMgr &sources() const { return sourceMgr; }
  void renderDiagnostics(llvm::raw_ostream &os, DiagnosticFormat format, bool colour = false) const {
    render(engine, sourceMgr, os, format, colour);
  }
  /// The names that `import` in a file of `folder` may use, sorted.
  std::vector<std::string> importable(llvm::StringRef folder) const;

  /// Every file that was read, in order: the dependencies of the result.
  const std::vector<std::string> &files() const { return readFiles; }

private:
  static constexpr size_t maxFileSize = 16 << 20;
  static constexpr size_t maxFiles = 256;
  static constexpr int64_t leastSparseWidth = 64;

  std::optional<llvm::StringRef> readFile(llvm::StringRef path, llvm::SMRange importedAt);
  llvm::StringRef addBuffer(llvm::StringRef text, llvm::StringRef name);
  bool loadMain(llvm::StringRef text, llvm::StringRef folder);
  void declare(const ast::File &file);
  bool taken(const ast::Name &name);
  void resolveImports(const ast::File &file, llvm::StringRef folder);
  std::vector<std::string> importPlaces(llvm::StringRef folder) const;
  std::vector<std::string> findImport(const ast::Name &import, llvm::StringRef folder);
  const ast::ComponentDecl *choose();
  CheckedModel checkSides(const ast::ComponentDecl &component, SemaOptions sema, SemaBudget &budget);
  std::optional<CheckedModel> checkInForm(const ast::ComponentDecl &component, const std::string &input, bool isSparse);
  void noteLibrary();

  FrontendOptions options;
  llvm::SourceMgr sourceMgr;
  DiagnosticEngine engine;
  ast::Arena arena;
  Declarations declarations;
  ast::File mainFile;
  llvm::SMLoc mainBegin;
  std::vector<std::string> readFiles;
};

/// The page of a code such as `E0311`, in Markdown; for `gnnc explain`.
std::optional<llvm::StringRef> explanation(llvm::StringRef code);

} // namespace gnnc

#endif // GNNC_FRONTEND_FRONTEND_H
