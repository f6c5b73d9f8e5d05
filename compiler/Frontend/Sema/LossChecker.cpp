//===- LossChecker.cpp - Losses ---------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `loss cross_entropy(logits, label)` and weighted sums of losses.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/LossChecker.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Sema/ArgumentChecker.h"
#include "compiler/Frontend/Sema/ExprChecker.h"
#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Casting.h"
#include <functional>

using namespace gnnc;
using namespace gnnc::ast;

/// The argument of a softmax, if value `id` is its result: exp(x - logsumexp(x)).
static std::optional<unsigned> ofSoftmax(const std::vector<Value> &values, unsigned id) {
  const Value &exp = values[id];
  const Value *difference = exp.kind == ValueKind::Exp ? &values[exp.operands.front()] : nullptr;
  if (!difference || difference->kind != ValueKind::Sub)
    return std::nullopt;
  const Value *spread = &values[difference->operands[1]];
  const Value &reduced = spread->kind == ValueKind::Broadcast ? values[spread->operands.front()] : *spread;
  bool isTotal = reduced.kind == ValueKind::Reduce && reduced.reduction == Reduction::LogSumExp &&
                 reduced.operands.front() == difference->operands.front();
  return isTotal ? std::optional(difference->operands.front()) : std::nullopt;
}

static bool isWithin(llvm::SMRange inner, llvm::SMRange outer) {
  return outer.Start.getPointer() <= inner.Start.getPointer() && inner.End.getPointer() <= outer.End.getPointer();
}

