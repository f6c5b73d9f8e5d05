//===- Folds.cpp - Folding of gnn ops -------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants and algebra that hold for every value, NaN included; a folded value has the type of the op's result.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/ElementBuilder.h"
#include "dialects/Gnn/IR/TypeRules.h"
#include "mlir/IR/Matchers.h"
#include <cmath>
#include <optional>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

/// The number of a constant operand.
static std::optional<double> numberOf(Attribute attribute) {
  if (auto real = dyn_cast_or_null<FloatAttr>(attribute))
    return real.getValueAsDouble();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute))
    return integer.getType().isInteger(1) ? integer.getValue().getZExtValue() : integer.getInt();
  return std::nullopt;
}

static bool isNumber(Attribute attribute, double number) { return numberOf(attribute) == number; }

/// `operand`, if it has the type of the op's result: `P * 1` may have to stay because its result is V.
static OpFoldResult operandAsResult(Operation *op, Value operand) {
  return operand.getType() == op->getResult(0).getType() ? OpFoldResult(operand) : OpFoldResult();
}

static OpFoldResult number(Operation *op, double number) {
  return numberAttr(fieldOf(op->getResult(0)).getElement(), number);
}

template <typename Function>
static OpFoldResult foldBinary(Operation *op, Attribute lhs, Attribute rhs, Function function) {
  std::optional<double> left = numberOf(lhs), right = numberOf(rhs);
  return left && right ? number(op, function(*left, *right)) : OpFoldResult();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

OpFoldResult ExtentOp::fold(FoldAdaptor) {
  std::optional<DimExpr> value = DimExpr::parse(getValue());
  std::optional<int64_t> constant = value ? value->constant() : std::nullopt;
  return constant ? number(*this, static_cast<double>(*constant)) : OpFoldResult();
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getOperand().getDefiningOp<NegOp>())
    return inner.getOperand();
  std::optional<double> x = numberOf(adaptor.getOperand());
  return x ? number(*this, -*x) : OpFoldResult();
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getOperand().getDefiningOp<NotOp>())
    return inner.getOperand();
  std::optional<double> x = numberOf(adaptor.getOperand());
  return x ? number(*this, *x == 0) : OpFoldResult();
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getResult().getType())
    return getOperand();
  std::optional<double> x = numberOf(adaptor.getOperand());
  Type to = fieldOf(getResult()).getElement();
  if (!x || (isa<IntegerType>(to) && !to.isInteger(1) && !(std::fabs(*x) < 0x1p31))) // at run time it has a meaning
    return {};
  return number(*this, to.isInteger(1) ? *x != 0 : *x);
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (isNumber(adaptor.getRhs(), 0))
    if (OpFoldResult lhs = operandAsResult(*this, getLhs()))
      return lhs;
  return foldBinary(*this, adaptor.getLhs(), adaptor.getRhs(), std::plus<double>());
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isNumber(adaptor.getRhs(), 0))
    if (OpFoldResult lhs = operandAsResult(*this, getLhs()))
      return lhs;
  return foldBinary(*this, adaptor.getLhs(), adaptor.getRhs(), std::minus<double>());
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isNumber(adaptor.getRhs(), 1))
    if (OpFoldResult lhs = operandAsResult(*this, getLhs()))
      return lhs;
  return foldBinary(*this, adaptor.getLhs(), adaptor.getRhs(), std::multiplies<double>());
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isNumber(adaptor.getRhs(), 1))
    return operandAsResult(*this, getLhs());
  if (!fieldOf(getResult()).isReal())
    return {};
  return foldBinary(*this, adaptor.getLhs(), adaptor.getRhs(), std::divides<double>());
}

OpFoldResult MaximumOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldBinary(*this, adaptor.getLhs(), adaptor.getRhs(),
                    [](double a, double b) { return std::isnan(a) || a > b ? a : b; });
}

OpFoldResult MinimumOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldBinary(*this, adaptor.getLhs(), adaptor.getRhs(),
                    [](double a, double b) { return std::isnan(a) || a < b ? a : b; });
}

OpFoldResult PowOp::fold(FoldAdaptor adaptor) {
  if (isNumber(adaptor.getRhs(), 0))
    return number(*this, 1);
  return isNumber(adaptor.getRhs(), 1) ? operandAsResult(*this, getLhs()) : OpFoldResult();
}

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  if (isNumber(adaptor.getRhs(), 0))
    return number(*this, 0);
  return isNumber(adaptor.getRhs(), 1) || getLhs() == getRhs() ? operandAsResult(*this, getLhs()) : OpFoldResult();
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  if (isNumber(adaptor.getRhs(), 1))
    return number(*this, 1);
  return isNumber(adaptor.getRhs(), 0) || getLhs() == getRhs() ? operandAsResult(*this, getLhs()) : OpFoldResult();
}

/// Whether `condition` asks for a degree above 0 where every vertex has a loop.
static bool holdsByLoops(Value condition) {
  auto compare = condition.getDefiningOp<CompareOp>();
  auto degree = compare ? compare.getLhs().getDefiningOp<DegreeOp>() : DegreeOp();
  Attribute least;
  if (!degree || compare.getPredicate() != Predicate::Gt || !matchPattern(compare.getRhs(), m_Constant(&least)) ||
      !isNumber(least, 0))
    return false;
  ModelAttr model = ModelAttr::of(degree);
  const bool isOfAllTypes = fieldOf(degree.getResult()).getRank() == 0; // an added loop has none
  return isOfAllTypes && model && model.getRelations()[degree.getRelation()].addsLoops();
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (std::optional<double> condition = numberOf(adaptor.getCondition()))
    return operandAsResult(*this, *condition != 0 ? getThen() : getOtherwise());
  if (holdsByLoops(getCondition()))
    return operandAsResult(*this, getThen());
  return getThen() == getOtherwise() ? operandAsResult(*this, getThen()) : OpFoldResult();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (Attribute constant = adaptor.getOperand())
    return constant;
  return operandAsResult(*this, getOperand());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (Attribute constant = adaptor.getOperand())
    return constant;
  if (auto inner = getOperand().getDefiningOp<ReshapeOp>()) {
    getOperandMutable().assign(inner.getOperand());
    return getResult();
  }
  return operandAsResult(*this, getOperand());
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (Attribute constant = adaptor.getOperand())
    return constant;
  if (llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getPermutation().size())))
    return getOperand();
  auto inner = getOperand().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  SmallVector<int64_t> permutation =
      llvm::map_to_vector(getPermutation(), [&](int64_t dim) { return inner.getPermutation()[dim]; });
  getOperandMutable().assign(inner.getOperand());
  setPermutation(permutation);
  return getResult();
}
