//===- StatementChecker.cpp - Statements ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements of bodies and functions: `let`, assignments, `repeat`, outputs, parameters of vertices and states.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/StatementChecker.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/EndEvaluator.h"
#include "compiler/Frontend/Sema/ExprChecker.h"
#include "compiler/Frontend/Sema/FieldChecker.h"
#include "compiler/Frontend/Sema/InputChecker.h"
#include "compiler/Frontend/Sema/LoopChecker.h"
#include "compiler/Frontend/Sema/LossChecker.h"
#include "compiler/Frontend/Sema/ParamChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"
#include <algorithm>
#include <cmath>

using namespace gnnc;
using namespace gnnc::ast;

void StatementChecker::evalOutput(const Stmt &stmt) {
  Operand operand;
  if (stmt.value) {
    evalLet(stmt);
    Entity *entity = context.scope->find(stmt.name.text);
    if (!entity || entity->range.Start != stmt.name.range.Start)
      return;
    entity->assignable = false; // what is given out is the version that is defined here
    operand = entity->operand;
  } else {
    operand = fields.ownField(stmt.name);
  }
  if (operand.isError())
    return;
  operand.range = stmt.value ? stmt.value->range : stmt.name.range;
  bool isEdge = operand.edges && operand.edges->filter.empty() && kind(operand) == GraphKind::E;
  if (!operand.isField() || !(isEdge || kind(operand) == GraphKind::V)) {
    error(DiagnosticCode::E0202, operand.range, "an output is a field of all vertices or of all edges")
        .at(operand.isSparse()              ? "this is a sparse input"
            : !operand.edges                ? "this is the same everywhere"
            : operand.edges->filter.empty() ? "this is a field of one end of the edges"
                                            : "this is a field of some edges only");
    return;
  }
  if (isEdge && !model.relations[operand.edges->relation].isPairs)
    loops.noteUse(operand.edges->relation, operand.range);
  if (auto [first, isNew] = outputRanges.try_emplace(stmt.name.text.str(), stmt.name.range); !isNew) {
    error(DiagnosticCode::E0102, stmt.name.range, "there is already an output `" + stmt.name.text + "`")
        .at("taken")
        .label(first->second, "first defined here");
    return;
  }
  model.outputs.push_back({stmt.name.text.str(), operand.id, documentation(stmt.doc)});
}