/// `cross_entropy` of a softmax and `binary_cross_entropy` of a sigmoid train, slowly and to something else.
void LossChecker::lintLoss(const CallExpr &call, const Operand &prediction) {
  bool ofClasses = call.callee.text == "cross_entropy";
  if (!ofClasses && call.callee.text != "binary_cross_entropy")
    return;
  unsigned id = prediction.id;
  bool isEntry = model.values[id].kind == ValueKind::Index || model.values[id].kind == ValueKind::Reshape;
  if (isEntry)
    id = model.values[id].operands.front();
  const Value &value = model.values[id];
  std::optional<unsigned> before = ofClasses                          ? ofSoftmax(model.values, id)
                                   : value.kind == ValueKind::Sigmoid ? std::optional(value.operands.front())
                                                                      : std::nullopt;
  if (!before)
    return;
  std::string function = ofClasses ? "softmax" : "sigmoid", label = sourceText(call.args[1].value->range);
  const auto *applied = llvm::dyn_cast<CallExpr>(call.args[0].value);
  const bool isInPlace = applied && applied->callee.text == function && applied->args.size() == 1;
  const llvm::SMRange source = isInPlace ? applied->args.front().value->range : model.values[*before].range;
  std::string logits = sourceText(source);
  bool isName = llvm::StringRef(logits).find_first_not_of(
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == llvm::StringRef::npos;
  const std::string &known = model.values[*before].name;
  if (!isName && !known.empty() && context.scope->find(known)) {
    logits = known;
    isName = true;
  }
  Diagnostic &twice = error(DiagnosticCode::W1002, prediction.range,
                            "`" + call.callee.text + "` takes logits, and applies `" + function + "` itself");
  twice.at("this is a `" + function + "` already").label(prediction.origin, "defined here");
  if (isName)
    twice.help("pass the logits to the loss: `" + call.callee.text + "(" + logits + ", " + label +
               ")`; the output may stay");
  else if (!context.body || !isWithin(source, context.body->range)) // in a layer or function
    twice.help("name the argument of `" + function + "` and pass that to the loss: `let logits = ...`, `" +
               call.callee.text + "(logits, " + label + ")`; the output may stay");
  else
    twice.help("name the logits, `let logits = " + logits + "`, and pass them to the loss: `" + call.callee.text +
               "(logits, " + label + ")`; the output may stay");
}

static std::optional<ValueKind> kindOfLoss(const Expr &expr) {
  const auto *call = llvm::dyn_cast<CallExpr>(&expr);
  return llvm::StringSwitch<std::optional<ValueKind>>(call ? call->callee.text : "")
      .Case("cross_entropy", ValueKind::CrossEntropy)
      .Case("binary_cross_entropy", ValueKind::BinaryCrossEntropy)
      .Case("mean_squared_error", ValueKind::MeanSquaredError)
      .Default(std::nullopt);
}

static bool hasLoss(const Expr &expr) {
  const auto *binary = llvm::dyn_cast<BinaryExpr>(&expr);
  return binary ? hasLoss(*binary->lhs) || hasLoss(*binary->rhs) : kindOfLoss(expr).has_value();
}

/// `loss cross_entropy(logits, label)`, `loss cross_entropy(logits, label) + 0.5 * mean_squared_error(size, y)`
void LossChecker::evalLoss(const Stmt &stmt) {
  if (stmt.value->kind == Expr::Kind::Error)
    return;
  if (model.loss >= 0) {
    error(DiagnosticCode::E0207, stmt.range, "a model has one loss")
        .at("a second one")
        .label(model.values[model.loss].range, "the first is here")
        .help("delete one of the two, or add them up in the first: `a + 0.5 * b`");
    return;
  }
  auto term = [&](const Expr &expr) -> Operand {
    const auto *call = llvm::dyn_cast<CallExpr>(&expr);
    const std::optional<ValueKind> ofTerm = kindOfLoss(expr);
    if (!ofTerm) {
      const std::string advice = call ? adviceOnFunction(call->callee.text) : "";
      error(DiagnosticCode::E0207, expr.range,
            "a loss is `cross_entropy`, `binary_cross_entropy` or `mean_squared_error`")
          .at("not a loss here")
          .help(advice.empty() ? "`loss cross_entropy(logits, label)`" : advice);
      return {};
    }
    std::optional<std::vector<Operand>> args = arguments.evalArgs(*call, 2, 2, "a prediction and a target");
    if (!args || !checkLossOperands(*call, (*args)[0], (*args)[1]))
      return {};
    lintLoss(*call, args->front());
    if (model.lossKind.empty())
      model.lossKind = call->callee.text.str();
    Value loss{
        *ofTerm, builder.type((*args)[0].id), {(*args)[0].id, (*args)[1].id}, call->callee.text.str(), expr.range};
    loss.type.shape.clear();
    return fieldOperand(builder.append(std::move(loss)), {}, (*args)[0].edges, expr.range);
  };
  auto factor = [&](const Expr &expr) -> Operand {
    Operand number = exprs.eval(expr);
    if (number.isError() || number.isNumber())
      return number;
    error(DiagnosticCode::E0207, expr.range, "terms of a loss are weighted by numbers that are known beforehand")
        .at("this is " + describeType(number))
        .help("what single vertices weigh is said by the training mask and `--class-weights`");
    return {};
  };
  std::function<Operand(const Expr &)> sum = [&](const Expr &expr) -> Operand {
    const auto *binary = llvm::dyn_cast<BinaryExpr>(&expr);
    const bool isSum = binary && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub);
    const bool isScaled = binary && ((binary->op == BinaryOp::Mul && hasLoss(*binary->lhs) != hasLoss(*binary->rhs)) ||
                                     (binary->op == BinaryOp::Div && !hasLoss(*binary->rhs)));
    if (!isSum && !isScaled)
      return term(expr);
    Operand a = isSum || hasLoss(*binary->lhs) ? sum(*binary->lhs) : factor(*binary->lhs);
    Operand b = isSum || hasLoss(*binary->rhs) ? sum(*binary->rhs) : factor(*binary->rhs);
    const ValueKind kind = binary->op == BinaryOp::Add   ? ValueKind::Add
                           : binary->op == BinaryOp::Sub ? ValueKind::Sub
                           : binary->op == BinaryOp::Mul ? ValueKind::Mul
                                                         : ValueKind::Div;
    return operators.arithmetic(kind, a, b, expr.range, spelling(binary->op));
  };
  const Operand loss = sum(*stmt.value);
  if (loss.isError())
    return;
  model.loss = int(loss.id);
  model.values[loss.id].name = "loss";
  model.values[loss.id].range = stmt.range;
}

