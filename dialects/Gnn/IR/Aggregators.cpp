//===- Aggregators.cpp - Ways to fold the values of edges -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sum, product, max, min and logsumexp: state, identity, step, merge, finish and adjoint of each.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/AdjointBuilder.h"
#include "dialects/Gnn/IR/ElementBuilder.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

static constexpr double infinity = std::numeric_limits<double>::infinity();

static unsigned relationOf(AggregateOp aggregate) { return fieldOf(aggregate.getOperand()).getId(); }

/// A result of `aggregate`, or a field like it, as its edges see it; 0 where `by` is outside its dimension.
static Value readBack(AdjointBuilder &adjoint, AggregateOp aggregate, Value field) {
  Value read = adjoint.read(field, aggregate.getToward(), relationOf(aggregate));
  return aggregate.getBy() ? adjoint.make<IndexOp>(read, aggregate.getBy()).getResult() : read;
}

/// The fold of other values of the same edges.
static Value refold(AdjointBuilder &adjoint, AggregateOp aggregate, AggregatorInterface aggregator, Value operand) {
  unsigned vertexType = fieldOf(aggregate.getResult()).getId();
  return adjoint
      .make<AggregateOp>(aggregator, operand, aggregate.getFilter(), aggregate.getBy(), aggregate.getByDim(),
                         aggregate.getToward(), vertexType)
      .getResult();
}

/// The conditions under which an aggregation takes an edge: its filter holds, and `by` is an entry of its dimension.
static SmallVector<Condition, 2> whereTaken(AdjointBuilder &adjoint, AggregateOp aggregate, bool isZeroOutsideOfBy) {
  SmallVector<Condition, 2> conditions;
  if (Value filter = aggregate.getFilter())
    conditions.push_back({filter, /*holds=*/true, Reach::Graph, /*isApplied=*/false});
  if (Value by = aggregate.getBy())
    if (auto isEntry = adjoint.whereInRange(by, aggregate.getByDim(), Reach::Graph, isZeroOutsideOfBy))
      conditions.push_back(*isEntry);
  return conditions;
}

/// Adds `gradient` for the edges that are taken. It is 0 or NaN where `read`, the result's gradient, is 0.
static void addFiltered(AdjointBuilder &adjoint, AggregateOp aggregate, Value gradient, Value read) {
  SmallVector<Condition, 2> conditions = whereTaken(adjoint, aggregate, /*isZeroOutsideOfBy=*/gradient == read);
  adjoint.addTo(aggregate.getOperand(), gradient, conditions, gradient == read ? Value() : read);
}

//===----------------------------------------------------------------------===//
// Sum
//===----------------------------------------------------------------------===//

SmallVector<Type> SumAttr::getStateTypes(Type element) const { return {element}; }
SmallVector<TypedAttr> SumAttr::getIdentity(Type element) const { return {numberAttr(element, 0)}; }

SmallVector<Value> SumAttr::buildStep(OpBuilder &builder, Location loc, ValueRange state, Value value, Value) const {
  return {ElementBuilder(builder, loc).byElement<arith::AddFOp, arith::AddIOp>(state[0], value)};
}

SmallVector<Value> SumAttr::buildMerge(OpBuilder &builder, Location loc, ValueRange left, ValueRange right) const {
  return buildStep(builder, loc, left, right[0], {});
}

Value SumAttr::buildFinish(OpBuilder &, Location, ValueRange state) const { return state[0]; }

void SumAttr::buildAdjoint(AdjointBuilder &adjoint, AggregateOp &aggregate, Value gradient) const {
  Value read = readBack(adjoint, aggregate, gradient);
  addFiltered(adjoint, aggregate, read, read);
}

//===----------------------------------------------------------------------===//
// Product
//===----------------------------------------------------------------------===//

SmallVector<Type> ProdAttr::getStateTypes(Type element) const { return {element}; }
SmallVector<TypedAttr> ProdAttr::getIdentity(Type element) const { return {numberAttr(element, 1)}; }

/// A product that has left the range of its type is infinite: times 0 it is 0, so that the order of factors does not
/// decide between 0 and NaN.
SmallVector<Value> ProdAttr::buildStep(OpBuilder &builder, Location loc, ValueRange state, Value value, Value) const {
  ElementBuilder element(builder, loc);
  Value product = element.byElement<arith::MulFOp, arith::MulIOp>(state[0], value);
  if (!ElementBuilder::isFloat(product))
    return {product};
  Value isNaN = element.compare(arith::CmpFPredicate::UNO, product, product);
  Value areNumbers = element.compare(arith::CmpFPredicate::ORD, state[0], value);
  return {element.select(element.make<arith::AndIOp>(isNaN, areNumbers), element.constant(product, 0), product)};
}

SmallVector<Value> ProdAttr::buildMerge(OpBuilder &builder, Location loc, ValueRange left, ValueRange right) const {
  return buildStep(builder, loc, left, right[0], {});
}

Value ProdAttr::buildFinish(OpBuilder &, Location, ValueRange state) const { return state[0]; }

