//===- Expansion.h - Calls that are being expanded --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers and functions are inlined where they are called. An error in one shows the calls that led to it, and the size
// of the expansion has limits.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_EXPANSION_H
#define GNNC_FRONTEND_SEMA_EXPANSION_H

#include "compiler/Frontend/AST.h"
#include "compiler/Frontend/Diagnostics.h"
#include "compiler/Frontend/ModelBuilder.h"
#include "compiler/Frontend/Sema/BranchCoverage.h"
#include <algorithm>

namespace gnnc {

/// How much work the expansion of a whole program may still take; about one for each expression that is evaluated.
struct SemaBudget {
  size_t steps = 1'000'000;
  bool exhausted = false; // reported, unless
  bool isQuiet = false;   // the limit is that of checks whose model is thrown away
};

/// The calls of layers and functions that are being expanded, and how much of that the compiler takes on.
class Expansion {
public:
  /// `branches`: of the component; may be null.
  Expansion(DiagnosticEngine &diagnostics, SemaBudget &budget, const ModelBuilder &builder, BranchCoverage *branches)
      : branches(branches), diagnostics(diagnostics), budget(budget), builder(builder) {}

  Diagnostic &error(DiagnosticCode code, llvm::SMRange range, const llvm::Twine &message);
  bool outOfBudget(llvm::SMRange range);
  bool tooDeep(llvm::SMRange range);
  void spend(size_t steps) { budget.steps -= std::min(budget.steps, steps); }
  bool enter(const ast::Name &callee, const void *decl);
  /// The same of what cannot contain itself.
  bool descend(const ast::Name &callee, const void *decl);
  /// True if the run has taken a side of an `if` that its condition excludes. Values of constants are made up then.
  bool isHypothetical() const { return branches && branches->isHypothetical(); }

  BranchCoverage *const branches; // sides of `if` that are checked; null: those that conditions take

  std::vector<std::pair<const void *, llvm::SMRange>>
      callStack;          // declarations being expanded and where they are called
  unsigned evalDepth = 0; // nesting of the expressions that are being evaluated, across calls

private:
  static constexpr unsigned maxCallDepth = 48;
  static constexpr unsigned maxEvalDepth = 300; // nesting of expressions across calls: evaluation is recursive
  static constexpr unsigned maxErrors = 200;    // then the rest is not looked at

  DiagnosticEngine &diagnostics;
  SemaBudget &budget;
  const ModelBuilder &builder;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_EXPANSION_H
