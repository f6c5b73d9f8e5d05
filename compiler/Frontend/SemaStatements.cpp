//===- SemaStatements.cpp - Statements --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `let`, assignment and `repeat` (law 2: every definition is a new version for all vertices at once), and what a
// model's bodies declare: inputs, targets, outputs and the loss.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

/// Adds a name to the innermost scope; a name that is in reach already is an error (law 1).
bool Sema::declare(const Name &name, Entity entity) {
  llvm::SMRange taken;
  if (Entity *other = context.scope->find(name.text))
    taken = other->range;
  if (context.body)
    for (const Name *binder : binders(*context.body))
      if (binder->text == name.text)
        taken = binder->range;
  bool isReserved = name.text == "in_degree" || name.text == "out_degree";
  if (taken.isValid() || isReserved) {
    Diagnostic &shadows = error(DiagnosticCode::E0102, name.range, "`" + name.text + "` is already a name here");
    shadows.at("taken").label(taken, "first defined here");
    if (isReserved)
      shadows.note("every vertex has the fields `in_degree` and `out_degree`");
    else if (Entity *other = context.scope->find(name.text); other && other->assignable)
      shadows.help("`" + name.text + " = ...` without `let` makes a new version of it");
    return false;
  }
  entity.range = name.range;
  noteDefinition(name, entity);
  context.scope->names[name.text] = std::move(entity);
  return true;
}

void Sema::declareField(const Name &name, Operand operand, bool assignable) {
  nameValue(operand, name.text);
  Entity entity;
  entity.kind = operand.isNumber() ? Entity::Kind::Number : Entity::Kind::Field;
  entity.operand = std::move(operand);
  entity.assignable = assignable;
  declare(name, std::move(entity));
}

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
    if (outOfBudget(stmt.range))
      return Operand();
    if (!allowed(stmt))
      continue;
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
    case Stmt::Kind::Return: {
      if (i + 1 < statements.size())
        error(DiagnosticCode::E0008, statements[i + 1]->range, "this comes after `return`")
            .at("never computed")
            .label(stmt.range, "returns here");
      Operand result = eval(*stmt.value);
      result.range = stmt.value->range;
      return result;
    }
    }
  }
  return std::nullopt;
}

void Sema::evalLet(const Stmt &stmt) {
  Operand operand = eval(*stmt.value);
  operand.range = stmt.value->range;
  declareField(stmt.name, std::move(operand), /*assignable=*/true);
}

/// A new version of a field, of the same kind and shape.
void Sema::evalAssign(const Stmt &stmt) {
  Operand operand = eval(*stmt.value);
  operand.range = stmt.value->range;
  Entity *entity = lookup(stmt.name);
  if (!entity) {
    unknownName(stmt.name);
    return;
  }
  if (!entity->assignable) {
    error(DiagnosticCode::E0108, stmt.name.range, "`" + stmt.name.text + "` does not change")
        .at("assigned here")
        .label(entity->range, "defined here")
        .help("fields that a `let` defines and a layer's inputs can be assigned");
    return;
  }
  Operand &old = entity->operand;
  if (old.isError() || operand.isError()) {
    old = Operand();
    return;
  }
  bool sameEdges =
      (old.edges != nullptr) == (operand.edges != nullptr) &&
      (!old.edges || (old.edges->toward == operand.edges->toward && old.edges->filter == operand.edges->filter));
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
  nameValue(operand, stmt.name.text);
  old = std::move(operand);
}

