//===- SparseChecker.cpp - Sparse inputs ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse input is a relation from its columns to the vertices (docs/dev/frontend.md): what may be done with it
// becomes operations on the values of its nonzeros, and its product with a parameter an aggregation.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/SparseChecker.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/Wording.h"

using namespace gnnc;
using namespace gnnc::ast;

/// `x @ W`: the sum over the nonzeros of a row of value times row of W.
Operand SparseChecker::sparseMatmul(const Operand &sparse, const Operand &weight, llvm::SMRange range) {
  if (!weight.isField() || weight.shape.empty()) {
    error(DiagnosticCode::E0306, range, "`@` needs a parameter with dimensions on its right")
        .label(weight.range, "a scalar");
    return {};
  }
  if (sparse.shape.back() != weight.shape.front()) {
    error(DiagnosticCode::E0311, range,
          "`" + sourceText(sparse.range) + "` and `" + sourceText(weight.range) + "` do not fit in this product")
        .at("inner dimensions `" + sparse.shape.back().str() + "` and `" + weight.shape.front().str() + "` differ")
        .label(sparse.origin, "this is " + str(sparse.shape))
        .label(weight.origin, "this is " + str(weight.shape));
    return {};
  }
  Operand operands[] = {sparse, weight};
  if (!elementwise.unifyElements(operands, range))
    return {};
  unsigned relation = builder.type(sparse.id).type;
  Shape rest(weight.shape.begin() + 1, weight.shape.end());
  Shape translated = dims.translate(rest, range);
  Value rows{ValueKind::Rows,
             {GraphKind::V, model.relations[relation].sourceType, translated, element(weight)},
             {weight.id},
             "",
             range};
  unsigned row = builder.read(builder.append(std::move(rows)), End::Source, relation, range);
  // The nonzero's value as an edge field of the sparse relation; EdgeSet is for the graph's edges only, so ids are used
  // directly.
  unsigned value = sparse.id;
  if (!rest.empty())
    value = builder.elementwise(ValueKind::Broadcast, {value}, translated, element(sparse), range);
  unsigned product = builder.elementwise(ValueKind::Mul, {value, row}, translated, element(sparse), range);
  unsigned sum = builder.aggregate(Reduction::Sum, {product}, /*filtered=*/false, End::Destination, relation,
                                   Loops::Given, translated, range);
  return fieldOperand(sum, rest, nullptr, range);
}

/// `x * s`, `s * x`, `x / s` for a scalar that is a number, a parameter or v's own.
Operand SparseChecker::sparseScale(ValueKind valueKind, const Operand &a, const Operand &b, llvm::SMRange range) {
  bool isScaling = valueKind == ValueKind::Mul || (valueKind == ValueKind::Div && a.isSparse());
  const Operand &sparse = a.isSparse() ? a : b;
  Operand scale = a.isSparse() ? b : a;
  if (!isScaling || scale.isSparse() || !scale.shape.empty())
    return elementwise.sparseElsewhere(sparse, range, "this operation");
  if (scale.isNumber())
    scale = elementwise.materialize(scale, element(sparse));
  Operand pair[] = {sparse, scale};
  if (!elementwise.unifyElements(pair, range))
    return {};
  unsigned factor = scale.id;
  if (kind(scale) == GraphKind::V)
    factor = builder.read(factor, End::Destination, builder.type(sparse.id).type, range);
  Operand result = sparse;
  result.range = range;
  result.id = builder.elementwise(valueKind, {sparse.id, factor}, {}, element(sparse), range);
  return result;
}

/// `sum<in>(x)`
Operand SparseChecker::sparseRowSum(const Operand &sparse, llvm::SMRange range) {
  unsigned sum = builder.aggregate(Reduction::Sum, {sparse.id}, /*filtered=*/false, End::Destination,
                                   builder.type(sparse.id).type, Loops::Given, {}, range);
  return fieldOperand(sum, {}, nullptr, range);
}
