//===- Expansion.cpp - Calls that are being expanded ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors in expanded code, and limits of the expansion.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/Expansion.h"

using namespace gnnc;

/// Reports, and shows through which calls the place was reached. A place in a library is reported at the call outside
/// of libraries that led there.
Diagnostic &Expansion::error(DiagnosticCode code, llvm::SMRange range, const llvm::Twine &message) {
  constexpr size_t maxShown = 3;
  size_t numCalls = callStack.size();
  if (diagnostics.isInLibrary(range.Start))
    while (numCalls > 0 && diagnostics.isInLibrary(callStack[numCalls - 1].second.Start))
      --numCalls;
  const bool isAtCall = numCalls > 0 && diagnostics.isInLibrary(range.Start);
  Diagnostic &diagnostic = isAtCall ? diagnostics.reportAtCall(code, callStack[--numCalls].second, range, message)
                                    : diagnostics.report(code, range, message);
  size_t first = numCalls > maxShown ? numCalls - maxShown : 0;
  for (size_t i = numCalls; i-- > first;)
    diagnostic.label(callStack[i].second, "in this call");
  return diagnostic;
}

/// Whether the expansion has grown past what the compiler takes on; reports it the first time.
bool Expansion::outOfBudget(llvm::SMRange range) {
  if (budget.exhausted)
    return true;
  if (diagnostics.numErrors() > maxErrors)
    return budget.exhausted = true;
  const bool isLong = builder.hasLongChain();
  if (!isLong && !builder.isFull() && budget.steps != 0)
    return false;
  if (diagnostics.isMuted())
    return true; // reported by what comes after
  if (budget.isQuiet)
    return budget.exhausted = true;
  budget.exhausted = true;
  if (isLong) {
    error(DiagnosticCode::E0602, range, "too many operations follow one another")
        .at("the limit was reached here")
        .note("at most " + llvm::Twine(ModelBuilder::maxChain) +
              " operations in a row, between sums over edges, softmaxes, totals and matrix products; `repeat` is "
              "unrolled");
    return true;
  }
  error(DiagnosticCode::E0602, range, "the program is too large when layers and functions are inlined")
      .at("the limit was reached here")
      .note("a model has at most " + llvm::Twine(ModelBuilder::maxValues) + " values; `repeat` is unrolled");
  return true;
}

bool Expansion::tooDeep(llvm::SMRange range) {
  if (evalDepth < maxEvalDepth)
    return false;
  error(DiagnosticCode::E0005, range, "this nests more than " + llvm::Twine(maxEvalDepth) + " levels deep across calls")
      .at("the limit was reached here");
  return true;
}

/// Whether `decl` may be expanded here: not inside itself and not too deep.
bool Expansion::enter(const ast::Name &callee, const void *decl) {
  for (const auto &[active, call] : callStack)
    if (active == decl) {
      error(DiagnosticCode::E0106, callee.range, "`" + callee.text + "` uses itself")
          .at("recursion")
          .note("layers and functions are inlined, so none can contain itself");
      return false;
    }
  return descend(callee, decl);
}

bool Expansion::descend(const ast::Name &callee, const void *decl) {
  if (callStack.size() < maxCallDepth) {
    callStack.push_back({decl, callee.range});
    return true;
  }
  error(DiagnosticCode::E0602, callee.range, "calls nest more than " + llvm::Twine(maxCallDepth) + " deep")
      .at("the limit was reached here");
  return false;
}
