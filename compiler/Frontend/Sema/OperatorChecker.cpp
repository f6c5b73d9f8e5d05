//===- OperatorChecker.cpp - Operators --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic, comparisons, conditions and reductions over dimensions, of operands that are evaluated.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/SparseChecker.h"
#include "compiler/Frontend/Sema/Wording.h"
#include <cmath>

using namespace gnnc;
using namespace gnnc::ast;

/// The standard deviation of a variance: 0 up to a variance of 1e-5, so that the gradient is finite (PyG's). NaN stays.
Operand OperatorChecker::deviation(const Operand &variance, llvm::SMRange range) {
  Operand least = numberOperand(1e-5, /*isInteger=*/false, range);
  Operand isNone = comparison(ValueKind::LessEqual, variance, least, range);
  Operand enough = arithmetic(ValueKind::Maximum, variance, least, range, "std");
  Operand root = elementwise.apply(ValueKind::Sqrt, {enough}, variance.shape, element(variance), range);
  Operand zero = elementwise.materialize(numberOperand(0, /*isInteger=*/true, range), element(variance));
  Operand operands[] = {isNone, zero, root};
  return elementwise.alignShapes(operands, range, "`std`")
             ? elementwise.apply(ValueKind::Select, operands, variance.shape, element(variance), range)
             : Operand();
}

std::vector<unsigned> gnnc::allBut(size_t position, const Shape &shape) {
  std::vector<unsigned> kept;
  for (unsigned i = 0; i < shape.size(); ++i)
    if (i != position)
      kept.push_back(i);
  return kept;
}

Operand OperatorChecker::reduce(Operand value, Reduction reduction, size_t position, llvm::SMRange range) {
  Shape shape = value.shape;
  shape.erase(shape.begin() + position);
  Operand reduced = elementwise.apply(ValueKind::Reduce, {value}, shape, element(value), range, [&](Value &result) {
    result.dims = {static_cast<unsigned>(position)};
    result.reduction = reduction;
  });
  reduced.labels = value.labels;
  if (!reduced.labels.empty())
    reduced.labels.erase(reduced.labels.begin() + position);
  return reduced;
}

Operand OperatorChecker::transpose(const Operand &value, std::vector<unsigned> permutation, llvm::SMRange range) {
  Shape shape;
  for (unsigned dim : permutation)
    shape.push_back(value.shape[dim]);
  return elementwise.apply(ValueKind::Transpose, {value}, shape, element(value), range,
                           [&](Value &result) { result.dims = std::move(permutation); });
}

Operand OperatorChecker::spreadProduct(Operand a, llvm::ArrayRef<unsigned> ofA, Operand b, llvm::ArrayRef<unsigned> ofB,
                                       const Shape &shape, llvm::SMRange range) {
  auto spread = [&](const Operand &x, llvm::ArrayRef<unsigned> positions) {
    return positions.size() == shape.size() ? x : elementwise.broadcast(x, shape, positions);
  };
  Operand factors[] = {spread(a, ofA), spread(b, ofB)};
  return elementwise.apply(ValueKind::Mul, factors, shape, element(a), range);
}

Operand OperatorChecker::reduceBy(llvm::StringRef name, const Operand &value, size_t position, llvm::SMRange range) {
  if (std::optional<Reduction> reduction = reductionNamed(name))
    return reduce(value, *reduction, position, range);
  Operand mean = elementwise.broadcast(reduce(value, Reduction::Mean, position, range), value.shape,
                                       allBut(position, value.shape));
  Operand centred = elementwise.apply(ValueKind::Sub, {value, mean}, value.shape, element(value), range);
  centred.labels = value.labels;
  Operand square = elementwise.apply(ValueKind::Mul, {centred, centred}, value.shape, element(value), range);
  square.labels = value.labels;
  Operand variance = reduce(square, Reduction::Mean, position, range);
  if (name == "var")
    return variance;
  Operand result = deviation(variance, range);
  result.labels = variance.labels;
  return result;
}

/// True if an operation on two numbers needs floats, and gives one.
static bool takesReals(ValueKind kind) {
  enum Operands { Numbers, Reals };
  switch (kind) {
  case ValueKind::Div:
    return true;
#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC)                                                             \
  case ValueKind::KIND:                                                                                                \
    return OPERANDS == Reals;
#include "compiler/Frontend/Functions.def"
  default:
    return false;
  }
}

static std::optional<double> fold(ValueKind kind, double a, double b) {
  switch (kind) {
  case ValueKind::Add:
    return a + b;
  case ValueKind::Sub:
    return a - b;
  case ValueKind::Mul:
    return a * b;
  case ValueKind::Div:
    return a / b;
#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC)                                                             \
  case ValueKind::KIND:                                                                                                \
    return CONSTANT;
#include "compiler/Frontend/Functions.def"
  default:
    return std::nullopt;
  }
}

/// True if an operation with a value that is left out gives the other operand, `x`, as it is: `x + b` for b = 0.
static bool leaves(const Operand &x, ValueKind kind, const Operand &b, bool isRight) {
  const bool isSum = kind == ValueKind::Add || (kind == ValueKind::Sub && isRight);
  const bool isProduct = kind == ValueKind::Mul || (kind == ValueKind::Div && isRight);
  return x.isField() && ((isSum && b.uniform == 0.0) || (isProduct && b.uniform == 1.0)) &&
         alignedShape(x.shape, b.shape) == x.shape;
}

