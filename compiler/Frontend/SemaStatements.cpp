//===- SemaStatements.cpp - Statements --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `let`, assignment and `repeat` (law 2: every definition is a new version for all vertices at once).
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/Sema.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace gnnc;
using namespace gnnc::ast;

/// Whether the statement may stand in this kind of body.
bool Sema::allowed(const Stmt &stmt) {
  bool inModel = context.body && context.frame->component->isModel;
  switch (stmt.kind) {
  case Stmt::Kind::Let:
  case Stmt::Kind::Assign:
    return true;
  case Stmt::Kind::Repeat:
    if (context.body)
      return true;
    error(DiagnosticCode::E0007, stmt.range, "a function has no `repeat`").at("belongs in the body of a layer");
    return false;
  case Stmt::Kind::Return:
    if (!inModel)
      return true;
    error(DiagnosticCode::E0007, stmt.range, "a model returns nothing")
        .at("belongs in a layer")
        .help("`output name = ...` is what a model gives");
    return false;
  default:
    if (inModel)
      return true;
    if (stmt.kind == Stmt::Kind::Weight) {
      error(DiagnosticCode::E0007, stmt.range, "a layer's parameters stand beside its body")
          .at("inside the body")
          .help("a parameter in the body of a model has a value for each vertex");
      return false;
    }
    error(DiagnosticCode::E0007, stmt.range, "inputs, targets, outputs and losses belong in a model")
        .at("outside of a model")
        .help("a layer's inputs stand in parentheses: `vertex v (h: real[in]) -> real[out]`, and its result after "
              "`return`");
    return false;
  }
}

std::optional<Operand> Sema::evalBlock(llvm::ArrayRef<Stmt *> statements) {
  for (size_t i = 0; i < statements.size(); ++i) {
    const Stmt &stmt = *statements[i];
    if (expansion.outOfBudget(stmt.range))
      return Operand();
    if (!allowed(stmt))
      continue;
    llvm::SaveAndRestore restorePlace(builder.place);
    if (context.body)
      builder.place = placeOf(stmt);
    switch (stmt.kind) {
    case Stmt::Kind::Let:
      evalLet(stmt);
      break;
    case Stmt::Kind::Assign:
      evalAssign(stmt);
      break;
    case Stmt::Kind::Repeat:
      evalRepeat(stmt);
      break;
    case Stmt::Kind::Input:
    case Stmt::Kind::Target:
      evalInput(stmt);
      break;
    case Stmt::Kind::Output:
      evalOutput(stmt);
      break;
    case Stmt::Kind::Loss:
      evalLoss(stmt);
      break;
    case Stmt::Kind::Weight:
      evalVertexParameter(stmt);
      break;
    case Stmt::Kind::Return: {
      if (i + 1 < statements.size())
        error(DiagnosticCode::E0008, statements[i + 1]->range, "this comes after `return`")
            .at("never computed")
            .label(stmt.range, "returns here");
      Operand result = exprs.eval(*stmt.value);
      result.range = stmt.value->range;
      return result;
    }
    }
  }
  return std::nullopt;
}

/// What a statement of a body computes: a field, or the result of the layer.
std::string Sema::placeOf(const Stmt &stmt) const {
  std::string place = context.frame->prefix + stmt.name.text.str();
  if (stmt.name.text.empty() && !place.empty())
    place.pop_back(); // `conv1.`
  return place;
}

void Sema::evalLet(const Stmt &stmt) {
  Operand otherEnd;
  Operand operand = ends.evalBothEnds(*stmt.value, otherEnd);
  operand.range = stmt.value->range;
  symbols.declareField(stmt.name, std::move(operand), /*assignable=*/true, std::move(otherEnd));
}

