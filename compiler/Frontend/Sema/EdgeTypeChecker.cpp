//===- EdgeTypeChecker.cpp - Indexing and edge types ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexing, `e.type` as an index, degrees by type, and `over r in relations` (law 12). How many edge types a relation
// has is the dimension of what is indexed by them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/EdgeTypeChecker.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/FieldChecker.h"
#include "compiler/Frontend/Sema/GraphValues.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

const TypeBinder *EdgeTypeChecker::typeBinder(const Expr &expr) const {
  const auto *name = llvm::dyn_cast<NameExpr>(&expr);
  for (const TypeBinder *over = name ? context.over : nullptr; over; over = over->outer)
    if (over->name.text == name->name.text)
      return over;
  return nullptr;
}

/// The binder r of a condition `e.type == r`.
const TypeBinder *EdgeTypeChecker::typeCondition(const Expr &condition, const Comprehension &comprehension) const {
  const auto *equal = llvm::dyn_cast<BinaryExpr>(&condition);
  if (!equal || equal->op != BinaryOp::Equal || !comprehension.pattern->edge)
    return nullptr;
  auto isType = [&](const Expr *expr) {
    const auto *member = llvm::dyn_cast<MemberExpr>(expr);
    const auto *base = member ? llvm::dyn_cast<NameExpr>(member->base) : nullptr;
    return base && member->member.text == "type" && base->name.text == comprehension.pattern->edge->text;
  };
  if (isType(equal->lhs))
    return typeBinder(*equal->rhs);
  return isType(equal->rhs) ? typeBinder(*equal->lhs) : nullptr;
}

/// On an edge whose type is r, r is `e.type`.
std::optional<Operand> EdgeTypeChecker::evalIndexValue(const Expr &expr, const TypeBinder *&over) {
  if (const TypeBinder *binder = typeBinder(expr)) {
    if (context.comprehension && context.comprehension->types == binder)
      return graph.edgeType(expr.range);
    over = binder;
    return std::nullopt;
  }
  Operand index = evaluator.eval(expr);
  index.range = expr.range;
  bool isInt = index.isNumber() && index.isInteger && index.number >= 0 && index.number <= INT32_MAX;
  if (isInt)
    index = elementwise.materialize(index, ElementKind::I32);
  bool isIndex = index.isField() && isInteger(element(index)) && index.shape.empty();
  if (isIndex || index.isError())
    return index;
  error(DiagnosticCode::E0310, expr.range, "an index is one integer, not " + describeType(index))
      .at("this is " + describeType(index))
      .label(index.origin, "defined here")
      .help("`e.type`, or a field of type `i32` or `i64`");
  return Operand();
}

bool EdgeTypeChecker::checkIndex(const Operand &base, const std::optional<Operand> &index, const TypeBinder *over,
                                 const IndexExpr &expr) {
  if (base.isError() || (index && index->isError()))
    return false;
  if (base.isSparse()) {
    elementwise.sparseElsewhere(base, expr.range, "an index");
    return false;
  }
  if (base.isNumber() || base.shape.empty()) {
    error(DiagnosticCode::E0306, expr.range, "`[...]` needs a dimension to index")
        .label(expr.base->range, "a scalar")
        .label(base.origin, "defined here");
    return false;
  }
  noteEntries(base);
  const DimExpr &dim = base.shape.front();
  bool isType = index && builder.value(index->id).kind == ValueKind::EdgeType;
  if (isType)
    return schema.recordTypes(builder.value(index->id).relation, dim, expr.range);
  std::optional<int64_t> size = dim.constant();
  bool isOutside =
      index && size && builder.value(index->id).kind == ValueKind::Constant && builder.value(index->id).number >= *size;
  if (!isOutside && (!over || over->dim == dim))
    return true;
  Diagnostic &wrong =
      error(DiagnosticCode::E0310, expr.range,
            over ? "`" + over->name.text.str() + "` ranges over `" + over->dim.str() +
                       "`, and the first dimension of `" + sourceText(expr.base->range) + "` is `" + dim.str() + "`"
                 : "an index into " + std::to_string(*size) + " values is less than that");
  wrong.at("`" + sourceText(expr.base->range) + "` is " + str(base.shape)).label(base.origin, "defined here");
  if (over)
    wrong.label(over->name.range, "bound here");
  return false;
}

/// Where the entries of a parameter are matrices, each is a weight of its own: the fans are those of an entry.
void EdgeTypeChecker::noteEntries(const Operand &table) {
  if (kind(table) != GraphKind::P || builder.value(table.id).kind != ValueKind::Param)
    return;
  auto parameter =
      llvm::find_if(model.params, [&](const Parameter &p) { return p.name == builder.value(table.id).name; });
  if (parameter->shape.size() > 2)
    parameter->setFans(llvm::ArrayRef(parameter->shape).drop_front());
}

/// `x[i]`: the i-th along the first dimension; for the binder of `over` all of them, x itself.
Operand EdgeTypeChecker::evalIndex(const IndexExpr &expr) {
  Operand base = evaluator.eval(*expr.base);
  base.range = expr.base->range;
  if (base.isError())
    return {};
  const TypeBinder *over = nullptr;
  std::optional<Operand> index = evalIndexValue(*expr.index, over);
  return checkIndex(base, index, over, expr) ? indexed(base, index, over, expr.range) : Operand();
}