/// The product of the others: of those that are not 0, divided by the edge's own; with one 0 among them only that edge
/// has one, with more none.
void ProdAttr::buildAdjoint(AdjointBuilder &adjoint, AggregateOp &aggregate, Value gradient) const {
  Value x = aggregate.getOperand();
  FieldType edge = fieldOf(x);
  Value isZero = adjoint.compare(Predicate::Eq, x, adjoint.constant(x, 0));
  Value nonZero = adjoint.select(isZero, adjoint.constant(x, 1), x);
  Value isZeroNumber = adjoint.make<CastOp>(fieldOf(isZero).withElement(edge.getElement()), isZero);
  Value product = readBack(adjoint, aggregate, refold(adjoint, aggregate, *this, nonZero));
  Value zeros = readBack(adjoint, aggregate, refold(adjoint, aggregate, SumAttr::get(getContext()), isZeroNumber));
  auto whereZerosAre = [&](double count, Value others) {
    return adjoint.where(adjoint.compare(Predicate::Eq, zeros, adjoint.constant(zeros, count)), others);
  };
  Value others = adjoint.select(isZero, whereZerosAre(1, product), whereZerosAre(0, adjoint.div(product, nonZero)));
  Value read = readBack(adjoint, aggregate, gradient);
  addFiltered(adjoint, aggregate, adjoint.mul(others, read), read);
}

//===----------------------------------------------------------------------===//
// Max and min
//===----------------------------------------------------------------------===//

static TypedAttr worst(Type element, Extremum extremum) {
  if (isa<FloatType>(element))
    return numberAttr(element, extremum == Extremum::Max ? -infinity : infinity);
  unsigned bits = element.getIntOrFloatBitWidth();
  return IntegerAttr::get(element,
                          extremum == Extremum::Max ? APInt::getSignedMinValue(bits) : APInt::getSignedMaxValue(bits));
}

/// Whether `value` displaces `best`: it is better, or the first NaN.
static Value beats(ElementBuilder &element, Extremum extremum, Value value, Value best) {
  bool max = extremum == Extremum::Max;
  if (!ElementBuilder::isFloat(value))
    return element.compare(max ? CmpIPredicate::sgt : CmpIPredicate::slt, value, best);
  Value better = element.compare(max ? CmpFPredicate::UGT : CmpFPredicate::ULT, value, best);
  return element.make<arith::AndIOp>(better, element.compare(CmpFPredicate::ORD, best, best));
}

/// The better of two values, NaN if one is: one instruction, and one more for NaN beside it.
static Value betterValue(ElementBuilder &element, Extremum extremum, Value value, Value best) {
  bool max = extremum == Extremum::Max;
  if (!ElementBuilder::isFloat(value))
    return element.select(beats(element, extremum, value, best), value, best);
  Value better = element.compare(max ? CmpFPredicate::OGT : CmpFPredicate::OLT, value, best);
  Value ordered = element.select(better, value, best);
  return element.select(element.compare(CmpFPredicate::UNO, value, value), value, ordered);
}

/// The better of two (value, arg) of which the second is there. Without `arg`: any that says that there is one.
static SmallVector<Value> better(ElementBuilder &element, Extremum extremum, ValueRange left, Value value, Value arg,
                                 Value isThere) {
  if (!arg) // what displaces nothing is the identity itself
    return {betterValue(element, extremum, value, left[0]), element.constant(left[1], 0)};
  Value isFirst = element.compare(CmpIPredicate::slt, left[1], element.constant(left[1], 0));
  Value takes = element.make<arith::OrIOp>(isFirst, beats(element, extremum, value, left[0]));
  if (isThere)
    takes = element.make<arith::AndIOp>(takes, isThere);
  return {element.select(takes, value, left[0]), element.select(takes, arg, left[1])};
}

static SmallVector<Value> mergeExtrema(OpBuilder &builder, Location loc, Extremum extremum, ValueRange left,
                                       ValueRange right) {
  ElementBuilder element(builder, loc);
  Value isThere = element.compare(CmpIPredicate::sge, right[1], element.constant(right[1], 0));
  return better(element, extremum, left, right[0], right[1], isThere);
}

static Value finishExtremum(OpBuilder &builder, Location loc, ValueRange state) {
  ElementBuilder element(builder, loc);
  Value none = element.compare(CmpIPredicate::slt, state[1], element.constant(state[1], 0));
  return element.select(none, element.constant(state[0], 0), state[0]);
}

/// The gradient goes to the edge that won.
static void extremumAdjoint(AdjointBuilder &adjoint, AggregateOp aggregate, Value gradient) {
  FieldType edge = fieldOf(aggregate.getOperand());
  FieldType idType = edge.withKind(GraphKind::E, edge.getId()).withElement(adjoint.builder.getI64Type());
  Value id = adjoint.splat(adjoint.make<EdgeIdOp>(idType.withDims({})), idType);
  Value winner = readBack(adjoint, aggregate, aggregate.getArg());
  Value read = readBack(adjoint, aggregate, gradient);
  Value isWinner = adjoint.compare(Predicate::Eq, id, winner);
  SmallVector<Condition, 2> conditions = whereTaken(adjoint, aggregate, /*isZeroOutsideOfBy=*/true);
  for (Condition &condition : conditions) // no other edge wins
    condition.isApplied = true;
  conditions.push_back({isWinner, /*holds=*/true, Reach::Element, /*isApplied=*/true});
  adjoint.addTo(aggregate.getOperand(), adjoint.where(isWinner, read), conditions);
}

