//===- SemaLints.cpp - Warnings ---------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is allowed and hardly meant: a loss of what was normalised already, and names that nothing reads.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/Sema.h"

using namespace gnnc;
using namespace gnnc::ast;

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// What `softmax<d>` was applied to, if `value` is its result: it is exp(x - logsumexp(x)).
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

/// `cross_entropy` of a softmax and `binary_cross_entropy` of a sigmoid train, slowly and to something else.
void Sema::lintLoss(const CallExpr &call, const Operand &prediction) {
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
  std::string logits = sourceText(isInPlace ? applied->args.front().value->range : model.values[*before].range);
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
  else
    twice.help("name the logits, `let logits = " + logits + "`, and pass them to the loss: `" + call.callee.text +
               "(logits, " + label + ")`; the output may stay");
}

//===----------------------------------------------------------------------===//
// Names that nothing reads
//===----------------------------------------------------------------------===//

/// Not of what was not come to, and not of a program with errors: what reads the name may be in what is wrong.
void Sema::lintUnused(const ComponentDecl &component) {
  if (!options.warnsOfUnused || diagnostics.hasErrors() || skippedRepeat)
    return;
  for (const ComponentParam &param : component.params)
    lintUnused(param.name, "parameter", /*isBound=*/component.isModel);
  for (const WeightDecl &weight : component.weights)
    lintUnused(weight.name, weight.isState ? "state" : "parameter");
  for (const InstanceDecl &instance : component.instances)
    lintUnused(instance.name, "layer");
  for (const BodyDecl &body : component.bodies) {
    for (const FormalDecl &formal : body.formals)
      lintUnused(formal.name, "input");
    lintStatements(body.statements);
  }
}

void Sema::lintStatements(llvm::ArrayRef<Stmt *> statements) {
  for (const Stmt *stmt : statements) {
    if (stmt->kind == Stmt::Kind::Repeat)
      lintStatements(stmt->body);
    else if (stmt->kind == Stmt::Kind::Let)
      lintUnused(stmt->name, "`let`");
    else if (stmt->kind == Stmt::Kind::Input)
      lintUnused(stmt->name, "input", /*isBound=*/true);
    else if (stmt->kind == Stmt::Kind::Weight)
      lintUnused(stmt->name, "parameter");
  }
}

/// What is bound, from the data or by -D, is found by its name: another name would be no remedy.
void Sema::lintUnused(const Name &name, llvm::StringRef what, bool isBound) {
  if (!symbols.isUnused(name) || name.text.starts_with("_"))
    return;
  Diagnostic &unused = error(DiagnosticCode::W1003, name.range, "the " + what + " `" + name.text + "` is never used");
  unused.at("nothing reads it");
  unused.help(what == "`let`"
                  ? "`output " + name.text + " = ...` gives it out; else delete it, or call it `_" + name.text + "`"
              : what == "layer" ? "apply it, `" + name.text + "(h)`, or delete it"
              : isBound         ? "delete it"
                                : "delete it, or call it `_" + name.text + "`");
}
