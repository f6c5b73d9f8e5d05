//===- AdjointBuilder.cpp - Building gradients ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects gradients, and sums over vertices or edges what an operand has only one of.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/AdjointBuilder.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static bool isSame(const Condition &a, const Condition &b) { return a.value == b.value && a.holds == b.holds; }

/// Whether `op` computes element i of its result from element i of its operands.
static bool isElementwise(Operation *op) { return isa<ElementwiseOpInterface, TotalOp>(op); }

/// Whether the operands of `op` belong to other vertices or edges than its result.
static bool leavesRow(Operation *op) {
  if (isa<IndexOp, TypedMatMulOp>(op)) {
    const FieldType operand = fieldOf(op->getOperand(0));
    return !operand.isParameter() && operand.getKind() != fieldOf(op->getResult(0)).getKind();
  }
  return isa<ReadSourceOp, ReadDestinationOp, AggregateOp, SoftmaxOp, TableRowsOp>(op);
}

/// Whether the adjoint of `op` sums products over rows itself.
static bool sumsRows(Operation *op) { return isa<MatMulOp, IndexOp, TypedMatMulOp>(op); }

static bool isLoss(Operation *op) { return isa<CrossEntropyOp, BinaryCrossEntropyOp, MeanSquaredErrorOp>(op); }

/// Whether the adjoint of `op` multiplies the gradient by numbers that may be infinite, or NaN.
static bool multiplies(Operation *op, Reach reach) {
  if (reach == Reach::Element)
    return isLoss(op) ||
           (isa<ElementwiseOpInterface>(op) && cast<ElementwiseOpInterface>(op).getElementFacts().hasInfiniteSlope);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return isa<LogSumExpAttr, ProdAttr>(reduce.getAggregator());
  return !isa<NegOp, AbsOp, AddOp, SubOp, MaximumOp, MinimumOp, SelectOp, CastOp, TotalOp, BroadcastOp, ReshapeOp,
              ConcatOp, PadOp, SliceOp, TransposeOp, IndexOp, MatMulOp, TypedMatMulOp>(op);
}

Value AdjointBuilder::chosen(Value x, const Condition &condition) {
  Value counts = condition.value;
  if (fieldOf(counts).getRank() != fieldOf(x).getRank())
    counts = splat(counts, fieldOf(x));
  return condition.holds ? where(counts, x) : select(counts, constant(x, 0), x);
}

Value AdjointBuilder::apply(Value gradient, ArrayRef<Condition> conditions) {
  Value ofRow; // all conditions without dimensions as one: one select for each element
  for (const Condition &condition : conditions) {
    if (condition.isApplied)
      continue;
    if (condition.holds && fieldOf(condition.value).getRank() == 0)
      ofRow = ofRow ? make<AndOp>(ofRow, condition.value).getResult() : condition.value;
    else
      gradient = chosen(gradient, condition);
  }
  return ofRow ? chosen(gradient, {ofRow, /*holds=*/true, Reach::Row, /*isApplied=*/false}) : gradient;
}

Condition AdjointBuilder::whereNotZero(Value field, Reach reach, bool isApplied) {
  return {compare(Predicate::Ne, field, constant(field, 0)), /*holds=*/true, reach, isApplied};
}

/// Sets `inherited` and `renewed`. Returns the gradient's numbers, 0 where a condition that is not inherited fails.
Value AdjointBuilder::inherit(DifferentiableOpInterface op, const Gradient &gradient) {
  SmallVector<Condition, 2> ended;
  for (Condition condition : gradient.conditions) {
    const bool isOfRow = fieldOf(condition.value).getRank() == 0 && (condition.reach != Reach::Element || isLoss(op));
    if (isElementwise(op) || (isOfRow && !leavesRow(op))) {
      inherited.push_back(condition);
      continue;
    }
    ended.push_back(condition);
    auto softmax = dyn_cast<SoftmaxOp>(op.getOperation());
    if (softmax && condition.holds && condition.value == softmax.getFilter()) // the softmax's own
      continue;
    const Reach least = leavesRow(op) ? Reach::Graph : Reach::Row;
    if (condition.reach >= least)
      renewed = renewed ? std::min(*renewed, condition.reach) : condition.reach;
  }
  Value numbers = apply(gradient.value, ended);
  if (sumsRows(op)) {
    numbers = apply(numbers, inherited);
    for (Condition &condition : inherited)
      condition.isApplied = true;
  }
  for (Condition &condition : inherited)
    condition.isApplied &= !multiplies(op, condition.reach);
  return numbers;
}

void AdjointBuilder::propagate(DifferentiableOpInterface op) {
  auto found = gradients.find(op->getResult(0));
  if (found == gradients.end())
    return;
  loc = op->getLoc();
  op.buildAdjoint(*this, inherit(op, found->second));
  inherited.clear();
  renewed.reset();
}

