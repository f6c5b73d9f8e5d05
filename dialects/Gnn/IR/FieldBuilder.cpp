//===- FieldBuilder.cpp - Short hands for building gnn ops ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each short hand works out the type of its result.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/FieldBuilder.h"
#include "dialects/Gnn/IR/ElementBuilder.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

Value FieldBuilder::constant(Value like, double number) {
  return make<ConstantOp>(fieldOf(like).withKind(GraphKind::P, 0), number);
}

Value FieldBuilder::neg(Value x) { return make<NegOp>(x.getType(), x); }
Value FieldBuilder::add(Value a, Value b) { return make<AddOp>(a, b); }
Value FieldBuilder::sub(Value a, Value b) { return make<SubOp>(a, b); }
Value FieldBuilder::mul(Value a, Value b) { return make<MulOp>(a, b); }
Value FieldBuilder::div(Value a, Value b) { return make<DivOp>(a, b); }
Value FieldBuilder::exp(Value x) { return make<ExpOp>(x.getType(), x); }
Value FieldBuilder::compare(Predicate predicate, Value a, Value b) { return make<CompareOp>(predicate, a, b); }
Value FieldBuilder::select(Value condition, Value then, Value otherwise) {
  return make<SelectOp>(condition, then, otherwise);
}
Value FieldBuilder::where(Value condition, Value x, double otherwise) {
  return select(condition, x, constant(x, otherwise));
}

Value FieldBuilder::inRange(Value index, StringRef extent) {
  Value zero = constant(index, 0);
  Value end = make<ExtentOp>(zero.getType(), extent);
  return make<AndOp>(compare(Predicate::Ge, index, zero), compare(Predicate::Lt, index, end));
}

Value FieldBuilder::numElements(FieldType like) {
  FieldType scalar = like.withKind(GraphKind::P, 0).withDims({});
  return make<ExtentOp>(scalar, like.getNumElements().str());
}

Value FieldBuilder::broadcast(Value x, FieldType like, ArrayRef<int64_t> dims) {
  FieldType type = fieldOf(x).withDims(like.getDims());
  return type == x.getType() ? x : make<BroadcastOp>(type, x, dims).getResult();
}

Value FieldBuilder::sumOver(Value x, unsigned dim) {
  return make<ReduceOp>(SumAttr::get(builder.getContext()), x, dim);
}

Value FieldBuilder::oneHot(Value index, FieldType type, unsigned dim) {
  FieldType from = fieldOf(index);
  return make<OneHotOp>(type.withKind(from.getKind(), from.getId()), index, dim);
}

Value FieldBuilder::read(Value x, End end, unsigned relation) {
  FieldType type = fieldOf(x);
  if (end == End::Source)
    return make<ReadSourceOp>(type.withKind(GraphKind::S, relation), x);
  return make<ReadDestinationOp>(type.withKind(GraphKind::D, relation), x);
}

Value FieldBuilder::aggregate(AggregatorInterface aggregator, Value x, End toward, unsigned vertexType) {
  return make<AggregateOp>(aggregator, x, Value(), toward, vertexType).getResult();
}

Value FieldBuilder::sumEdges(Value x, End toward, unsigned vertexType) {
  return aggregate(SumAttr::get(builder.getContext()), x, toward, vertexType);
}

Value FieldBuilder::total(Value x) { return make<TotalOp>(SumAttr::get(builder.getContext()), x); }
