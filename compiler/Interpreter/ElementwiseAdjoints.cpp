//===- ElementwiseAdjoints.cpp - Derivatives of scalar functions ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives of unary and binary operations and select. At a tie `maximum(a, b)` and `minimum(a, b)` pass all to `a`;
// `abs` passes nothing at 0.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Adjoints.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <optional>

namespace gnnc {

/// d result / d x, given both; none where no gradient passes, whatever it is.
static std::optional<double> unaryDerivative(const Value &value, double x, double result) {
  switch (value.kind) {
  case ValueKind::Neg:
    return -1;
  case ValueKind::Exp:
    return result;
  case ValueKind::Log:
    return 1 / x;
  case ValueKind::Sqrt:
    return 0.5 / result;
  case ValueKind::Rsqrt:
    return -0.5 * result / x;
  case ValueKind::Sigmoid:
    return result * (1 - result);
  case ValueKind::Tanh:
    return 1 - result * result;
  case ValueKind::Erf:
    return 2 * llvm::numbers::inv_sqrtpi * std::exp(-x * x);
  case ValueKind::Abs:
    if (x == 0)
      return std::nullopt;
    return x > 0 ? 1 : -1;
  case ValueKind::Cast:
    if (value.type.element == ElementKind::Real || value.type.element == ElementKind::F32 ||
        value.type.element == ElementKind::F64)
      return 1;
    return std::nullopt;
  default:
    return std::nullopt; // Not
  }
}

struct BinaryDerivative {
  std::optional<double> x, y;
};

static BinaryDerivative powDerivative(double x, double y, double result) {
  BinaryDerivative d;
  if (y != 0)
    d.x = y * std::pow(x, y - 1);
  if (!(x <= 0))
    d.y = result * std::log(x);
  return d;
}

static BinaryDerivative binaryDerivative(const Value &value, double x, double y, double result) {
  switch (value.kind) {
  case ValueKind::Add:
    return {1, 1};
  case ValueKind::Sub:
    return {1, -1};
  case ValueKind::Mul:
    return {y, x};
  case ValueKind::Div:
    return {1 / y, -result / y};
  case ValueKind::Maximum:
  case ValueKind::Minimum: {
    if (beats(value.kind == ValueKind::Maximum ? Reduction::Max : Reduction::Min, y, x))
      return {std::nullopt, 1};
    return {1, std::nullopt};
  }
  case ValueKind::Pow:
    return powDerivative(x, y, result);
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
      BinaryDerivative d = binaryDerivative(value, x.row(row)[i], y.row(row)[i], result.row(row)[i]);
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
