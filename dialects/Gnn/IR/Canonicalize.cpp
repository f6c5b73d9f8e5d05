//===- Canonicalize.cpp - Canonical forms of gnn ops ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algebra that needs new ops: choices that meet, sums of constants, squares.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/FieldBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include <cmath>
#include <optional>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

std::optional<double> gnn::numberOf(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return real.getValueAsDouble();
  auto integer = dyn_cast<IntegerAttr>(attribute);
  return integer ? std::optional<double>(integer.getInt()) : std::nullopt;
}

static bool isNumber(Value value, double number) { return numberOf(value) == number; }

/// select(c, a, 0) + select(c, 0, b) -> select(c, a, b): the gradient of a choice whose halves both lead back to one
/// value.
static LogicalResult mergeHalves(AddOp op, PatternRewriter &rewriter) {
  auto first = op.getLhs().getDefiningOp<SelectOp>(), second = op.getRhs().getDefiningOp<SelectOp>();
  if (!first || !second || first.getCondition() != second.getCondition())
    return failure();
  if (isNumber(first.getThen(), 0))
    std::swap(first, second);
  if (!isNumber(first.getOtherwise(), 0) || !isNumber(second.getThen(), 0))
    return failure();
  FailureOr<FieldType> joined = joinKinds(
      std::nullopt, {fieldOf(first.getThen()), fieldOf(second.getOtherwise()), fieldOf(first.getCondition())});
  if (failed(joined) || *joined != op.getResult().getType())
    return failure();
  rewriter.replaceOpWithNewOp<SelectOp>(op, first.getCondition(), first.getThen(), second.getOtherwise());
  return success();
}

void AddOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) { patterns.add(mergeHalves); }

/// select(c, 0, x) * number -> select(c, 0, x * number), if nothing else uses the choice.
static LogicalResult scaleChosen(MulOp op, PatternRewriter &rewriter) {
  auto choice = op.getLhs().getDefiningOp<SelectOp>();
  std::optional<double> factor = numberOf(op.getRhs());
  if (!choice || !factor || !std::isfinite(*factor) || !choice->hasOneUse())
    return failure();
  bool zeroFirst = isNumber(choice.getThen(), 0);
  if (!zeroFirst && !isNumber(choice.getOtherwise(), 0))
    return failure();
  FieldBuilder field(rewriter, op.getLoc());
  Value zero = zeroFirst ? choice.getThen() : choice.getOtherwise();
  Value scaled = field.mul(zeroFirst ? choice.getOtherwise() : choice.getThen(), op.getRhs());
  rewriter.replaceOp(op, field.select(choice.getCondition(), zeroFirst ? zero : scaled, zeroFirst ? scaled : zero));
  return success();
}

void MulOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) { patterns.add(scaleChosen); }

/// The sum of n equal numbers is n times one of them.
static LogicalResult sumConstant(ReduceOp op, PatternRewriter &rewriter) {
  std::optional<double> number = numberOf(op.getOperand());
  if (!number || !isa<SumAttr>(op.getAggregator()) || !fieldOf(op.getOperand()).isParameter())
    return failure();
  FieldBuilder field(rewriter, op.getLoc());
  FieldType type = fieldOf(op.getResult());
  Value count = field.make<ExtentOp>(type.withDims({}), fieldOf(op.getOperand()).getDims()[op.getDim()]);
  rewriter.replaceOp(op, field.mul(field.splat(count, type), field.make<ConstantOp>(type, *number)));
  return success();
}

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) { patterns.add(sumConstant); }

static LogicalResult squareByProduct(PowOp op, PatternRewriter &rewriter) {
  if (!isNumber(op.getRhs(), 2) || op.getLhs().getType() != op.getResult().getType())
    return failure();
  rewriter.replaceOpWithNewOp<MulOp>(op, op.getLhs(), op.getLhs());
  return success();
}

void PowOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) { patterns.add(squareByProduct); }
