//===- StatementChecker.h - Statements --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements of bodies and functions: `let`, assignments, `repeat`, outputs, parameters of vertices and states.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_STATEMENTCHECKER_H
#define GNNC_FRONTEND_SEMA_STATEMENTCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class ElementwiseChecker;
class EndEvaluator;
class ExprChecker;
class FieldChecker;
class InputChecker;
class LoopChecker;
class LossChecker;
class ParamChecker;
class SchemaChecker;
class SymbolTable;

/// Where a state gets its next value.
struct StateAssignment {
  unsigned state; // its index among the model's parameters
  llvm::SMRange range;
  std::vector<std::pair<const void *, llvm::SMRange>> calls; // that led there, outermost first
};

/// Evaluates statements in order.
class StatementChecker : Checker {
public:
  StatementChecker(SemaContext &sema, SymbolTable &symbols, ElementwiseChecker &elementwise, SchemaChecker &schema,
                   LoopChecker &loops, FieldChecker &fields, EndEvaluator &ends, ExprChecker &exprs,
                   InputChecker &inputs, LossChecker &losses, ParamChecker &params)
      : Checker(sema), diagnostics(sema.diagnostics), model(sema.model), context(sema.context),
        conditions(sema.conditions), symbols(symbols), elementwise(elementwise), schema(schema), loops(loops),
        fields(fields), ends(ends), exprs(exprs), inputs(inputs), losses(losses), params(params) {}

  std::optional<Operand> evalBlock(llvm::ArrayRef<ast::Stmt *> statements);

private:
  static constexpr int64_t maxRepeat = 4096;

  std::string placeOf(const ast::Stmt &stmt) const;
  void evalLet(const ast::Stmt &stmt);
  void evalAssign(const ast::Stmt &stmt);
  void evalRepeat(const ast::Stmt &stmt);
  std::optional<Operand> evalIf(const ast::Stmt &stmt);
  bool areComputations(llvm::ArrayRef<ast::Stmt *> block, llvm::StringRef around);
  void evalOutput(const ast::Stmt &stmt);
  bool allowed(const ast::Stmt &stmt);
  void evalVertexParameter(const ast::Stmt &stmt);
  void assignState(const ast::Stmt &stmt, const Entity &entity, const Operand &value);
  void stateAgain(const ast::Stmt &stmt, const StateAssignment &earlier);

  DiagnosticEngine &diagnostics;
  CheckedModel &model;
  EvalContext &context;
  KnownConditions &conditions;
  SymbolTable &symbols;
  ElementwiseChecker &elementwise;
  SchemaChecker &schema;
  LoopChecker &loops;
  FieldChecker &fields;
  EndEvaluator &ends;
  ExprChecker &exprs;
  InputChecker &inputs;
  LossChecker &losses;
  ParamChecker &params;

  std::vector<StateAssignment> stateAssignments;
  std::map<std::string, llvm::SMRange> outputRanges; // where each output is named
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_STATEMENTCHECKER_H
