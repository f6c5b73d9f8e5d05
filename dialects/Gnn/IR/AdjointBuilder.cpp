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

void AdjointBuilder::addTo(Value value, Value gradient) {
  if (!wants(value))
    return;
  FieldType type = fieldOf(value);
  assert(fieldOf(gradient).getDims() == type.getDims() && fieldOf(gradient).getElement() == type.getElement() &&
         "a gradient has the shape and element type of its field");
  if (type.isParameter() && !fieldOf(gradient).isParameter())
    gradient = sumToParameter(gradient);
  Value &sum = gradients[value];
  sum = sum ? add(sum, gradient) : gradient;
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
