//===- ElementwiseAdjoints.cpp - Adjoints of elementwise operations -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of operators, functions (Functions.h) and select.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Adjoints.h"
#include "compiler/Interpreter/Functions.h"
#include <optional>

namespace gnnc {

/// d result / d x, given both; none where no gradient passes, whatever it is.
static std::optional<double> unaryDerivative(const Value &value, double x, double result) {
  if (std::optional<UnaryFunction> function = unaryFunctionOf(value.kind))
    return slopeOf(*function, x, result);
  switch (value.kind) {
  case ValueKind::Neg:
    return -1;
  case ValueKind::Cast:
    if (value.type.element == ElementKind::Real || value.type.element == ElementKind::F32 ||
        value.type.element == ElementKind::F64)
      return 1;
    return std::nullopt;
  default:
    return std::nullopt; // Not
  }
}

static Slopes binaryDerivative(const Value &value, double x, double y, double result) {
  if (std::optional<BinaryFunction> function = binaryFunctionOf(value.kind))
    return slopesOf(*function, x, y, result);
  switch (value.kind) {
  case ValueKind::Add:
    return {1, 1};
  case ValueKind::Sub:
    return {1, -1};
  case ValueKind::Mul:
    return {y, x};
  case ValueKind::Div:
    return {1 / y, -result / y};
  default:
    return {}; // comparisons and logic
  }
}

/// A gradient of 0 adds nothing, even if the derivative is no number: it is that of what is left out.
static void add(double &adjoint, double gradient, std::optional<double> derivative) {
  if (derivative && gradient != 0)
    adjoint += gradient * *derivative;
}

void unaryAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient) {
  const OracleField &x = state.operand(value, 0);
  OracleField &dx = state.adjoint(value, 0);
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t i = 0; i < result.rowSize(); ++i)
      add(dx.row(row)[i], gradient.row(row)[i], unaryDerivative(value, x.row(row)[i], result.row(row)[i]));
}

void binaryAdjoint(AdjointState &state, const Value &value, const OracleField &result, const OracleField &gradient) {
  const OracleField &x = state.operand(value, 0), &y = state.operand(value, 1);
  OracleField &dx = state.adjoint(value, 0), &dy = state.adjoint(value, 1);
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t i = 0; i < result.rowSize(); ++i) {
      Slopes d = binaryDerivative(value, x.row(row)[i], y.row(row)[i], result.row(row)[i]);
      add(dx.row(row)[i], gradient.row(row)[i], d.x);
      add(dy.row(row)[i], gradient.row(row)[i], d.y);
    }
}

void selectAdjoint(AdjointState &state, const Value &value, const OracleField &gradient) {
  const OracleField &condition = state.operand(value, 0);
  OracleField &dx = state.adjoint(value, 1), &dy = state.adjoint(value, 2);
  for (int64_t row = 0; row < gradient.rows; ++row)
    for (int64_t i = 0; i < gradient.rowSize(); ++i)
      (condition.row(row)[i] != 0 ? dx : dy).row(row)[i] += gradient.row(row)[i];
}

} // namespace gnnc