/// Whether the statement may stand in this kind of body.
bool StatementChecker::allowed(const Stmt &stmt) {
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
  case Stmt::Kind::If:
    return true;
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

std::optional<Operand> StatementChecker::evalBlock(llvm::ArrayRef<Stmt *> statements) {
  auto forget = llvm::make_scope_exit([&, size = conditions.size()] { conditions.shrink(size); });
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
    case Stmt::Kind::If:
      if (std::optional<Operand> result = evalIf(stmt))
        return result;
      break;
    case Stmt::Kind::Input:
    case Stmt::Kind::Target:
      inputs.evalInput(stmt);
      break;
    case Stmt::Kind::Output:
      evalOutput(stmt);
      break;
    case Stmt::Kind::Loss:
      losses.evalLoss(stmt);
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

/// The path of the field, or of the layer whose result, a statement computes: `conv1.h`, `conv1`.
std::string StatementChecker::placeOf(const Stmt &stmt) const {
  std::string place = context.frame->prefix + stmt.name.text.str();
  if (stmt.name.text.empty() && !place.empty())
    place.pop_back(); // `conv1.`
  return place;
}

void StatementChecker::evalLet(const Stmt &stmt) {
  Operand otherEnd;
  Operand operand = ends.evalBothEnds(*stmt.value, otherEnd);
  operand.range = stmt.value->range;
  symbols.declareField(stmt.name, std::move(operand), /*assignable=*/true, std::move(otherEnd));
}

/// A new version of a field, of the same kind and shape.
void StatementChecker::evalAssign(const Stmt &stmt) {
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
  if (!fields.requireExists(*entity, stmt.name))
    return;
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
void StatementChecker::evalRepeat(const Stmt &stmt) {
  Operand count = exprs.eval(*stmt.value);
  if (count.isError())
    return;
  if (expansion.isHypothetical() && count.isNumber())
    count = numberOperand(1, /*isInteger=*/true, count.range);
  if (!count.isNumber() || !count.isInteger || count.number < 0 || count.number > maxRepeat) {
    bool isKnown = count.isNumber() && count.isInteger && std::abs(count.number) < 1e15;
    Diagnostic &wrong = error(DiagnosticCode::E0408, stmt.value->range,
                              "`repeat` takes a constant number of times, at most " + llvm::Twine(maxRepeat));
    wrong.at(isKnown              ? "this is " + std::to_string(static_cast<int64_t>(count.number))
             : count.isConstant() ? "not such a number"
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
    if (!areComputations(stmt.body, "repeat"))
      return;
    evalBlock(stmt.body);
    symbols.forget(scope);
  }
  if (count.number == 0)
    symbols.noteSkippedRepeat();
}

/// Whether all statements may stand in a `repeat` or an `if`, as `around` says.
bool StatementChecker::areComputations(llvm::ArrayRef<Stmt *> block, llvm::StringRef around) {
  for (const Stmt *inner : block) {
    const bool isIf = inner->kind == Stmt::Kind::If;
    if (isIf && around == "repeat" &&
        (!areComputations(inner->body, around) || !areComputations(inner->otherwise, around)))
      return false;
    if (isIf || inner->kind == Stmt::Kind::Let || inner->kind == Stmt::Kind::Assign ||
        inner->kind == Stmt::Kind::Repeat || (inner->kind == Stmt::Kind::Return && around == "if"))
      continue;
    error(DiagnosticCode::E0007, inner->range,
          around == "if" ? "only `let`, assignments, `repeat`, `if` and `return` stand in an `if`"
                         : "only `let`, assignments, `repeat` and `if` stand in a `repeat`")
        .at("belongs outside");
    return false;
  }
  return true;
}

/// Whether nothing behind the block is computed: then what is behind an `if` is under the opposite condition.
static bool alwaysReturns(llvm::ArrayRef<Stmt *> block) {
  const Stmt *last = block.empty() ? nullptr : block.back();
  return last && (last->kind == Stmt::Kind::Return ||
                  (last->kind == Stmt::Kind::If && alwaysReturns(last->body) && alwaysReturns(last->otherwise)));
}

/// The side that its condition takes; the result if that returns. What the block assigns is carried, its `let`s end.
std::optional<Operand> StatementChecker::evalIf(const Stmt &stmt) {
  if (!areComputations(stmt.body, "if") || !areComputations(stmt.otherwise, "if") || expansion.tooDeep(stmt.range))
    return Operand();
  ++expansion.evalDepth;
  auto leave = llvm::make_scope_exit([&] { --expansion.evalDepth; });
  bool holds = exprs.evalCondition(*stmt.value, &stmt).value_or(true);
  const size_t numKnown = conditions.size();
  Scope scope(context.scope);
  llvm::SaveAndRestore restore(context.scope, &scope);
  conditions.add(context.frame, *stmt.value, holds);
  std::optional<Operand> result = evalBlock(holds ? stmt.body : stmt.otherwise);
  symbols.forget(scope);
  if (!alwaysReturns(holds ? stmt.otherwise : stmt.body))
    conditions.shrink(numKnown);
  return result;
}

/// `param z: real[d]` in a vertex body: a row for each vertex
void StatementChecker::evalVertexParameter(const Stmt &stmt) {
  const WeightDecl &weight = *stmt.weight;
  if (weight.isState || context.body->isEdge) {
    error(DiagnosticCode::E0007, stmt.range,
          weight.isState ? "a `state` belongs to a model or layer, not to its vertices"
                         : "parameters of edges are not part of the language")
        .at("inside a body")
        .help(weight.isState ? "declare it beside the bodies" : "`W[e.type]` is a parameter for each edge type");
    return;
  }
  if (weight.condition) {
    error(DiagnosticCode::E0007, weight.condition->range, "a parameter of vertices has no condition")
        .at("only weights of models and layers have one")
        .help("put the parameter and what reads it into a layer or model of their own");
    return;
  }
  Operand table = params.addParameter(weight, schema.qualified(weight.name.text),
                                      schema.vertexCount(context.vertexType, weight.range));
  if (!table.isError()) {
    Shape shape(table.shape.begin() + 1, table.shape.end());
    ValueType type = builder.type(table.id);
    Value rows{ValueKind::Rows,
               {GraphKind::V, context.vertexType, Shape(type.shape.begin() + 1, type.shape.end()), type.element},
               {table.id},
               "",
               weight.name.range};
    table = fieldOperand(builder.append(std::move(rows)), std::move(shape), nullptr, weight.name.range);
  }
  Entity entity;
  entity.operand = std::move(table);
  symbols.declare(weight.name, std::move(entity));
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// `mean = 0.9 * mean + 0.1 * m`: what the state is after the step. Reads go on to see what it is now.
void StatementChecker::assignState(const Stmt &stmt, const Entity &entity, const Operand &value) {
  if (value.isError() || entity.operand.isError())
    return;
  const Operand &state = entity.operand;
  Operand next = value.isNumber() ? elementwise.materialize(value, element(state)) : value;
  bool isOneValue = next.isField() && kind(next) == GraphKind::P;
  if (!isOneValue || next.shape != state.shape || element(next) != element(state)) {
    error(DiagnosticCode::E0307, value.range,
          "the state `" + stmt.name.text + "` is " + describeType(state) + " for the whole graph")
        .at(isOneValue ? "this is " + describeType(next) : "this is not one value for the whole graph")
        .label(entity.range, "defined here")
        .help("`mean(x for v)` makes one value of a field of vertices");
    return;
  }
  if (context.use && !context.use->relation && !context.use->onEdges)
    return; // a layer that is evaluated for the other end of its edges too: it learns of its own vertices only
  for (const StateAssignment &earlier : stateAssignments)
    if (earlier.state == *entity.state)
      return stateAgain(stmt, earlier);
  stateAssignments.push_back({*entity.state, stmt.range, expansion.callStack});
  model.stateUpdates.push_back({*entity.state, next.id});
}

/// The statement is another, or the same in another call: then the calls part somewhere.
void StatementChecker::stateAgain(const Stmt &stmt, const StateAssignment &earlier) {
  Diagnostic &again =
      error(DiagnosticCode::E0411, stmt.range, "the state `" + stmt.name.text + "` has its next value already");
  again.at("assigned again").note("a state changes once in a training step; a layer with a `state` is called once");
  if (earlier.range.Start != stmt.range.Start)
    again.label(earlier.range, "assigned here");
  for (size_t i = 0; i < std::min(earlier.calls.size(), expansion.callStack.size()); ++i)
    if (earlier.calls[i].second.Start != expansion.callStack[i].second.Start) {
      again.label(earlier.calls[i].second, "first assigned in this call");
      return;
    }
}
