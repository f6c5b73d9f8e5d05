//===- DimChecker.cpp - Dimensions ------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimension expressions and shapes (law 6). Shapes are compared in the dimension names of the layer that is being read
// (`Frame`); `translate` gives those of the model.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/Support/Casting.h"

using namespace gnnc;
using namespace gnnc::ast;

/// Replaces the names that a `where` makes equal to others.
DimExpr DimChecker::canonical(DimExpr dim) {
  const auto &equalities = context.frame->equalities;
  auto lookup = [&](llvm::StringRef name) -> std::optional<DimExpr> {
    auto it = equalities.find(name);
    return it == equalities.end() ? std::nullopt : std::optional<DimExpr>(it->second);
  };
  return equalities.empty() ? dim : dim.substitute(lookup).value_or(dim);
}

/// dim = integer polynomial over the dimensions in scope, or one of two by a constant condition
std::optional<DimExpr> DimChecker::evalDim(const Expr &expr) {
  expansion.spend(1);
  if (expr.kind == Expr::Kind::Error)
    return std::nullopt;
  if (const auto *number = llvm::dyn_cast<NumberExpr>(&expr)) {
    if (number->integer)
      return DimExpr(*number->integer);
    error(DiagnosticCode::E0305, expr.range, "a dimension is an integer").at("not an integer");
    return std::nullopt;
  }
  if (const auto *name = llvm::dyn_cast<NameExpr>(&expr)) {
    Entity *entity = symbols.lookup(name->name);
    if (entity && entity->kind == Entity::Kind::Dim)
      return entity->dim;
    if (entity && entity->kind == Entity::Kind::Constant && entity->operand.isInteger)
      return DimExpr(static_cast<int64_t>(entity->operand.number));
    if (!entity) {
      symbols.unknownName(name->name);
      return std::nullopt;
    }
    Diagnostic &wrong = error(DiagnosticCode::E0305, expr.range, "`" + name->name.text + "` is not a dimension")
                            .at("expected a dimension")
                            .label(entity->range, "defined here");
    if (entity->isList)
      wrong.help("a list gives several arguments, as to `concat(f(x) over f in " + name->name.text + ")`");
    return std::nullopt;
  }
  if (const auto *call = llvm::dyn_cast<CallExpr>(&expr); call && call->callee.text == "length")
    return lengthOf(*call);
  if (const auto *choice = llvm::dyn_cast<IfExpr>(&expr)) {
    const std::optional<bool> holds = evaluator.evalCondition(*choice->condition, choice);
    return holds ? evalDim(*holds ? *choice->value : *choice->otherwise) : std::nullopt;
  }
  const auto *binary = llvm::dyn_cast<BinaryExpr>(&expr);
  const auto *unary = llvm::dyn_cast<UnaryExpr>(&expr);
  std::optional<DimExpr> result;
  if (unary && unary->op == UnaryOp::Negate) {
    std::optional<DimExpr> operand = evalDim(*unary->operand);
    if (!operand)
      return std::nullopt;
    result = operand->mul(DimExpr(-1));
  } else if (binary && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub || binary->op == BinaryOp::Mul)) {
    std::optional<DimExpr> lhs = evalDim(*binary->lhs), rhs = evalDim(*binary->rhs);
    if (!lhs || !rhs || expansion.outOfBudget(expr.range))
      return std::nullopt;
    expansion.spend(lhs->terms().size() * rhs->terms().size());
    result = binary->op == BinaryOp::Add   ? lhs->add(*rhs)
             : binary->op == BinaryOp::Sub ? lhs->sub(*rhs)
                                           : lhs->mul(*rhs);
  } else {
    error(DiagnosticCode::E0305, expr.range, "a dimension is a sum of products of dimensions and integers")
        .at("only `+`, `-` and `*` are allowed");
    return std::nullopt;
  }
  if (!result)
    error(DiagnosticCode::E0305, expr.range, "this dimension is too large").at("its polynomial overflows");
  return result;
}

/// `length(aggregators)`: how many functions a list has
std::optional<DimExpr> DimChecker::lengthOf(const CallExpr &call) {
  const bool isPlain = call.args.size() == 1 && !call.args.front().label && !call.receiver && call.dims.empty();
  const auto *name = isPlain ? llvm::dyn_cast<NameExpr>(call.args.front().value) : nullptr;
  const Entity *list = name ? symbols.lookup(name->name) : nullptr;
  if (list && list->kind == Entity::Kind::Function && list->isList)
    return DimExpr(static_cast<int64_t>(list->functions.size()));
  error(DiagnosticCode::E0104, call.range, "`length` takes a list of functions")
      .at("expected `length(aggregators)`")
      .help("such a list is a parameter `aggregators: aggregation[]` or `scalers: fn[]`");
  return std::nullopt;
}

std::optional<Shape> DimChecker::evalShape(const TypeExpr &type) {
  Shape shape;
  bool good = true;
  for (const Expr *expr : type.dims) {
    std::optional<DimExpr> dim = evalDim(*expr);
    good &= dim.has_value();
    if (!dim)
      continue;
    if (std::optional<int64_t> constant = dim->constant(); constant && *constant < 1) {
      error(DiagnosticCode::E0305, expr->range, "a dimension is at least 1").at("this is " + llvm::Twine(*constant));
      good = false;
    }
    shape.push_back(canonical(*dim));
  }
  return good ? std::optional<Shape>(shape) : std::nullopt;
}

std::optional<DimExpr> DimChecker::inModel(const DimExpr &dim, llvm::SMRange range) {
  DimExpr result = dim;
  for (const Frame *frame = context.frame; frame; frame = frame->caller) {
    auto lookup = [&](llvm::StringRef name) -> std::optional<DimExpr> {
      auto it = frame->dims.find(name);
      return it == frame->dims.end() ? std::nullopt : std::optional<DimExpr>(it->second);
    };
    expansion.spend(result.terms().size());
    std::optional<DimExpr> translated = result.substitute(lookup);
    if (!translated) {
      error(DiagnosticCode::E0305, range, "the dimension `" + dim.str() + "` is too large here");
      return std::nullopt;
    }
    result = *translated;
  }
  return result;
}

/// A dimension of the current frame in the dimensions of the model, with what -D fixes.
DimExpr DimChecker::translate(const DimExpr &dim, llvm::SMRange range) {
  const std::optional<DimExpr> result = inModel(dim, range);
  if (!result)
    return DimExpr(1);
  std::optional<int64_t> constant = result->constant();
  if (constant && *constant < 1)
    error(DiagnosticCode::E0305, range, "the dimension `" + dim.str() + "` is " + llvm::Twine(*constant) + " here")
        .at("a dimension is at least 1")
        .help("write at least 1 for `" + dim.str() + "`");
  return *result;
}

Shape DimChecker::translate(const Shape &shape, llvm::SMRange range) {
  Shape result;
  for (const DimExpr &dim : shape)
    result.push_back(translate(dim, range));
  return result;
}

/// A shape in the dimensions of `callee` in those of its caller.
Shape DimChecker::substitute(const Shape &shape, const Frame &callee) {
  auto lookup = [&](llvm::StringRef name) -> std::optional<DimExpr> {
    auto it = callee.dims.find(name);
    return it == callee.dims.end() ? std::nullopt : std::optional<DimExpr>(it->second);
  };
  Shape result;
  for (const DimExpr &dim : shape)
    result.push_back(canonical(dim.substitute(lookup).value_or(DimExpr(1)))); // translate() reports what overflows
  return result;
}
