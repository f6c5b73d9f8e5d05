//===- ExprChecker.cpp - Expressions ----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of an expression by its kind; names, fields and operators.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/ExprChecker.h"
#include "compiler/Frontend/Sema/CallChecker.h"
#include "compiler/Frontend/Sema/ComprehensionChecker.h"
#include "compiler/Frontend/Sema/EdgeTypeChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/FieldChecker.h"
#include "compiler/Frontend/Sema/FunctionParams.h"
#include "compiler/Frontend/Sema/GraphValues.h"
#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Sema/ProductChecker.h"
#include "compiler/Frontend/Sema/SliceChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/Support/Casting.h"

using namespace gnnc;
using namespace gnnc::ast;

Operand ExprChecker::eval(const Expr &expr) {
  if (expansion.outOfBudget(expr.range))
    return {};
  expansion.spend(1);
  if (expansion.tooDeep(expr.range))
    return {};
  ++expansion.evalDepth;
  Operand result = dispatch(expr);
  --expansion.evalDepth;
  symbols.noteFact(expr.range, result);
  return result;
}

Operand ExprChecker::dispatch(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Error:
    return {};
  case Expr::Kind::Number: {
    const auto &number = llvm::cast<NumberExpr>(expr);
    return numberOperand(number.value, number.integer.has_value(), expr.range);
  }
  case Expr::Kind::Truth:
    return truthOperand(llvm::cast<TruthExpr>(expr).value, expr.range);
  case Expr::Kind::Name:
    return evalName(llvm::cast<NameExpr>(expr));
  case Expr::Kind::Member:
    return evalMember(llvm::cast<MemberExpr>(expr));
  case Expr::Kind::Call:
    return calls.evalCall(llvm::cast<CallExpr>(expr));
  case Expr::Kind::Unary:
    return evalUnary(llvm::cast<UnaryExpr>(expr));
  case Expr::Kind::Binary:
    return evalBinary(llvm::cast<BinaryExpr>(expr));
  case Expr::Kind::If: {
    const auto &choice = llvm::cast<IfExpr>(expr);
    std::optional<bool> holds = evalCondition(*choice.condition, &choice);
    if (!holds)
      return {};
    const size_t numKnown = conditions.size();
    conditions.add(context.frame, *choice.condition, *holds);
    Operand result = eval(*holds ? *choice.value : *choice.otherwise);
    conditions.shrink(numKnown);
    return result;
  }
  case Expr::Kind::Comprehension:
    return comprehensions.evalComprehension(llvm::cast<ComprehensionExpr>(expr));
  case Expr::Kind::Index:
    return edgeTypes.evalIndex(llvm::cast<IndexExpr>(expr));
  case Expr::Kind::Slice:
    return slices.evalSlice(llvm::cast<SliceExpr>(expr));
  case Expr::Kind::List:
    error(DiagnosticCode::E0107, expr.range, "a list of functions is no value")
        .at("not a value")
        .help("`concat(a, b)` joins values along their last dimension")
        .help("lists are given to layers that take one: `aggregators: aggregation[]`, `scalers: fn[]`");
    return {};
  case Expr::Kind::Over:
    return edgeTypes.evalOver(llvm::cast<OverExpr>(expr));
  }
  return {};
}

/// The name that a condition is, or of which it is the `not`, if a parameter of the component is meant.
llvm::StringRef ExprChecker::parameterOf(const Expr &condition) const {
  const auto *negation = llvm::dyn_cast<UnaryExpr>(&condition);
  const auto *name = llvm::dyn_cast<NameExpr>(negation ? negation->operand : &condition);
  const Entity *entity = name ? context.scope->find(name->name.text) : nullptr;
  const bool isParameter = entity && llvm::any_of(root.component->params, [&](const ComponentParam &param) {
                             return param.name.range.Start == entity->range.Start;
                           });
  return isParameter ? name->name.text : llvm::StringRef();
}

