//===- UnusedNames.h - Names that nothing reads -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings of names that a component defines and nothing in it reads.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_UNUSEDNAMES_H
#define GNNC_FRONTEND_SEMA_UNUSEDNAMES_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class SymbolTable;

/// Warns of names that nothing reads.
class UnusedNames : Checker {
public:
  UnusedNames(SemaContext &sema, SymbolTable &symbols)
      : Checker(sema), diagnostics(sema.diagnostics), options(sema.options), symbols(symbols) {}

  void lintUnused(const ast::ComponentDecl &component);

private:
  void lintUnused(const ast::Name &name, llvm::StringRef what, bool isBound = false);
  void lintStatements(llvm::ArrayRef<ast::Stmt *> statements);

  DiagnosticEngine &diagnostics;
  const SemaOptions &options;
  SymbolTable &symbols;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_UNUSEDNAMES_H
