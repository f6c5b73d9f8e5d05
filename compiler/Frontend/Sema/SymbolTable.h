//===- SymbolTable.h - What names mean --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares names and finds what they stand for (law 1), tells editors, and keeps which names are read.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SYMBOLTABLE_H
#define GNNC_FRONTEND_SEMA_SYMBOLTABLE_H

#include "compiler/Frontend/Sema/BranchCoverage.h"
#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

/// The names of the component that is checked. A name is looked up from the place of evaluation outwards.
class SymbolTable : Checker {
public:
  explicit SymbolTable(SemaContext &sema)
      : Checker(sema), declarations(sema.declarations), options(sema.options), model(sema.model), context(sema.context),
        root(sema.root), relationInfo(sema.relationInfo),
        uses(sema.options.branches ? sema.options.branches->names : ownUses) {}

  void checkBinders(const ast::BodyDecl &body);
  bool declare(const ast::Name &name, Entity entity);
  void declareField(const ast::Name &name, Operand operand, bool assignable, Operand otherEnd = {});
  Operand unknownName(const ast::Name &name);
  bool mayBeLost(llvm::StringRef name) const;
  /// The meaning of a name in the source: `Scope::find`, and a note of it.
  Entity *lookup(const ast::Name &name);
  void noteUse(const ast::Name &name, llvm::SMRange definition);
  /// Where a name is mentioned without being read: its own definition, settings.
  void noteMention(const ast::Name &name, llvm::SMRange definition);
  void noteFact(llvm::SMRange range, const Operand &operand);
  void nameValue(const Operand &operand, llvm::StringRef name);
  /// Notes a `repeat` of 0 iterations: names that are read in it look unused.
  void noteSkippedRepeat() { uses.skipsRepeat = true; }
  bool skipsRepeat() const { return uses.skipsRepeat; }
  /// Whether the name was come to and nothing reads it.
  bool isUnused(const ast::Name &name) const;
  /// Keeps the names of a block that ends, for messages.
  void forget(const Scope &block);

private:
  void noteDefinition(const ast::Name &name, const Entity &entity);
  std::vector<std::string> visibleNames() const;

  const Declarations &declarations;
  const SemaOptions &options;
  CheckedModel &model;
  const EvalContext &context;
  const Frame &root;
  const std::vector<RelationInfo> &relationInfo;

  llvm::StringMap<llvm::SMRange> goneNames; // of blocks of `repeat`, which have ended
  NameUses ownUses;
  NameUses &uses; // of all runs over the component
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SYMBOLTABLE_H
