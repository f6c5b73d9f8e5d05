//===- UnusedNames.cpp - Names that nothing reads ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings of names that a component defines and nothing in it reads.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/UnusedNames.h"
#include "compiler/Frontend/Sema/SymbolTable.h"

using namespace gnnc;
using namespace gnnc::ast;

/// Not of what was not come to, and not of a program with errors: what reads the name may be in what is wrong.
void UnusedNames::lintUnused(const ComponentDecl &component) {
  bool isSeenWhole = !symbols.skipsRepeat() && (!options.branches || options.branches->isComplete());
  if (!options.warnsOfUnused || diagnostics.hasErrors() || !isSeenWhole)
    return;
  for (const ComponentParam &param : component.params)
    lintUnused(param.name, "parameter", /*isBound=*/component.isModel);
  for (const WeightDecl &weight : component.weights)
    lintUnused(weight.name, weight.isState ? "state" : "parameter");
  for (const InstanceDecl &instance : component.instances)
    lintUnused(instance.name, "layer");
  for (const BodyDecl &body : component.bodies) {
    for (const FormalDecl &formal : body.formals)
      lintUnused(formal.name, "input");
    lintStatements(body.statements);
  }
}

void UnusedNames::lintStatements(llvm::ArrayRef<Stmt *> statements) {
  for (const Stmt *stmt : statements) {
    lintStatements(stmt->body);
    lintStatements(stmt->otherwise);
    if (stmt->kind == Stmt::Kind::Let)
      lintUnused(stmt->name, "`let`");
    else if (stmt->kind == Stmt::Kind::Input)
      lintUnused(stmt->name, "input", /*isBound=*/true);
    else if (stmt->kind == Stmt::Kind::Weight)
      lintUnused(stmt->name, "parameter");
  }
}

/// `isBound`: the name binds an input to the data, or a dimension to -D. Then renaming it is no remedy.
void UnusedNames::lintUnused(const Name &name, llvm::StringRef what, bool isBound) {
  if (!symbols.isUnused(name) || name.text.starts_with("_"))
    return;
  Diagnostic &unused = error(DiagnosticCode::W1003, name.range, "the " + what + " `" + name.text + "` is never used");
  unused.at("nothing reads it");
  unused.help(what == "`let`"
                  ? "`output " + name.text + " = ...` gives it out; else delete it, or call it `_" + name.text + "`"
              : what == "layer" ? "apply it, `" + name.text + "(h)`, or delete it"
              : isBound         ? "delete it"
                                : "delete it, or call it `_" + name.text + "`");
}