std::optional<bool> ExprChecker::evalCondition(const Expr &condition, const void *node) {
  Operand operand = eval(condition);
  if (operand.isError())
    return std::nullopt;
  if (operand.isTruth()) {
    const bool isChecked = expansion.branches && context.frame == &root; // layers are checked by themselves
    if (!isChecked)
      return operand.truth;
    const llvm::StringRef parameter = parameterOf(condition);
    const bool isNegated = !parameter.empty() && llvm::isa<UnaryExpr>(condition);
    return expansion.branches->choose(node, operand.truth != isNegated, parameter) != isNegated;
  }
  const bool isBool = element(operand) == ElementKind::Bool;
  Diagnostic &wrong = error(isBool ? DiagnosticCode::E0209 : DiagnosticCode::E0205, condition.range,
                            isBool ? "the condition of `if` is a constant"
                                   : "the condition of `if` is bool, not " + describeType(operand));
  wrong.at(isBool ? "known only at run time" : "this is " + describeType(operand));
  if (isBool)
    wrong.help("`select(condition, a, b)` is `a` where the condition holds, else `b`")
        .help("a constant is a `bool` parameter, a comparison of `int` and `real` parameters and numbers, or these "
              "joined by `and`, `or` and `not`");
  else if (operand.isNumber())
    wrong.help("compare it with something: `" + sourceText(condition.range) + " > 0`");
  return std::nullopt;
}

/// name = local of the innermost comprehension, else v's own field, an edge field, a parameter or a dimension (law 1)
Operand ExprChecker::evalName(const NameExpr &expr) {
  llvm::StringRef text = expr.name.text;
  for (const Comprehension *c = context.comprehension; c; c = c->outer) {
    bool isEdge = c->pattern->edge && c->pattern->edge->text == text;
    if (isEdge || c->pattern->source.text == text || c->pattern->target.text == text) {
      error(DiagnosticCode::E0107, expr.range,
            "`" + text + "` is " + (isEdge ? "an edge" : "a vertex") + ", not a value")
          .at("not a value")
          .help("read one of its fields: `" + text + ".name`" +
                (isEdge ? "" : "; `==` and `!=` compare both ends of the edge"));
      return {};
    }
  }
  if (context.body && !context.body->isEdge && context.body->vertex.text == text) {
    error(DiagnosticCode::E0107, expr.range, "`" + text + "` is a vertex, not a value")
        .at("not a value")
        .help("read one of its fields: `" + text + ".name` or just `name`");
    return {};
  }
  if (const TypeBinder *over = edgeTypes.typeBinder(expr)) {
    const TypeBinder *everyType = nullptr;
    if (std::optional<Operand> type = edgeTypes.evalIndexValue(expr, everyType))
      return *type;
    error(DiagnosticCode::E0107, expr.range, "`" + text + "` is every edge type at once, not a value")
        .at("not a value here")
        .label(over->name.range, "bound here")
        .help("it is an index: `W[" + text + "]`, `v.in_degree(" + text + ")`; or a condition: `e.type == " + text +
              "`");
    return {};
  }
  return fields.ownField(expr.name);
}

