//===- Elementwise.cpp - Values computed element by element ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators, functions (Functions.h) and select. Operands have the result's shape; a P operand has one row that every
// row sees.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Evaluate.h"
#include "compiler/Interpreter/Functions.h"
#include <cassert>
#include <cmath>

namespace gnnc {

bool isUnary(ValueKind kind) { return kind >= ValueKind::Neg && kind <= ValueKind::Cast; }
bool isBinary(ValueKind kind) { return kind >= ValueKind::Add && kind <= ValueKind::Or; }
bool isComparison(ValueKind kind) { return kind >= ValueKind::Equal && kind <= ValueKind::GreaterEqual; }

static bool isInteger(ElementKind element) { return element == ElementKind::I32 || element == ElementKind::I64; }

static double applyCast(ElementKind to, double x) {
  if (to == ElementKind::Bool)
    return x != 0;
  if (!isInteger(to))
    return x;
  const double bound = to == ElementKind::I32 ? 0x1p31 : 0x1p63;
  return std::fabs(x) < bound ? std::trunc(x) : -bound;
}

static double applyUnary(const Value &value, double x) {
  if (std::optional<UnaryFunction> function = unaryFunctionOf(value.kind))
    return valueOf(*function, x);
  switch (value.kind) {
  case ValueKind::Neg:
    return -x;
  case ValueKind::Not:
    return x == 0;
  default:
    assert(value.kind == ValueKind::Cast);
    return applyCast(value.type.element, x);
  }
}

static double applyBinary(const Value &value, double x, double y) {
  if (std::optional<BinaryFunction> function = binaryFunctionOf(value.kind))
    return valueOf(*function, x, y);
  switch (value.kind) {
  case ValueKind::Add:
    return x + y;
  case ValueKind::Sub:
    return x - y;
  case ValueKind::Mul:
    return x * y;
  case ValueKind::Div:
    return isInteger(value.type.element) ? std::trunc(x / y) : x / y;
  case ValueKind::Equal:
    return x == y;
  case ValueKind::NotEqual:
    return x != y;
  case ValueKind::Less:
    return x < y;
  case ValueKind::LessEqual:
    return x <= y;
  case ValueKind::Greater:
    return x > y;
  case ValueKind::GreaterEqual:
    return x >= y;
  case ValueKind::And:
    return x != 0 && y != 0;
  default:
    assert(value.kind == ValueKind::Or);
    return x != 0 || y != 0;
  }
}

void evaluateUnary(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]];
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t i = 0; i < result.rowSize(); ++i)
      result.row(row)[i] = applyUnary(value, x.row(row)[i]);
}

void evaluateBinary(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &x = values[value.operands[0]], &y = values[value.operands[1]];
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t i = 0; i < result.rowSize(); ++i)
      result.row(row)[i] = applyBinary(value, x.row(row)[i], y.row(row)[i]);
}

void evaluateSelect(const Value &value, const OracleValues &values, OracleField &result) {
  const OracleField &condition = values[value.operands[0]];
  const OracleField &x = values[value.operands[1]], &y = values[value.operands[2]];
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t i = 0; i < result.rowSize(); ++i)
      result.row(row)[i] = condition.row(row)[i] != 0 ? x.row(row)[i] : y.row(row)[i];
}

} // namespace gnnc
