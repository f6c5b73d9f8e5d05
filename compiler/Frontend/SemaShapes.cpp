//===- SemaShapes.cpp - Dimensions, alignment, element types ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimension expressions (law 6), alignment of elementwise operands by name, and the element types of operands.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

using namespace gnnc;
using namespace gnnc::ast;

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// Replaces the names that a `where` makes equal to others.
DimExpr Sema::canonical(DimExpr dim) {
  const auto &equalities = context.frame->equalities;
  auto lookup = [&](llvm::StringRef name) -> std::optional<DimExpr> {
    auto it = equalities.find(name);
    return it == equalities.end() ? std::nullopt : std::optional<DimExpr>(it->second);
  };
  return equalities.empty() ? dim : dim.substitute(lookup).value_or(dim);
}

/// dim = integer polynomial over the dimensions in scope
std::optional<DimExpr> Sema::evalDim(const Expr &expr) {
  spend(1);
  if (expr.kind == Expr::Kind::Error)
    return std::nullopt;
  if (const auto *number = llvm::dyn_cast<NumberExpr>(&expr)) {
    if (number->integer)
      return DimExpr(*number->integer);
    error(DiagnosticCode::E0305, expr.range, "a dimension is an integer").at("not an integer");
    return std::nullopt;
  }
  if (const auto *name = llvm::dyn_cast<NameExpr>(&expr)) {
    Entity *entity = lookup(name->name);
    if (entity && entity->kind == Entity::Kind::Dim)
      return entity->dim;
    if (entity && entity->kind == Entity::Kind::Number && entity->operand.isInteger)
      return DimExpr(static_cast<int64_t>(entity->operand.number));
    if (entity)
      error(DiagnosticCode::E0305, expr.range, "`" + name->name.text + "` is not a dimension")
          .at("expected a dimension")
          .label(entity->range, "defined here");
    else
      unknownName(name->name);
    return std::nullopt;
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
    if (!lhs || !rhs || outOfBudget(expr.range))
      return std::nullopt;
    spend(lhs->terms().size() * rhs->terms().size());
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

std::optional<Shape> Sema::evalShape(const TypeExpr &type) {
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

/// A dimension of the current frame in the dimensions of the model, with what -D fixes.
DimExpr Sema::translate(const DimExpr &dim, llvm::SMRange range) {
  DimExpr result = dim;
  for (const Frame *frame = context.frame; frame; frame = frame->caller) {
    auto lookup = [&](llvm::StringRef name) -> std::optional<DimExpr> {
      auto it = frame->dims.find(name);
      return it == frame->dims.end() ? std::nullopt : std::optional<DimExpr>(it->second);
    };
    spend(result.terms().size());
    std::optional<DimExpr> translated = result.substitute(lookup);
    if (!translated) {
      error(DiagnosticCode::E0305, range, "the dimension `" + dim.str() + "` is too large here");
      return DimExpr(1);
    }
    result = *translated;
  }
  std::optional<int64_t> constant = result.constant();
  if (constant && *constant < 1)
    error(DiagnosticCode::E0305, range, "the dimension `" + dim.str() + "` is " + llvm::Twine(*constant) + " here")
        .at("a dimension is at least 1");
  return result;
}

Shape Sema::translate(const Shape &shape, llvm::SMRange range) {
  Shape result;
  for (const DimExpr &dim : shape)
    result.push_back(translate(dim, range));
  return result;
}

/// A shape in the dimensions of `callee` in those of its caller.
Shape Sema::substitute(const Shape &shape, const Frame &callee) {
  auto lookup = [&](llvm::StringRef name) -> std::optional<DimExpr> {
    auto it = callee.dims.find(name);
    return it == callee.dims.end() ? std::nullopt : std::optional<DimExpr>(it->second);
  };
  Shape result;
  for (const DimExpr &dim : shape)
    result.push_back(canonical(dim.substitute(lookup).value_or(DimExpr(1)))); // translate() reports what overflows
  return result;
}

/// A dimension as a number. Open dimensions have no constant: the sum of that many ones.
Operand Sema::extent(const DimExpr &dim, llvm::SMRange range) {
  DimExpr translated = translate(dim, range);
  if (std::optional<int64_t> constant = translated.constant())
    return fieldOperand(builder.constant(*constant, ElementKind::Real, range), {}, nullptr, range);
  Operand one = fieldOperand(builder.constant(1, ElementKind::Real, range), {}, nullptr, range);
  return reduce(broadcast(one, {dim}, {}), Reduction::Sum, 0, range);
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

namespace {

enum class Embedding { Exact, Unique, Ambiguous, None };

/// How `inner` is a subsequence of `outer`; `positions[i]`: where inner's dimension i is in outer.
Embedding embed(const Shape &inner, const Shape &outer, std::vector<unsigned> &positions) {
  if (inner == outer)
    return Embedding::Exact;
  size_t next = 0;
  bool ambiguous = false;
  for (const DimExpr &dim : inner) {
    while (next < outer.size() && outer[next] != dim)
      ++next;
    if (next == outer.size())
      return Embedding::None;
    ambiguous |= llvm::count(outer, dim) > 1;
    positions.push_back(next++);
  }
  return ambiguous ? Embedding::Ambiguous : Embedding::Unique;
}

} // namespace

std::optional<Shape> gnnc::alignedShape(const Shape &a, const Shape &b) {
  const Shape &inner = a.size() < b.size() ? a : b, &outer = a.size() < b.size() ? b : a;
  std::vector<unsigned> positions;
  Embedding embedding = embed(inner, outer, positions);
  return embedding == Embedding::Exact || embedding == Embedding::Unique ? std::optional<Shape>(outer) : std::nullopt;
}

Operand Sema::broadcast(const Operand &operand, const Shape &shape, llvm::ArrayRef<unsigned> positions) {
  return apply(ValueKind::Broadcast, {operand}, shape, element(operand), operand.range,
               [&](Value &value) { value.dims = positions.vec(); });
}

/// Broadcasts the operands to the shape of the one with the most dimensions.
bool Sema::alignShapes(llvm::MutableArrayRef<Operand> operands, llvm::SMRange range, llvm::StringRef what) {
  const Operand *widest = &operands.front();
  for (const Operand &operand : operands)
    if (operand.shape.size() > widest->shape.size())
      widest = &operand;
  Operand target = *widest;
  for (Operand &operand : operands) {
    std::vector<unsigned> positions;
    switch (embed(operand.shape, target.shape, positions)) {
    case Embedding::Exact:
      break;
    case Embedding::Unique:
      operand = broadcast(operand, target.shape, positions);
      break;
    case Embedding::Ambiguous:
      error(DiagnosticCode::E0302, range,
            "it is ambiguous how " + str(operand.shape) + " aligns with " + str(target.shape))
          .at("elementwise operands align by the names of their dimensions")
          .label(operand.range, str(operand.shape))
          .label(target.range, str(target.shape) + " has a dimension twice")
          .help("give the two dimensions different names");
      return false;
    case Embedding::None: {
      Diagnostic &mismatch =
          error(DiagnosticCode::E0301, range,
                "the operands of " + what + " do not align: " + str(target.shape) + " and " + str(operand.shape));
      mismatch.at("the dimensions of one must be among the dimensions of the other, in the same order");
      for (const Operand *side : {static_cast<const Operand *>(&target), static_cast<const Operand *>(&operand)}) {
        mismatch.label(side->range, "`" + sourceText(side->range) + "` is " + str(side->shape));
        if (side->origin.isValid())
          mismatch.label(side->origin, "defined here");
      }
      return false;
    }
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Element types and graph kinds
//===----------------------------------------------------------------------===//

ElementKind Sema::element(const Operand &operand) const {
  return operand.isField() || operand.isSparse() ? builder.type(operand.id).element : ElementKind::Real;
}

GraphKind Sema::kind(const Operand &operand) const {
  return operand.isField() || operand.isSparse() ? builder.type(operand.id).kind : GraphKind::P;
}

Operand Sema::materialize(const Operand &number, ElementKind element) {
  Operand field = fieldOperand(builder.constant(number.number, element, number.range), {}, nullptr, number.range);
  field.origin = number.origin;
  return field;
}

/// Whether a number literal is exact in the type. Constants are doubles, so wide integers stop where those stop being
/// exact.
static bool holds(ElementKind element, const Operand &number) {
  double limit = element == ElementKind::I32 ? 2147483647.0 : 9007199254740992.0;
  return isFloat(element) ||
         (isInteger(element) && number.isInteger && number.number >= -limit && number.number <= limit);
}

/// Of two fields the one that is to become like the other: a condition becomes a number, and an integer a float.
std::string Sema::conversion(const Operand &a, const Operand &b) const {
  bool convertsB = element(b) == ElementKind::Bool || (isInteger(element(b)) && element(a) != ElementKind::Bool);
  const Operand &from = convertsB ? b : a;
  std::string text = sourceText(from.range);
  if (element(from) == ElementKind::Bool)
    return "`select(" + text + ", 1, 0)` makes a number of a condition";
  return "convert one: `" + spelling(element(convertsB ? a : b)).str() + "(" + text + ")`";
}

/// Makes numbers fields of the element type of the others; reports if types differ.
bool Sema::unifyElements(llvm::MutableArrayRef<Operand> operands, llvm::SMRange range) {
  const Operand *first = nullptr;
  for (const Operand &operand : operands)
    if (!operand.isNumber()) {
      first = &operand;
      break;
    }
  ElementKind common = first ? element(*first) : ElementKind::Real;
  for (Operand &operand : operands) {
    if (operand.isNumber() && holds(common, operand)) {
      operand = materialize(operand, common);
    } else if (operand.isNumber() || element(operand) != common) {
      Operand other = *first;
      error(DiagnosticCode::E0201, range, "the operands are " + describeType(other) + " and " + describeType(operand))
          .at("element types differ")
          .label(other.range, describeType(other))
          .label(operand.range, describeType(operand))
          .help(operand.isNumber() ? "convert the field with `real(...)`" : conversion(other, operand));
      return false;
    }
  }
  return true;
}

bool Sema::requireFloat(Operand &operand, llvm::SMRange range, llvm::StringRef what) {
  if (operand.isError())
    return false;
  if (operand.isNumber()) {
    operand = materialize(operand, ElementKind::Real);
    return true;
  }
  if (operand.isSparse()) {
    sparseElsewhere(operand, range, what);
    return false;
  }
  if (isFloat(element(operand)))
    return true;
  error(DiagnosticCode::E0201, operand.range, what + " needs a float, not " + describeType(operand))
      .at("this is " + describeType(operand))
      .help("convert it with `real(...)`");
  return false;
}

bool Sema::requireConstant(const Operand &operand, llvm::StringRef what) {
  if (operand.isNumber() || operand.isError())
    return operand.isNumber();
  error(DiagnosticCode::E0209, operand.range, what + " is a constant")
      .at("known only at run time")
      .help("a number, a `real` parameter of the layer, or arithmetic of these");
  return false;
}

/// Appends a value computed from fields that have been checked and aligned.
Operand Sema::apply(ValueKind kind, llvm::ArrayRef<Operand> operands, Shape shape, ElementKind element,
                    llvm::SMRange range, llvm::function_ref<void(Value &)> details) {
  std::vector<unsigned> ids;
  const EdgeSet *edges = nullptr;
  for (const Operand &operand : operands) {
    ids.push_back(operand.id);
    // A set that names an end is the better one to remember.
    if (operand.edges && (!edges || !edges->toward))
      edges = operand.edges;
  }
  unsigned id = builder.elementwise(kind, ids, translate(shape, range), element, range);
  if (details)
    details(model.values[id]);
  return fieldOperand(id, std::move(shape), edges, range);
}