Value AdjointBuilder::whereCounted(Value x, Value gradient, unsigned numOuter) {
  for (const Condition &condition : inherited)
    x = chosen(x, condition);
  if (!renewed)
    return x;
  FieldType type = fieldOf(gradient);
  Value counts = make<CastOp>(type, whereNotZero(gradient, *renewed, /*isApplied=*/true).value);
  for (unsigned dim = type.getRank(); dim > numOuter; --dim)
    counts = sumOver(counts, dim - 1);
  SmallVector<int64_t> outer = llvm::to_vector(llvm::seq<int64_t>(0, numOuter));
  return where(broadcast(compare(Predicate::Ne, counts, constant(counts, 0)), fieldOf(x), outer), x);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The sum of two gradients. A condition that both have stays. Where each has one of its own, the sum is 0 where
/// neither holds.
Gradient AdjointBuilder::merge(const Gradient &first, const Gradient &second) {
  Gradient sum;
  SmallVector<Condition, 2> ofFirst, ofSecond;
  for (Condition condition : first.conditions) {
    const Condition *other = llvm::find_if(second.conditions, [&](auto &each) { return isSame(each, condition); });
    const bool isCommon = other != second.conditions.end();
    if (isCommon)
      condition.isApplied &= other->isApplied;
    (isCommon ? sum.conditions : ofFirst).push_back(condition);
  }
  for (Condition condition : second.conditions)
    if (llvm::none_of(sum.conditions, [&](auto &each) { return isSame(each, condition); }))
      ofSecond.push_back(condition);
  sum.value = add(apply(first.value, ofFirst), apply(second.value, ofSecond));
  // Where a condition of one gradient fails, its opposite of the other may hold.
  auto isOppositeIn = [](ArrayRef<Condition> others, const Condition &condition) {
    return llvm::any_of(others, [&](const Condition &other) {
      return other.value == condition.value && other.holds != condition.holds;
    });
  };
  const SmallVector<Condition, 2> allOfFirst = ofFirst;
  llvm::erase_if(ofFirst, [&](const Condition &condition) { return isOppositeIn(ofSecond, condition); });
  llvm::erase_if(ofSecond, [&](const Condition &condition) { return isOppositeIn(allOfFirst, condition); });
  if (ofFirst.empty() || ofSecond.empty())
    return sum;
  // A gradient is 0 where any of its conditions fails, so the one that goes farthest counts. But conditions that would
  // slow down common models end with those that end here.
  auto goesFar = [](const Condition &condition) { return condition.reach == Reach::Graph; };
  Reach reach = Reach::Graph;
  if (llvm::none_of(ofFirst, goesFar) || llvm::none_of(ofSecond, goesFar))
    for (const Condition &condition : llvm::concat<const Condition>(ofFirst, ofSecond))
      reach = std::min(reach, condition.reach);
  if (reach != Reach::Element)
    sum.conditions.push_back(whereNotZero(sum.value, reach, /*isApplied=*/true));
  return sum;
}

/// Sums a gradient of vertices or edges to the gradient of a parameter, which has only one value.
Gradient AdjointBuilder::sumToParameter(const Gradient &gradient) {
  Gradient sum = {sumToParameter(apply(gradient.value, gradient.conditions)), {}};
  if (llvm::any_of(gradient.conditions, [](const Condition &each) { return each.reach == Reach::Graph; }))
    sum.conditions.push_back(whereNotZero(sum.value, Reach::Graph, /*isApplied=*/true));
  return sum;
}

void AdjointBuilder::addTo(Value value, Value gradient, ArrayRef<Condition> conditions, Value basis) {
  if (!wants(value))
    return;
  FieldType type = fieldOf(value);
  assert(fieldOf(gradient).getDims() == type.getDims() && fieldOf(gradient).getElement() == type.getElement() &&
         "a gradient has the shape and element type of its field");
  Gradient added = {gradient, inherited};
  llvm::append_range(added.conditions, conditions);
  if (renewed)
    added.conditions.push_back(whereNotZero(basis ? basis : gradient, *renewed, /*isApplied=*/!basis));
  if (fieldOf(gradient).isParameter()) // the sum over the rows that count
    llvm::erase_if(added.conditions,
                   [](const Condition &condition) { return !fieldOf(condition.value).isParameter(); });
  else if (type.isParameter())
    added = sumToParameter(added);
  Gradient &sum = gradients[value];
  sum = sum.value ? merge(sum, added) : added;
}

std::optional<Condition> AdjointBuilder::whereInRange(Value index, StringAttr extent, Reach reach, bool isApplied) {
  ModelAttr model = ModelAttr::of(builder.getInsertionBlock()->getParentOp());
  if (index.getDefiningOp<EdgeTypeOp>() && model && !model.getRelations()[fieldOf(index).getId()].addsLoops())
    return std::nullopt;
  return Condition{inRange(index, extent), /*holds=*/true, reach, isApplied};
}

void AdjointBuilder::addChosen(Value value, Value condition, bool holds, Value gradient) {
  Condition choice = {condition, holds, Reach::Element, /*isApplied=*/true};
  if (wants(value))
    addTo(value, chosen(gradient, choice), choice);
}

Value AdjointBuilder::gradientOf(Value value) {
  auto found = gradients.find(value);
  return found == gradients.end() ? Value() : apply(found->second.value, found->second.conditions);
}

/// Sums over edges go through the destinations: rows in order, edges in order, as every other sum.
Value AdjointBuilder::sumToParameter(Value field) {
  FieldType type = fieldOf(field);
  return total(type.isEdge() ? sumEdges(field, End::Destination, destinationType(type.getId())) : field);
}

unsigned AdjointBuilder::destinationType(unsigned relation) {
  ModelAttr model = ModelAttr::of(builder.getInsertionBlock()->getParentOp());
  return model ? model.getRelations()[relation].getDestination() : 0;
}