Operand EdgeTypeChecker::indexed(const Operand &base, const std::optional<Operand> &index, const TypeBinder *over,
                                 llvm::SMRange range) {
  if (over) {
    Operand all = base;
    all.range = range;
    return all;
  }
  Operand operands[] = {base, *index};
  if (!elementwise.checkSameEdges(operands, range))
    return {};
  Operand result = elementwise.apply(ValueKind::Index, operands, Shape(base.shape.begin() + 1, base.shape.end()),
                                     element(base), range);
  result.origin = base.origin;
  return result;
}

/// `v.in_degree(e.type)`, `out_degree(r)`, `v.in_degree(writes)`
Operand EdgeTypeChecker::degreeCall(const CallExpr &call) {
  const auto *binder = call.receiver ? llvm::dyn_cast<NameExpr>(call.receiver) : nullptr;
  FieldChecker::Place where{FieldChecker::Place::Kind::Own};
  if (binder)
    where = fields.place(*binder, call.callee.text);
  bool isVertex = where.kind == FieldChecker::Place::Kind::Neighbour || where.kind == FieldChecker::Place::Kind::Own;
  bool isEdgeBody = !binder && context.comprehension && context.comprehension->inEdgeBody;
  if (where.kind == FieldChecker::Place::Kind::Unknown)
    return {};
  if (!isVertex || isEdgeBody || (call.receiver && !binder) || call.args.size() != 1 || call.args.front().label ||
      !call.dims.empty()) {
    error(DiagnosticCode::E0104, call.range, "`" + call.callee.text + "` takes an edge type, and belongs to a vertex")
        .at("expected `v." + call.callee.text + "(e.type)`");
    return {};
  }
  bool isOwn = where.kind == FieldChecker::Place::Kind::Own;
  unsigned vertexType = isOwn ? context.vertexType : schema.typeAt(context.comprehension->set->relation, where.end);
  ValueKind kind = *degreeKind(call.callee.text);
  const auto *word = llvm::dyn_cast<NameExpr>(call.args.front().value);
  if (word && context.isModelBody() && !typeBinder(*word) && !context.scope->find(word->name.text))
    return graph.degreeIn(kind, word->name, vertexType, isOwn ? std::nullopt : std::optional(where.end), call.range);
  const TypeBinder *over = nullptr;
  std::optional<Operand> index = evalIndexValue(*call.args.front().value, over);
  if (index && index->isError())
    return {};
  Operand table = graph.degreeOf(kind, vertexType, /*byType=*/true, call.range);
  if (table.isError() || (over && !schema.recordTypes(builder.value(table.id).relation, over->dim, call.range)))
    return {};
  if (over)
    table.shape = {over->dim};
  table = isOwn ? graph.inContext(table) : graph.readAt(table, where.end, call.range);
  if (over)
    return table;
  Operand operands[] = {table, *index};
  if (!elementwise.checkSameEdges(operands, call.range))
    return {};
  if (builder.value(index->id).kind != ValueKind::EdgeType)
    return elementwise.apply(ValueKind::Index, operands, {}, ElementKind::Real, call.range);
  return graph.ofType(table, *index,
                      elementwise.materialize(numberOperand(1, /*isInteger=*/true, call.range), ElementKind::Real),
                      call.range);
}

//===----------------------------------------------------------------------===//
// `over`
//===----------------------------------------------------------------------===//

/// `x over r in relations`: x for every edge type, along a dimension
Operand EdgeTypeChecker::evalOver(const OverExpr &expr) {
  TypeBinder binder{expr.binder, {}, context.over};
  if (!bindOver(expr, binder))
    return {};
  llvm::SaveAndRestore restore(context.over, static_cast<const TypeBinder *>(&binder));
  Operand body = evaluator.eval(*expr.body);
  body.range = expr.body->range;
  return checkOver(body, binder) ? body : Operand();
}

bool EdgeTypeChecker::bindOver(const OverExpr &expr, TypeBinder &binder) {
  std::optional<DimExpr> dim = dims.evalDim(*expr.dim);
  if (!dim)
    return false;
  binder.dim = dims.canonical(*dim);
  Entity *entity = context.scope->find(expr.binder.text);
  llvm::SMRange taken = entity ? entity->range : llvm::SMRange();
  for (const TypeBinder *outer = context.over; outer; outer = outer->outer)
    if (outer->name.text == expr.binder.text)
      taken = outer->name.range;
  if (!taken.isValid())
    return true;
  error(DiagnosticCode::E0102, expr.binder.range, "`" + expr.binder.text + "` is already a name here")
      .at("taken")
      .label(taken, "first defined here")
      .help("call it something else");
  return false;
}

bool EdgeTypeChecker::checkOver(const Operand &body, const TypeBinder &binder) {
  if (body.isError())
    return false;
  if (body.isField() && llvm::count(body.shape, binder.dim) == 1)
    return true;
  bool isSame = !body.isField() || !llvm::is_contained(body.shape, binder.dim);
  Diagnostic &wrong = error(isSame ? DiagnosticCode::E0208 : DiagnosticCode::E0302, body.range,
                            isSame ? "`" + sourceText(body.range) + "` is the same for every edge type"
                                   : "`" + sourceText(body.range) + "` has the dimension `" + binder.dim.str() +
                                         "` more than once: " + str(body.shape));
  wrong.at(isSame ? "does not depend on `" + binder.name.text.str() + "`" : "which one is meant?")
      .label(binder.name.range, "ranges over `" + binder.dim.str() + "`");
  if (isSame)
    wrong.help("`sum(... for e: u -> v if e.type == " + binder.name.text + ")` aggregates by type, `W[" +
               binder.name.text + "]` is a parameter for each type");
  return false;
}
