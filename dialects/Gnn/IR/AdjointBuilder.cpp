//===- AdjointBuilder.cpp - Building gradients ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects gradients, and sums what an operand has only one of over vertices or edges.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/AdjointBuilder.h"
#include "dialects/Gnn/IR/ElementBuilder.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

void AdjointBuilder::add(Value value, Value gradient) {
  if (!wants(value))
    return;
  FieldType type = fieldOf(value);
  assert(fieldOf(gradient).getDims() == type.getDims() && fieldOf(gradient).getElement() == type.getElement() &&
         "a gradient has the shape and element type of its field");
  if (type.isParameter() && !fieldOf(gradient).isParameter())
    gradient = sumToParameter(gradient);
  Value &sum = gradients[value];
  sum = sum ? make<AddOp>(sum, gradient).getResult() : gradient;
}

/// Sums over edges go through the destinations: rows in order, edges in order, as every other sum.
Value AdjointBuilder::sumToParameter(Value gradient) {
  FieldType type = fieldOf(gradient);
  if (type.isEdge()) {
    ModelAttr model = ModelAttr::of(builder.getInsertionBlock()->getParentOp());
    gradient = sumEdges(gradient, End::Destination, model ? model.getRelations()[type.getId()].getDestination() : 0);
  }
  return make<TotalOp>(gradient);
}

Value AdjointBuilder::constant(Value like, double number) {
  FieldType type = fieldOf(like).withKind(GraphKind::P, 0);
  return make<ConstantOp>(type, numberAttr(type.getElement(), number));
}

Value AdjointBuilder::neg(Value x) { return make<NegOp>(x.getType(), x); }
Value AdjointBuilder::mul(Value a, Value b) { return make<MulOp>(a, b); }
Value AdjointBuilder::sub(Value a, Value b) { return make<SubOp>(a, b); }
Value AdjointBuilder::div(Value a, Value b) { return make<DivOp>(a, b); }
Value AdjointBuilder::compare(Predicate predicate, Value a, Value b) { return make<CompareOp>(predicate, a, b); }
Value AdjointBuilder::select(Value condition, Value then, Value otherwise) { return make<SelectOp>(condition, then, otherwise); }
Value AdjointBuilder::where(Value condition, Value x) { return select(condition, x, constant(x, 0)); }

Value AdjointBuilder::inRange(Value index, StringRef extent) {
  Value zero = constant(index, 0);
  Value end = make<ExtentOp>(zero.getType(), extent);
  return make<AndOp>(compare(Predicate::Ge, index, zero), compare(Predicate::Lt, index, end));
}

Value AdjointBuilder::broadcast(Value x, FieldType like, ArrayRef<int64_t> dims) {
  FieldType type = fieldOf(x).withDims(like.getDims());
  return type == x.getType() ? x : make<BroadcastOp>(type, x, dims).getResult();
}

Value AdjointBuilder::sumOver(Value x, unsigned dim) { return make<ReduceOp>(SumAttr::get(builder.getContext()), x, dim); }

Value AdjointBuilder::read(Value x, End end, unsigned relation) {
  FieldType type = fieldOf(x);
  if (end == End::Source)
    return make<ReadSourceOp>(type.withKind(GraphKind::S, relation), x);
  return make<ReadDestinationOp>(type.withKind(GraphKind::D, relation), x);
}

Value AdjointBuilder::sumEdges(Value x, End toward, unsigned vertexType) {
  return make<AggregateOp>(SumAttr::get(builder.getContext()), x, Value(), toward, vertexType).getResult();
}