/// member = binder "." NAME
Operand ExprChecker::evalMember(const MemberExpr &expr) {
  if (const auto *chain = llvm::dyn_cast<MemberExpr>(expr.base)) {
    error(DiagnosticCode::E0403, expr.range, "`" + sourceText(expr.range) + "` reads a neighbour of a neighbour")
        .at("a vertex sees its own neighbours only")
        .help("let every vertex compute what it needs of its neighbours as a field of its own, and read that: `let m = "
              "sum(" +
              chain->member.text + "." + expr.member.text + " for " + chain->member.text + " -> v)`, then `" +
              sourceText(chain->base->range) + ".m`");
    return {};
  }
  const auto *base = llvm::dyn_cast<NameExpr>(expr.base);
  if (!base) {
    error(DiagnosticCode::E0107, expr.base->range, "only vertices and edges have fields")
        .at("this is a value")
        .help("give it a name with `let`; `u.name` is then that of a neighbour");
    return {};
  }
  Name member{expr.member.text, expr.range};
  FieldChecker::Place where = fields.place(*base, expr.member.text);
  switch (where.kind) {
  case FieldChecker::Place::Kind::Own:
    return fields.ownField(member);
  case FieldChecker::Place::Kind::Neighbour:
    return fields.neighbourField(member, where.end, expr.range);
  case FieldChecker::Place::Kind::Edge:
    return member.text == "type"       ? graph.edgeType(expr.range)
           : member.text == "is_added" ? graph.isAdded(expr.range)
                                       : fields.edgeField(member, expr.range);
  case FieldChecker::Place::Kind::Unknown:
    break;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Operand ExprChecker::evalUnary(const UnaryExpr &expr) {
  Operand operand = eval(*expr.operand);
  operand.range = expr.operand->range;
  if (operand.isError())
    return {};
  if (expr.op == UnaryOp::Not)
    return operators.logical(ValueKind::Not, operand, operand, expr.range);
  if (operand.isNumber())
    return numberOperand(-operand.number, operand.isInteger, expr.range);
  if (!operand.isSparse() && element(operand) == ElementKind::Bool) {
    error(DiagnosticCode::E0201, expr.range, "`-` needs a number, not bool")
        .at("this is bool")
        .help("`not` negates a bool");
    return {};
  }
  bool isSparse = operand.isSparse();
  Operand result =
      elementwise.apply(ValueKind::Neg, {operand}, isSparse ? Shape() : operand.shape, element(operand), expr.range);
  if (isSparse) {
    result.tag = Operand::Tag::Sparse;
    result.shape = operand.shape;
  }
  return result;
}

Operand ExprChecker::evalBinary(const BinaryExpr &expr) {
  if (std::optional<Operand> isSame = functions.comparison(expr))
    return *isSame;
  if (std::optional<Operand> loop = graph.loopCondition(expr))
    return *loop;
  // `a * b @ W` groups to the left; the other grouping is looked at to warn about it.
  const auto *left = llvm::dyn_cast<BinaryExpr>(expr.lhs);
  if (expr.op == BinaryOp::MatMul && left && !left->parenthesized &&
      (left->op == BinaryOp::Mul || left->op == BinaryOp::Div)) {
    Operand scale = eval(*left->lhs), product = eval(*left->rhs);
    ProductChecker::Weight weight = products.evalWeight(*expr.rhs);
    Operand result = products.matmul(expr,
                                     operators.arithmetic(left->op == BinaryOp::Mul ? ValueKind::Mul : ValueKind::Div,
                                                          scale, product, left->range, spelling(left->op)),
                                     weight);
    if (result.isField() && product.isField() && !weight.over)
      products.lintGrouping(expr, scale, product, weight.shape(), result.shape);
    return result;
  }
  Operand a = eval(*expr.lhs);
  if (expr.op == BinaryOp::MatMul)
    return products.matmul(expr, a, products.evalWeight(*expr.rhs));
  Operand b = eval(*expr.rhs);
  auto kindOf = [&](ValueKind first, BinaryOp firstOp) {
    return static_cast<ValueKind>(static_cast<int>(first) + static_cast<int>(expr.op) - static_cast<int>(firstOp));
  };
  switch (expr.op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mul:
  case BinaryOp::Div:
    return operators.arithmetic(kindOf(ValueKind::Add, BinaryOp::Add), a, b, expr.range, spelling(expr.op));
  case BinaryOp::Equal:
  case BinaryOp::NotEqual:
  case BinaryOp::Less:
  case BinaryOp::LessEqual:
  case BinaryOp::Greater:
  case BinaryOp::GreaterEqual:
    return operators.comparison(kindOf(ValueKind::Equal, BinaryOp::Equal), a, b, expr.range);
  case BinaryOp::And:
  case BinaryOp::Or:
    return operators.logical(expr.op == BinaryOp::And ? ValueKind::And : ValueKind::Or, a, b, expr.range);
  case BinaryOp::MatMul:
    break; // done above
  }
  return {};
}