/// Elementwise on numbers: joins graph kinds, aligns shapes.
Operand OperatorChecker::arithmetic(ValueKind valueKind, Operand a, Operand b, llvm::SMRange range,
                                    llvm::StringRef what) {
  if (a.isError() || b.isError())
    return {};
  if (a.isSparse() || b.isSparse())
    return sparseInputs.sparseScale(valueKind, a, b, range);
  if (a.isNumber() && b.isNumber()) {
    double result = *fold(valueKind, a.number, b.number);
    bool isInteger = a.isInteger && b.isInteger && !takesReals(valueKind);
    if (std::isfinite(result))
      return numberOperand(result, isInteger, range);
    if (expansion.isHypothetical())
      return numberOperand(1, isInteger, range);
    error(DiagnosticCode::E0209, range, "this constant is not a finite number").at("infinite or undefined");
    return {};
  }
  const bool isAlike = element(a) == element(b);
  if (isAlike && leaves(a, valueKind, b, /*isRight=*/true))
    return a;
  if (isAlike && leaves(b, valueKind, a, /*isRight=*/false))
    return b;
  Operand operands[] = {a, b};
  std::string name = "`" + what.str() + "`";
  if (!elementwise.checkSameEdges(operands, range) || !elementwise.unifyElements(operands, range))
    return {};
  if (element(operands[0]) == ElementKind::Bool) {
    error(DiagnosticCode::E0201, range, name + " needs numbers, not bools")
        .at("bool operands")
        .help("`select(condition, 1, 0)` makes a number");
    return {};
  }
  if (takesReals(valueKind) && !isFloat(element(operands[0]))) {
    error(DiagnosticCode::E0201, range, name + " needs floats, not " + describeType(operands[0]))
        .at("integer operands")
        .help("convert them with `real(...)`");
    return {};
  }
  if (!elementwise.alignShapes(operands, range, name))
    return {};
  return elementwise.apply(valueKind, operands, operands[0].shape, element(operands[0]), range);
}

/// A comparison of two numbers.
static bool compare(ValueKind kind, double a, double b) {
  switch (kind) {
  case ValueKind::Equal:
    return a == b;
  case ValueKind::NotEqual:
    return a != b;
  case ValueKind::Less:
    return a < b;
  case ValueKind::LessEqual:
    return a <= b;
  case ValueKind::Greater:
    return a > b;
  default:
    return a >= b;
  }
}

Operand OperatorChecker::comparison(ValueKind valueKind, Operand a, Operand b, llvm::SMRange range) {
  if (a.isError() || b.isError())
    return {};
  for (const Operand &operand : {a, b})
    if (operand.isSparse())
      return elementwise.sparseElsewhere(operand, range, "a comparison");
  if (a.isNumber() && b.isNumber())
    return truthOperand(compare(valueKind, a.number, b.number), range);
  Operand operands[] = {a, b};
  if (!elementwise.checkSameEdges(operands, range) || !elementwise.unifyElements(operands, range))
    return {};
  bool hasOrder = valueKind != ValueKind::Equal && valueKind != ValueKind::NotEqual;
  if (hasOrder && element(operands[0]) == ElementKind::Bool) {
    error(DiagnosticCode::E0201, range, "bools have no order").at("bool operands").help("`==` and `!=` compare bools");
    return {};
  }
  for (const auto &[constant, other] : {std::pair(operands[0], operands[1]), std::pair(operands[1], operands[0])})
    if (constant.isTruth())
      return constant.truth == (valueKind == ValueKind::Equal) ? other : logical(ValueKind::Not, other, other, range);
  if (!elementwise.alignShapes(operands, range, "a comparison"))
    return {};
  return elementwise.apply(valueKind, operands, operands[0].shape, ElementKind::Bool, range);
}

/// `and`, `or`; `not`, which looks at `a` only.
Operand OperatorChecker::logical(ValueKind valueKind, Operand a, Operand b, llvm::SMRange range) {
  if (a.isError() || b.isError())
    return {};
  for (const Operand &operand : {a, b})
    if (operand.isSparse() || element(operand) != ElementKind::Bool) {
      error(DiagnosticCode::E0205, operand.range, "a condition is bool, not " + describeType(operand))
          .at("this is " + describeType(operand))
          .help("compare it with something: `" + sourceText(operand.range) + " > 0`");
      return {};
    }
  if (valueKind == ValueKind::Not && a.isTruth())
    return truthOperand(!a.truth, range);
  for (const auto &[constant, other] : {std::pair(a, b), std::pair(b, a)})
    if (constant.isTruth() && valueKind != ValueKind::Not)
      return constant.truth == (valueKind == ValueKind::And) ? other : truthOperand(constant.truth, range);
  if (valueKind == ValueKind::Not)
    return elementwise.apply(valueKind, {a}, a.shape, ElementKind::Bool, range);
  Operand operands[] = {a, b};
  if (!elementwise.checkSameEdges(operands, range) || !elementwise.alignShapes(operands, range, "a condition"))
    return {};
  return elementwise.apply(valueKind, operands, operands[0].shape, ElementKind::Bool, range);
}

/// A dimension as a number. Open dimensions have no constant: the sum of that many ones.
Operand OperatorChecker::extent(const DimExpr &dim, llvm::SMRange range) {
  DimExpr translated = dims.translate(dim, range);
  if (std::optional<int64_t> constant = translated.constant())
    return fieldOperand(builder.constant(*constant, ElementKind::Real, range), {}, nullptr, range);
  Operand one = fieldOperand(builder.constant(1, ElementKind::Real, range), {}, nullptr, range);
  return reduce(elementwise.broadcast(one, {dim}, {}), Reduction::Sum, 0, range);
}