#define GNN_EXTREMUM(NAME)                                                                                             \
  bool NAME##Attr::tracksArg() const { return true; }                                                                  \
  SmallVector<Type> NAME##Attr::getStateTypes(Type element) const {                                                    \
    return {element, IntegerType::get(getContext(), 64)};                                                              \
  }                                                                                                                    \
  SmallVector<TypedAttr> NAME##Attr::getIdentity(Type element) const {                                                 \
    return {worst(element, Extremum::NAME), numberAttr(IntegerType::get(getContext(), 64), -1)};                       \
  }                                                                                                                    \
  SmallVector<Value> NAME##Attr::buildStep(OpBuilder &builder, Location loc, ValueRange state, Value value, Value id)  \
      const {                                                                                                          \
    ElementBuilder element(builder, loc);                                                                              \
    return better(element, Extremum::NAME, state, value, id, {});                                                      \
  }                                                                                                                    \
  SmallVector<Value> NAME##Attr::buildMerge(OpBuilder &builder, Location loc, ValueRange left, ValueRange right)       \
      const {                                                                                                          \
    return mergeExtrema(builder, loc, Extremum::NAME, left, right);                                                    \
  }                                                                                                                    \
  Value NAME##Attr::buildFinish(OpBuilder &builder, Location loc, ValueRange state) const {                            \
    return finishExtremum(builder, loc, state);                                                                        \
  }                                                                                                                    \
  void NAME##Attr::buildAdjoint(AdjointBuilder &adjoint, AggregateOp &aggregate, Value gradient) const {               \
    extremumAdjoint(adjoint, aggregate, gradient);                                                                     \
  }
GNN_EXTREMUM(Max)
GNN_EXTREMUM(Min)
#undef GNN_EXTREMUM

//===----------------------------------------------------------------------===//
// Logsumexp
//===----------------------------------------------------------------------===//

SmallVector<Type> LogSumExpAttr::getStateTypes(Type element) const { return {element, element}; }
SmallVector<TypedAttr> LogSumExpAttr::getIdentity(Type element) const {
  return {numberAttr(element, -infinity), numberAttr(element, 0)};
}

/// One exponential: only the sum that belongs to the smaller maximum is scaled.
SmallVector<Value> LogSumExpAttr::buildMerge(OpBuilder &builder, Location loc, ValueRange left,
                                             ValueRange right) const {
  ElementBuilder element(builder, loc);
  Value largest = element.make<arith::MaximumFOp>(left[0], right[0]);
  Value smallest = element.make<arith::MinimumFOp>(left[0], right[0]);
  // -inf - -inf is NaN: where nothing has been seen, nothing is added.
  Value minusInfinity = element.constant(largest, -infinity);
  Value nothing = element.compare(CmpFPredicate::OEQ, largest, minusInfinity);
  Value difference = element.select(nothing, minusInfinity, element.make<arith::SubFOp>(smallest, largest));
  Value scale = element.make<math::ExpOp>(difference);
  auto scaledSum = [&](Value scaled, Value other) {
    return element.make<arith::AddFOp>(element.make<arith::MulFOp>(scaled, scale), other);
  };
  Value rightIsLarger = element.compare(CmpFPredicate::OGT, right[0], left[0]);
  return {largest, element.select(rightIsLarger, scaledSum(left[1], right[1]), scaledSum(right[1], left[1]))};
}

SmallVector<Value> LogSumExpAttr::buildStep(OpBuilder &builder, Location loc, ValueRange state, Value value,
                                            Value) const {
  Value one = ElementBuilder(builder, loc).constant(value, 1);
  return buildMerge(builder, loc, state, {value, one});
}

Value LogSumExpAttr::buildFinish(OpBuilder &builder, Location loc, ValueRange state) const {
  ElementBuilder element(builder, loc);
  Value zero = element.constant(state[1], 0);
  Value none = element.compare(CmpFPredicate::OEQ, state[1], zero);
  // One number for all weights of a softmax: NaN where one of them is exp(inf - inf).
  Value isInfinite = element.compare(CmpFPredicate::OEQ, state[0], element.constant(state[0], infinity));
  Value largest = element.select(isInfinite, element.constant(state[0], std::nan("")), state[0]);
  return element.select(none, zero, element.make<arith::AddFOp>(largest, element.make<math::LogOp>(state[1])));
}

void LogSumExpAttr::buildAdjoint(AdjointBuilder &adjoint, AggregateOp &aggregate, Value gradient) const {
  Value result = readBack(adjoint, aggregate, aggregate.getResult());
  Value share = adjoint.exp(adjoint.sub(aggregate.getOperand(), result));
  Value read = readBack(adjoint, aggregate, gradient);
  addFiltered(adjoint, aggregate, adjoint.mul(share, read), read);
}
