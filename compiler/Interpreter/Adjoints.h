//===- Adjoints.h - One adjoint for each family of values -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function adds what `value` passes to the adjoints of its operands. A P operand of a value with rows collects
// from all of them.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_INTERPRETER_ADJOINTS_H
#define GNNC_INTERPRETER_ADJOINTS_H

#include "compiler/Interpreter/Evaluate.h"
#include <algorithm>

namespace gnnc {

/// The state of a reverse sweep: the forward values and, for each, the gradient collected so far.
struct AdjointState {
  const OracleContext &context;
  const OracleValues &values;
  OracleValues adjoints;

  const OracleField &operand(const Value &value, unsigned i) const { return values[value.operands[i]]; }
  OracleField &adjoint(const Value &value, unsigned i) { return adjoints[value.operands[i]]; }
};

/// `result` is the forward field of `value`, `gradient` its adjoint.
void unaryAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient);
void binaryAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient);
void selectAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);

void broadcastAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);
void reduceAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient);
void indexAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);
void typedMatMulAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);
void matMulAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);
/// Reshape and Rows: the same numbers in the same order.
void reshapeAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);
void concatAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);
void transposeAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);
void padAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);
void sliceAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);

void readAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);
void aggregateAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient);
void softmaxAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient);

void totalAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);

void lossAdjoint(AdjointState &state, const Value &value, const OracleField &gradient);

} // namespace gnnc

#endif // GNNC_INTERPRETER_ADJOINTS_H
