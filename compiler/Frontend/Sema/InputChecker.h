//===- InputChecker.h - Inputs and targets ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs and targets of a model: `input x: real[in]`, `target label: i32`, sparse inputs.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_INPUTCHECKER_H
#define GNNC_FRONTEND_SEMA_INPUTCHECKER_H

#include "compiler/Frontend/Sema/SemaContext.h"

namespace gnnc {

class DimChecker;
class SchemaChecker;
class SymbolTable;

/// Declares inputs and targets.
class InputChecker : Checker {
public:
  InputChecker(SemaContext &sema, SymbolTable &symbols, DimChecker &dims, SchemaChecker &schema)
      : Checker(sema), options(sema.options), model(sema.model), context(sema.context), symbols(symbols), dims(dims),
        schema(schema) {}

  void evalInput(const ast::Stmt &stmt);
  Operand addInput(const ast::Name &name, const ast::TypeExpr &type, llvm::StringRef doc, bool isTarget, bool ofEdges);

private:
  Operand addSparseInput(const ast::Name &name, const ast::TypeExpr &type, Shape shape, llvm::StringRef doc);
  unsigned addNonzeros(const ast::Name &name, const ast::TypeExpr &type, const Shape &shape);

  const SemaOptions &options;
  CheckedModel &model;
  const EvalContext &context;
  SymbolTable &symbols;
  DimChecker &dims;
  SchemaChecker &schema;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_INPUTCHECKER_H