/// A new version of a field, of the same kind and shape.
void Sema::evalAssign(const Stmt &stmt) {
  Operand otherEnd;
  Operand operand = ends.evalBothEnds(*stmt.value, otherEnd);
  operand.range = stmt.value->range;
  Entity *entity = symbols.lookup(stmt.name);
  if (!entity && symbols.mayBeLost(stmt.name.text))
    return;
  if (!entity) {
    error(DiagnosticCode::E0101, stmt.name.range, "unknown name `" + stmt.name.text + "`")
        .at("assigned, but never defined")
        .help("a `let` defines a field: `let " + stmt.name.text + " = ...`");
    DiagnosticEngine::Mute mute(diagnostics); // what uses it is right, and the name may be one that is taken
    symbols.declareField(stmt.name, std::move(operand), /*assignable=*/true, std::move(otherEnd));
    return;
  }
  if (entity->state)
    return assignState(stmt, *entity, operand);
  if (!entity->assignable) {
    error(DiagnosticCode::E0108, stmt.name.range, "`" + stmt.name.text + "` does not change")
        .at("assigned here")
        .label(entity->range, "defined here")
        .help("fields that a `let` defines, a layer's inputs and a `state` can be assigned");
    return;
  }
  Operand &old = entity->operand;
  if (old.isError() || operand.isError()) {
    bool isOtherOnly = old.isError() && entity->otherEnd.shape == otherEnd.shape;
    entity->otherEnd = isOtherOnly ? otherEnd : Operand();
    old = Operand();
    return;
  }
  bool sameEdges =
      (old.edges != nullptr) == (operand.edges != nullptr) &&
      (!old.edges || (old.edges->toward == operand.edges->toward && old.edges->relation == operand.edges->relation &&
                      old.edges->filter == operand.edges->filter));
  bool sameKind = old.tag == operand.tag && (old.edges ? sameEdges : kind(old) == kind(operand) && sameEdges) &&
                  element(old) == element(operand);
  if (!sameKind || old.shape != operand.shape) {
    auto describe = [&](const Operand &side) {
      if (side.edges)
        return describeType(side) + " for every edge of `" + side.edges->spelling + "`";
      return describeType(side) + (side.isField() && kind(side) == GraphKind::V ? " for every vertex" : "");
    };
    error(DiagnosticCode::E0307, operand.range,
          "`" + stmt.name.text + "` is " + describe(old) + ", the new version " + describe(operand))
        .at("this is " + describe(operand))
        .label(entity->range, "defined as " + describe(old))
        .help("a version keeps shape and kind; give another value another name with `let`");
    return;
  }
  symbols.nameValue(operand, stmt.name.text);
  entity->otherEnd = otherEnd.shape == operand.shape ? otherEnd : Operand();
  old = std::move(operand);
}

/// Unrolled. What the body assigns is carried, its `let`s are per iteration.
void Sema::evalRepeat(const Stmt &stmt) {
  Operand count = exprs.eval(*stmt.value);
  if (count.isError())
    return;
  if (!count.isNumber() || !count.isInteger || count.number < 0 || count.number > maxRepeat) {
    bool isKnown = count.isNumber() && count.isInteger && std::abs(count.number) < 1e15;
    Diagnostic &wrong = error(DiagnosticCode::E0408, stmt.value->range,
                              "`repeat` takes a constant number of times, at most " + llvm::Twine(maxRepeat));
    wrong.at(isKnown            ? "this is " + std::to_string(static_cast<int64_t>(count.number))
             : count.isNumber() ? "not such a number"
                                : "not known when the model is compiled");
    if (isKnown)
      wrong.help("0 to " + std::to_string(maxRepeat) + " times; the body is written out as often");
    else
      wrong.help("a literal, or a parameter declared `" +
                 (llvm::isa<NameExpr>(stmt.value) ? sourceText(stmt.value->range) : "steps") + ": int`");
    return;
  }
  if (expansion.tooDeep(stmt.range))
    return;
  ++expansion.evalDepth;
  auto leave = llvm::make_scope_exit([&] { --expansion.evalDepth; });
  Scope *outer = context.scope;
  for (int64_t i = 0; i < static_cast<int64_t>(count.number) && !expansion.outOfBudget(stmt.range); ++i) {
    expansion.spend(1);
    Scope scope(outer);
    llvm::SaveAndRestore restore(context.scope, &scope);
    if (!stmt.name.text.empty())
      symbols.declareField(stmt.name, numberOperand(i, /*isInteger=*/true, stmt.name.range), /*assignable=*/false);
    for (const Stmt *inner : stmt.body)
      if (inner->kind != Stmt::Kind::Let && inner->kind != Stmt::Kind::Assign && inner->kind != Stmt::Kind::Repeat) {
        error(DiagnosticCode::E0007, inner->range, "only `let`, assignments and `repeat` stand in a `repeat`")
            .at("belongs outside");
        return;
      }
    evalBlock(stmt.body);
    symbols.forget(scope);
  }
  skippedRepeat |= count.number == 0;
}
