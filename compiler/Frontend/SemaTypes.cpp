//===- SemaTypes.cpp - Edge types -------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `e.type`, indexing, degrees by type, and `over r in relations` (law 12). How many edge types a relation has is the
// dimension of what is indexed by them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

/// `max(... over r in relations)`: reduces the dimension that `over` ranges over
Operand Sema::overBuiltin(const CallExpr &call, const OverExpr &expr) {
  TypeBinder binder{expr.binder, {}, context.over};
  if (!edgeTypes.bindOver(expr, binder))
    return {};
  llvm::SaveAndRestore restore(context.over, static_cast<const TypeBinder *>(&binder));
  const auto *product = llvm::dyn_cast<BinaryExpr>(expr.body);
  const auto *row = product && product->op == BinaryOp::MatMul ? llvm::dyn_cast<IndexExpr>(product->rhs) : nullptr;
  Operand body;
  if (row && call.callee.text == "sum" && edgeTypes.typeBinder(*row->index) == &binder) {
    Operand a = eval(*product->lhs);
    a.range = product->lhs->range;
    ProductChecker::Weight weight = products.evalWeight(*product->rhs);
    bool isFlat = a.isField() && a.shape.size() == 2 && a.shape.front() == binder.dim && weight.over == &binder;
    if (isFlat) {
      Operand operands[] = {a, weight.table};
      bool fits = products.checkProduct(*product, a, weight) && elementwise.unifyElements(operands, call.range);
      return fits ? products.contractTypes(a, weight, call.range) : Operand();
    }
    body = products.matmul(*product, a, weight);
  } else {
    body = eval(*expr.body);
  }
  body.range = expr.body->range;
  if (!edgeTypes.checkOver(body, binder) ||
      !elementwise.requireFloat(body, call.range, "`" + call.callee.text.str() + "`"))
    return {};
  size_t position = llvm::find(body.shape, binder.dim) - body.shape.begin();
  return operators.reduceBy(call.callee.text, body, position, call.range);
}
