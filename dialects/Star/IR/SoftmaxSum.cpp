//===- SoftmaxSum.cpp - Sums weighted by a softmax ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The running state of a softmax (Milakov and Gimelshein 2018, algorithm 3): what has been summed is relative to the
// largest score so far, and is scaled when that grows.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/ElementBuilder.h"
#include "dialects/Star/IR/Star.h"
#include <limits>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::star;
using arith::CmpFPredicate;
using gnn::ElementBuilder;

/// One exponential: the other factor is 1. The identity, of maximum -inf, gets the factor 0 beside anything.
std::pair<Value, Value> SoftmaxSumAttr::buildFactors(OpBuilder &builder, Location loc, Value left, Value right) {
  ElementBuilder element(builder, loc);
  Value largest = element.make<arith::MaximumFOp>(left, right), smallest = element.make<arith::MinimumFOp>(left, right);
  // -inf - -inf is NaN: where nothing has been seen, nothing is added.
  Value minusInfinity = element.constant(left, -std::numeric_limits<double>::infinity());
  Value nothing = element.compare(CmpFPredicate::OEQ, largest, minusInfinity);
  Value difference = element.select(nothing, minusInfinity, element.make<arith::SubFOp>(smallest, largest));
  Value scale = element.make<math::ExpOp>(difference), one = element.constant(left, 1);
  Value rightIsLarger = element.compare(CmpFPredicate::OGT, right, left);
  return {element.select(rightIsLarger, scale, one), element.select(rightIsLarger, one, scale)};
}

SmallVector<Type> SoftmaxSumAttr::getStateTypes(Type element) const { return {element}; }
SmallVector<TypedAttr> SoftmaxSumAttr::getIdentity(Type element) const { return {gnn::numberAttr(element, 0)}; }

SmallVector<Value> SoftmaxSumAttr::buildStep(OpBuilder &builder, Location loc, ValueRange state, Value value,
                                             Value) const {
  ElementBuilder element(builder, loc);
  return {element.make<arith::AddFOp>(element.make<arith::MulFOp>(state[0], state[1]), value)};
}

/// A side whose factor is 0 is left out, so that the other keeps its bits, the sign of zeros too.
SmallVector<Value> SoftmaxSumAttr::buildMerge(OpBuilder &builder, Location loc, ValueRange left,
                                              ValueRange right) const {
  ElementBuilder element(builder, loc);
  Value zero = element.constant(left[0], 0);
  Value scaledLeft = element.make<arith::MulFOp>(left[0], left[1]);
  Value scaledRight = element.make<arith::MulFOp>(right[0], right[1]);
  Value sum = element.make<arith::AddFOp>(scaledLeft, scaledRight);
  sum = element.select(element.compare(CmpFPredicate::OEQ, left[1], zero), right[0], sum);
  return {element.select(element.compare(CmpFPredicate::OEQ, right[1], zero), left[0], sum)};
}

Value SoftmaxSumAttr::buildFinish(OpBuilder &builder, Location loc, ValueRange state) const {
  ElementBuilder element(builder, loc);
  Value largest = state[1], sum = state[2];
  // The weight of an infinite score is exp(inf - inf): NaN.
  using Limits = std::numeric_limits<double>;
  Value isInfinite = element.compare(CmpFPredicate::OEQ, largest, element.constant(largest, Limits::infinity()));
  Value divisor = element.select(isInfinite, element.constant(sum, Limits::quiet_NaN()), sum);
  Value none = element.compare(CmpFPredicate::OEQ, sum, element.constant(sum, 0));
  return element.select(none, element.constant(state[0], 0), element.make<arith::DivFOp>(state[0], divisor));
}

/// Sweeps are not differentiated.
void SoftmaxSumAttr::buildAdjoint(gnn::AdjointBuilder &, gnn::AggregateOp &, Value) const {}
