//===- SemaModels.cpp - What only models have -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a model's bodies declare: inputs, targets, outputs and the loss.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Casting.h"
#include <functional>

using namespace gnnc;
using namespace gnnc::ast;

void Sema::evalInput(const Stmt &stmt) {
  if (stmt.isDamaged)
    return symbols.declareField(stmt.name, Operand(), /*assignable=*/false);
  symbols.declareField(stmt.name,
                       addInput(stmt.name, stmt.type, stmt.doc, stmt.kind == Stmt::Kind::Target, context.body->isEdge),
                       /*assignable=*/false);
}

Operand Sema::addInput(const Name &name, const TypeExpr &type, llvm::StringRef doc, bool isTarget, bool ofEdges) {
  std::optional<Shape> shape = dims.evalShape(type);
  if (!shape)
    return {};
  const bool isInForm = !isTarget && !ofEdges && options.form.input == schema.qualified(name.text);
  const bool isSparse = isInForm ? options.form.isSparse : type.sparse;
  bool needsRows = isSparse || type.rowNormalized;
  if (needsRows && (isTarget || ofEdges || shape->size() != 1 || !isFloat(type.element))) {
    error(DiagnosticCode::E0210, type.range,
          llvm::Twine("only an input of vertices of type `real[d]` can be `") +
              (isSparse ? "sparse" : "row_normalized") + "`")
        .at("not such an input");
    return {};
  }
  if (isSparse)
    return addSparseInput(name, type, *shape, doc);
  if (isInForm) // both forms have the same tables
    addNonzeros(name, type, *shape);
  Input input;
  if (ofEdges && name.text == "type") {
    error(DiagnosticCode::E0102, name.range, "`type` is already a field of edges")
        .at("taken")
        .note("every edge has the field `type`");
    return {};
  }
  input.name = schema.qualified(name.text);
  unsigned place = ofEdges ? context.comprehension->set->relation : context.vertexType;
  input.type = {ofEdges ? GraphKind::E : GraphKind::V, place, dims.translate(*shape, type.range), type.element};
  input.isTarget = isTarget;
  input.rowNormalized = type.rowNormalized;
  input.doc = documentation(doc);
  Value proto{isTarget ? ValueKind::Target : ValueKind::Input, input.type, {}, input.name, name.range};
  model.inputs.push_back(std::move(input));
  return fieldOperand(builder.append(std::move(proto)), *shape, ofEdges ? context.comprehension->set : nullptr,
                      name.range);
}

/// Adds the vertex type of the columns and the relation of the nonzeros.
unsigned Sema::addNonzeros(const Name &name, const TypeExpr &type, const Shape &shape) {
  model.vertexTypes.push_back(
      {schema.qualified(name.text) + ".columns", /*isColumns=*/true, dims.translate(shape.front(), type.range)});
  Relation nonzeros;
  nonzeros.name = schema.qualified(name.text);
  nonzeros.destinationType = context.vertexType;
  nonzeros.sourceType = model.vertexTypes.size() - 1;
  nonzeros.isSparseInput = true;
  model.relations.push_back(nonzeros);
  return model.relations.size() - 1;
}

Operand Sema::addSparseInput(const Name &name, const TypeExpr &type, Shape shape, llvm::StringRef doc) {
  unsigned relation = addNonzeros(name, type, shape);
  Input input;
  input.name = schema.qualified(name.text);
  input.type = {GraphKind::E, relation, {}, type.element};
  input.sparse = true;
  input.rowNormalized = type.rowNormalized;
  input.relation = relation;
  input.doc = documentation(doc);
  Value proto{ValueKind::Input, input.type, {}, input.name, name.range};
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
  if (auto [first, isNew] = outputRanges.try_emplace(stmt.name.text.str(), stmt.name.range); !isNew) {
    error(DiagnosticCode::E0102, stmt.name.range, "there is already an output `" + stmt.name.text + "`")
        .at("taken")
        .label(first->second, "first defined here");
    return;
  }
  model.outputs.push_back({stmt.name.text.str(), operand.id, documentation(stmt.doc)});
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
void Sema::evalLoss(const Stmt &stmt) {
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

bool Sema::checkLossOperands(const CallExpr &call, const Operand &prediction, const Operand &target) {
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
void Sema::adviseOnLoss(Diagnostic &mismatch, const CallExpr &call, const Operand &prediction, const Operand &target) {
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