bool LossChecker::checkLossOperands(const CallExpr &call, const Operand &prediction, const Operand &target) {
  bool ofEdges = context.body->isEdge;
  for (const Operand *side : {&prediction, &target})
    if (!side->isField() || kind(*side) != (ofEdges ? GraphKind::E : GraphKind::V)) {
      error(DiagnosticCode::E0207, side->range,
            llvm::Twine("a loss compares fields of ") + (ofEdges ? "edges" : "vertices"))
          .at(side->isField() && side->edges
                  ? ofEdges ? "this is a field of one end of the edges" : "this is a field of edges"
                  : "this is the same everywhere");
      return false;
    }
  bool ofClasses = call.callee.text == "cross_entropy";
  bool rightTarget = ofClasses ? isInteger(element(target)) && target.shape.empty()
                               : element(target) == element(prediction) && target.shape == prediction.shape;
  bool rightPrediction = isFloat(element(prediction)) && (!ofClasses || prediction.shape.size() == 1);
  if (rightTarget && rightPrediction)
    return true;
  const Operand &wrong = rightPrediction ? target : prediction;
  Diagnostic &mismatch =
      error(DiagnosticCode::E0207, wrong.range,
            ofClasses ? "`cross_entropy` takes logits `real[classes]` and a target `i32` or `i64`"
                      : "`" + call.callee.text.str() + "` takes a prediction and a target of the same type");
  mismatch.at("this is " + describeType(wrong))
      .label(rightPrediction ? prediction.range : target.range,
             "this is " + describeType(rightPrediction ? prediction : target))
      .label(wrong.origin, "defined here");
  adviseOnLoss(mismatch, call, prediction, target);
  return false;
}

/// How the two are made to fit.
void LossChecker::adviseOnLoss(Diagnostic &mismatch, const CallExpr &call, const Operand &prediction,
                               const Operand &target) {
  bool ofClasses = call.callee.text == "cross_entropy";
  std::string text = sourceText(prediction.range), label = sourceText(target.range);
  bool isTarget = model.values[target.id].kind == ValueKind::Target;
  std::string declare = isTarget ? "declare `target " + label + ": " : "make it `";
  if (!isFloat(element(prediction)) && isFloat(element(target))) {
    mismatch.help("the prediction stands first: `" + call.callee.text + "(" + label + ", " + text + ")`");
  } else if (ofClasses && prediction.shape.size() == 2) {
    std::string first = prediction.labels.empty() ? prediction.shape.front().str() : prediction.labels.front();
    mismatch.help("`mean<" + first + ">(" + text + ")` averages over `" + first + "`: one number for each class");
    mismatch.help("`flatten(" + text + ")` makes classes of all its numbers");
  } else if (ofClasses && prediction.shape.empty()) {
    mismatch.help("one number for each vertex has no classes: `binary_cross_entropy(" + text + ", " + label +
                  ")` is for two, with `target " + label + ": real`");
  } else if (ofClasses) {
    mismatch.help(declare + "i32`, the number of the class from 0 on" +
                  (target.shape.empty() ? "" : ", not one value for each class"));
  } else if (target.shape.empty() && prediction.shape == Shape{DimExpr(1)}) {
    mismatch.help("the only number of a field of shape [1] is `" + text + "[0]`");
    if (element(target) != element(prediction))
      mismatch.help(declare + spelling(element(prediction)).str() + "`");
  } else if (prediction.shape.size() == 1 && target.shape.empty() && isInteger(element(target))) {
    mismatch.help("of classes the loss is `cross_entropy(" + text + ", " + label + ")`");
  } else {
    mismatch.help(declare + describeType(prediction) + "`");
  }
}
