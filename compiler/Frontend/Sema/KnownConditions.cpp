//===- KnownConditions.cpp - Conditions of the `if`s around ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions by their parts.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/KnownConditions.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

using namespace gnnc;
using namespace gnnc::ast;

/// The operand of a `not`, or null.
static const Expr *negated(const Expr &condition) {
  const auto *unary = llvm::dyn_cast<UnaryExpr>(&condition);
  return unary && unary->op == UnaryOp::Not ? unary->operand : nullptr;
}

/// An `and` or `or`, or null.
static const BinaryExpr *joined(const Expr &condition) {
  const auto *binary = llvm::dyn_cast<BinaryExpr>(&condition);
  return binary && (binary->op == BinaryOp::And || binary->op == BinaryOp::Or) ? binary : nullptr;
}

std::string gnnc::conditionText(const Expr &condition) {
  const auto *call = llvm::dyn_cast<CallExpr>(&condition);
  const auto *input = call && call->callee.text == "given" && call->args.size() == 1
                          ? llvm::dyn_cast<NameExpr>(call->args.front().value)
                          : nullptr;
  return input ? "given(" + input->name.text.str() + ")" : sourceText(condition.range);
}

void KnownConditions::add(const Frame *frame, const Expr &condition, bool value) {
  if (const Expr *operand = negated(condition))
    return add(frame, *operand, !value);
  const BinaryExpr *both = joined(condition);
  if (!both)
    return known.push_back({frame, conditionText(condition), value});
  if ((both->op == BinaryOp::And) != value)
    return; // one of the two, and not known which
  add(frame, *both->lhs, value);
  add(frame, *both->rhs, value);
}

bool KnownConditions::imply(const Frame *frame, const Expr &condition, bool value) const {
  if (const auto *truth = llvm::dyn_cast<TruthExpr>(&condition))
    return truth->value == value;
  if (const Expr *operand = negated(condition))
    return imply(frame, *operand, !value);
  if (const BinaryExpr *both = joined(condition)) {
    const bool lhs = imply(frame, *both->lhs, value), rhs = imply(frame, *both->rhs, value);
    return (both->op == BinaryOp::And) == value ? lhs && rhs : lhs || rhs;
  }
  return llvm::any_of(known, [&, text = conditionText(condition)](const Condition &other) {
    return other.frame == frame && other.value == value && other.text == text;
  });
}
