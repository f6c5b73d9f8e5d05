//===- ScheduleChecker.h - Schedules ----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `schedule { tile 64 on conv1 }`: what a component asks for.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_SCHEDULECHECKER_H
#define GNNC_FRONTEND_SEMA_SCHEDULECHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class SymbolTable;

/// Checks schedules.
class ScheduleChecker : Checker {
public:
  ScheduleChecker(SemaContext &sema, SymbolTable &symbols)
      : Checker(sema), diagnostics(sema.diagnostics), model(sema.model), context(sema.context), root(sema.root),
        symbols(symbols) {}

  /// Requests the `schedule` of a component whose values are at `prefix`.
  void requestSchedule(const ast::ComponentDecl &component, llvm::StringRef prefix);

private:
  bool givesEdgeValues(llvm::StringRef subject) const;
  void checkScheduleFits(const ast::Setting &setting, const ScheduleRequest &request);

  DiagnosticEngine &diagnostics;
  CheckedModel &model;
  const EvalContext &context;
  const Frame &root;
  SymbolTable &symbols;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_SCHEDULECHECKER_H
