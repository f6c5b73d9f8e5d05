//===- Evaluate.h - One evaluator for each family of values -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function fills `result`, which has its rows and shape and is zero, from the fields of the operands.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_INTERPRETER_EVALUATE_H
#define GNNC_INTERPRETER_EVALUATE_H

#include "compiler/Interpreter/Context.h"

namespace gnnc {

bool isUnary(ValueKind kind);
bool isBinary(ValueKind kind);
bool isComparison(ValueKind kind);

void evaluateUnary(const Value &value, const OracleValues &values, OracleField &result);
void evaluateBinary(const Value &value, const OracleValues &values, OracleField &result);
void evaluateSelect(const Value &value, const OracleValues &values, OracleField &result);

void evaluateBroadcast(const Value &value, const OracleValues &values, OracleField &result);
void evaluateReduce(const Value &value, const OracleValues &values, OracleField &result);
/// A row of a table of P, or of a field's own first dimension.
void evaluateIndex(const Value &value, const OracleValues &values, OracleField &result);
void evaluateTypedMatMul(const Value &value, const OracleValues &values, OracleField &result);
void evaluateMatMul(const Value &value, const OracleValues &values, OracleField &result);
void evaluateReshape(const Value &value, const OracleValues &values, OracleField &result);
void evaluateConcat(const Value &value, const OracleValues &values, OracleField &result);
void evaluateTranspose(const Value &value, const OracleValues &values, OracleField &result);
/// The operand, then zeros, along the last dimension.
void evaluatePad(const Value &value, const OracleValues &values, OracleField &result);
void evaluateSlice(const OracleContext &context, const Value &value, const OracleValues &values, OracleField &result);

void evaluateRead(const OracleContext &context, const Value &value, const OracleValues &values, OracleField &result);
void evaluateAggregate(const OracleContext &context, const Value &value, const OracleValues &values,
                       OracleField &result);
void evaluateSoftmax(const OracleContext &context, const Value &value, const OracleValues &values, OracleField &result);
/// The edges of `row` that take part in an Aggregate or Softmax, in canonical order.
std::vector<int64_t> participatingEdges(const OracleContext &context, const Value &value, const OracleValues &values,
                                        int64_t row);
/// Those edges with the elements of the row that they are aggregated to: `offset` is the first. An aggregation by type
/// has a group for each edge type.
struct EdgeGroup {
  int64_t offset;
  std::vector<int64_t> edges;
};
std::vector<EdgeGroup> edgeGroups(const OracleContext &context, const Value &value, const OracleValues &values,
                                  const OracleField &result, int64_t row);
/// The first of `edges`, or vertices (not empty), that a Max or Min selects for `element`.
int64_t selectEdge(Reduction reduction, const OracleField &field, const std::vector<int64_t> &edges, int64_t element);

/// The shift that a logsumexp subtracts before it takes exponentials: the largest operand, or 0 if all are -inf.
double shiftOf(double largest);

void evaluateTotal(const OracleContext &context, const Value &value, const OracleValues &values, OracleField &result);

void evaluateLoss(const Value &value, const OracleValues &values, OracleField &result);

} // namespace gnnc

#endif // GNNC_INTERPRETER_EVALUATE_H