/// Unrolled. What the body assigns is carried, its `let`s are per iteration.
void Sema::evalRepeat(const Stmt &stmt) {
  Operand count = eval(*stmt.value);
  if (count.isError())
    return;
  if (!count.isNumber() || !count.isInteger || count.number < 0 || count.number > maxRepeat) {
    error(DiagnosticCode::E0408, stmt.value->range,
          "`repeat` takes a constant number of times, at most " + llvm::Twine(maxRepeat))
        .at(count.isNumber() ? "not such a number" : "not known when the model is compiled")
        .help("a literal, or a parameter declared `steps: int`");
    return;
  }
  if (tooDeep(stmt.range))
    return;
  ++evalDepth;
  auto leave = llvm::make_scope_exit([&] { --evalDepth; });
  Scope *outer = context.scope;
  for (int64_t i = 0; i < static_cast<int64_t>(count.number) && !outOfBudget(stmt.range); ++i) {
    spend(1);
    Scope scope(outer);
    llvm::SaveAndRestore restore(context.scope, &scope);
    for (const Stmt *inner : stmt.body)
      if (inner->kind != Stmt::Kind::Let && inner->kind != Stmt::Kind::Assign && inner->kind != Stmt::Kind::Repeat) {
        error(DiagnosticCode::E0007, inner->range, "only `let`, assignments and `repeat` stand in a `repeat`")
            .at("belongs outside");
        return;
      }
    evalBlock(stmt.body);
  }
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

void Sema::evalInput(const Stmt &stmt) {
  declareField(stmt.name,
               addInput(stmt.name, stmt.type, stmt.doc, stmt.kind == Stmt::Kind::Target, context.body->isEdge),
               /*assignable=*/false);
}

Operand Sema::addInput(const Name &name, const TypeExpr &type, llvm::StringRef doc, bool isTarget, bool ofEdges) {
  std::optional<Shape> shape = evalShape(type);
  if (!shape)
    return {};
  bool needsRows = type.sparse || type.rowNormalized;
  if (needsRows && (isTarget || ofEdges || shape->size() != 1 || !isFloat(type.element))) {
    error(DiagnosticCode::E0210, type.range,
          llvm::Twine("only an input of vertices of type `real[d]` can be `") +
              (type.sparse ? "sparse" : "row_normalized") + "`")
        .at("not such an input");
    return {};
  }
  if (isTarget && ofEdges) {
    error(DiagnosticCode::E0207, name.range, "targets are fields of vertices").at("in an edge body");
    return {};
  }
  if (type.sparse)
    return addSparseInput(name, type, *shape, doc);
  Input input;
  input.name = name.text.str();
  input.type = {ofEdges ? GraphKind::E : GraphKind::V, 0, translate(*shape, type.range), type.element};
  input.isTarget = isTarget;
  input.rowNormalized = type.rowNormalized;
  input.doc = documentation(doc);
  Value proto{isTarget ? ValueKind::Target : ValueKind::Input, input.type, {}, name.text.str(), name.range};
  model.inputs.push_back(std::move(input));
  return fieldOperand(builder.append(std::move(proto)), *shape, ofEdges ? context.comprehension->set : nullptr,
                      name.range);
}

/// Adds the vertex type of the columns and the relation of the nonzeros.
Operand Sema::addSparseInput(const Name &name, const TypeExpr &type, Shape shape, llvm::StringRef doc) {
  unsigned relation = model.relations.size();
  model.vertexTypes.push_back({name.text.str() + ".columns", /*isColumns=*/true, translate(shape.front(), type.range)});
  Relation nonzeros;
  nonzeros.name = name.text.str();
  nonzeros.sourceType = model.vertexTypes.size() - 1;
  nonzeros.isSparseInput = true;
  model.relations.push_back(nonzeros);
  Input input;
  input.name = name.text.str();
  input.type = {GraphKind::E, relation, {}, type.element};
  input.sparse = true;
  input.rowNormalized = type.rowNormalized;
  input.relation = relation;
  input.doc = documentation(doc);
  Value proto{ValueKind::Input, input.type, {}, name.text.str(), name.range};
  model.inputs.push_back(std::move(input));
  Operand operand = fieldOperand(builder.append(std::move(proto)), std::move(shape), nullptr, name.range);
  operand.tag = Operand::Tag::Sparse;
  return operand;
}

void Sema::evalOutput(const Stmt &stmt) {
  Operand operand;
  if (stmt.value) {
    evalLet(stmt);
    Entity *entity = context.scope->find(stmt.name.text);
    if (!entity || entity->range.Start != stmt.name.range.Start)
      return;
    entity->assignable = false; // what is given out is the version that is defined here
    operand = entity->operand;
  } else {
    operand = ownField(stmt.name);
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
  if (llvm::any_of(model.outputs, [&](const Output &output) { return output.name == stmt.name.text; })) {
    error(DiagnosticCode::E0102, stmt.name.range, "there is already an output `" + stmt.name.text + "`").at("taken");
    return;
  }
  model.outputs.push_back({stmt.name.text.str(), operand.id, documentation(stmt.doc)});
}

/// `loss cross_entropy(logits, label)`
void Sema::evalLoss(const Stmt &stmt) {
  const auto *call = llvm::dyn_cast<CallExpr>(stmt.value);
  auto kindOfLoss = llvm::StringSwitch<std::optional<ValueKind>>(call ? call->callee.text : "")
                        .Case("cross_entropy", ValueKind::CrossEntropy)
                        .Case("binary_cross_entropy", ValueKind::BinaryCrossEntropy)
                        .Case("mean_squared_error", ValueKind::MeanSquaredError)
                        .Default(std::nullopt);
  if (!kindOfLoss || model.loss >= 0 || context.body->isEdge) {
    error(DiagnosticCode::E0207, stmt.value->range,
          model.loss >= 0        ? "a model has one loss"
          : context.body->isEdge ? "a loss is computed for every vertex"
                                 : "a loss is `cross_entropy`, `binary_cross_entropy` or `mean_squared_error`")
        .at("not a loss here")
        .help("`loss cross_entropy(logits, label)`");
    return;
  }
  std::optional<std::vector<Operand>> args = evalArgs(*call, 2, 2, "a prediction and a target");
  if (!args || !checkLossOperands(*call, (*args)[0], (*args)[1]))
    return;
  Value loss{
      *kindOfLoss, {GraphKind::V, 0, {}, element((*args)[0])}, {(*args)[0].id, (*args)[1].id}, "loss", stmt.range};
  model.loss = builder.append(std::move(loss));
  model.lossKind = call->callee.text.str();
}

bool Sema::checkLossOperands(const CallExpr &call, const Operand &prediction, const Operand &target) {
  for (const Operand *side : {&prediction, &target})
    if (!side->isField() || kind(*side) != GraphKind::V) {
      error(DiagnosticCode::E0207, side->range, "a loss compares fields of vertices")
          .at(side->edges ? "this is a field of edges" : "this is no field of vertices");
      return false;
    }
  bool ofClasses = call.callee.text == "cross_entropy";
  bool rightTarget = ofClasses ? isInteger(element(target)) && target.shape.empty()
                               : element(target) == element(prediction) && target.shape == prediction.shape;
  bool rightPrediction = isFloat(element(prediction)) && (!ofClasses || prediction.shape.size() == 1);
  if (rightTarget && rightPrediction)
    return true;
  const Operand &wrong = rightPrediction ? target : prediction;
  error(DiagnosticCode::E0207, wrong.range,
        ofClasses ? "`cross_entropy` takes logits `real[classes]` and a target `i32` or `i64`"
                  : "`" + call.callee.text.str() + "` takes a prediction and a target of the same type")
      .at("this is " + describeType(wrong))
      .label(rightPrediction ? prediction.range : target.range,
             "this is " + describeType(rightPrediction ? prediction : target))
      .label(wrong.origin, "defined here");
  return false;
}
