//===- Functions.cpp - The oracle's elementwise functions -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At a tie `maximum(a, b)` and `minimum(a, b)` pass the whole gradient to `a`; `abs` passes none at 0.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Functions.h"
#include "compiler/Interpreter/Context.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

namespace gnnc {

std::optional<UnaryFunction> unaryFunctionOf(ValueKind kind) {
  switch (kind) {
#define UNARY(KIND, NAME, USAGE, DOC)                                                                                  \
  case ValueKind::KIND:                                                                                                \
    return UnaryFunction::KIND;
#include "compiler/Frontend/Functions.def"
  default:
    return std::nullopt;
  }
}

std::optional<BinaryFunction> binaryFunctionOf(ValueKind kind) {
  switch (kind) {
#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC)                                                             \
  case ValueKind::KIND:                                                                                                \
    return BinaryFunction::KIND;
#include "compiler/Frontend/Functions.def"
  default:
    return std::nullopt;
  }
}

double valueOf(UnaryFunction function, double x) {
  switch (function) {
  case UnaryFunction::Exp:
    return std::exp(x);
  case UnaryFunction::Log:
    return std::log(x);
  case UnaryFunction::Sqrt:
    return std::sqrt(x);
  case UnaryFunction::Rsqrt:
    return 1 / std::sqrt(x);
  case UnaryFunction::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case UnaryFunction::Tanh:
    return std::tanh(x);
  case UnaryFunction::Erf:
    return std::erf(x);
  case UnaryFunction::Abs:
    return std::fabs(x);
  case UnaryFunction::Sign:
    return (x > 0) - (x < 0);
  case UnaryFunction::Sin:
    return std::sin(x);
  case UnaryFunction::Cos:
    return std::cos(x);
  case UnaryFunction::Log1p:
    return std::log1p(x);
  case UnaryFunction::Expm1:
    return std::expm1(x);
  case UnaryFunction::Floor:
    return std::floor(x);
  case UnaryFunction::Ceil:
    return std::ceil(x);
  case UnaryFunction::Round:
    return std::round(x);
  }
  llvm_unreachable("the switch has every function");
}

double valueOf(BinaryFunction function, double x, double y) {
  switch (function) {
  case BinaryFunction::Maximum:
    return beats(Reduction::Max, y, x) ? y : x;
  case BinaryFunction::Minimum:
    return beats(Reduction::Min, y, x) ? y : x;
  case BinaryFunction::Pow:
    return std::pow(x, y);
  case BinaryFunction::Atan2:
    return std::atan2(x, y);
  }
  llvm_unreachable("the switch has every function");
}

std::optional<double> slopeOf(UnaryFunction function, double x, double result) {
  switch (function) {
  case UnaryFunction::Exp:
    return result;
  case UnaryFunction::Log:
    return 1 / x;
  case UnaryFunction::Sqrt:
    return 0.5 / result;
  case UnaryFunction::Rsqrt:
    return -0.5 * result / x;
  case UnaryFunction::Sigmoid:
    return result * (1 - result);
  case UnaryFunction::Tanh:
    return 1 - result * result;
  case UnaryFunction::Erf:
    return 2 * llvm::numbers::inv_sqrtpi * std::exp(-x * x);
  case UnaryFunction::Abs:
    if (x == 0)
      return std::nullopt;
    return x > 0 ? 1 : -1;
  case UnaryFunction::Sin:
    return std::cos(x);
  case UnaryFunction::Cos:
    return -std::sin(x);
  case UnaryFunction::Log1p:
    return 1 / (1 + x);
  case UnaryFunction::Expm1:
    return std::exp(x);
  case UnaryFunction::Sign:
  case UnaryFunction::Floor:
  case UnaryFunction::Ceil:
  case UnaryFunction::Round:
    return std::nullopt;
  }
  llvm_unreachable("the switch has every function");
}

static Slopes powSlopes(double x, double y, double result) {
  Slopes slopes;
  if (y != 0)
    slopes.x = y * std::pow(x, y - 1);
  if (!(x <= 0))
    slopes.y = result * std::log(x);
  return slopes;
}

static Slopes chosenSlopes(bool isSecond) { return isSecond ? Slopes{std::nullopt, 1} : Slopes{1, std::nullopt}; }

Slopes slopesOf(BinaryFunction function, double x, double y, double result) {
  switch (function) {
  case BinaryFunction::Maximum:
    return chosenSlopes(beats(Reduction::Max, y, x));
  case BinaryFunction::Minimum:
    return chosenSlopes(beats(Reduction::Min, y, x));
  case BinaryFunction::Pow:
    return powSlopes(x, y, result);
  case BinaryFunction::Atan2:
    if (x == 0 && y == 0)
      return {std::nullopt, std::nullopt};
    return {y / (x * x + y * y), -x / (x * x + y * y)};
  }
  llvm_unreachable("the switch has every function");
}

bool isPeriodic(UnaryFunction function) { return function == UnaryFunction::Sin || function == UnaryFunction::Cos; }

std::optional<double> kinkOf(UnaryFunction function, double x) {
  switch (function) {
  case UnaryFunction::Abs:
  case UnaryFunction::Sign:
    return 0;
  case UnaryFunction::Floor:
  case UnaryFunction::Ceil:
    return std::nearbyint(x);
  case UnaryFunction::Round:
    return std::floor(x) + 0.5;
  case UnaryFunction::Exp:
  case UnaryFunction::Log:
  case UnaryFunction::Sqrt:
  case UnaryFunction::Rsqrt:
  case UnaryFunction::Sigmoid:
  case UnaryFunction::Tanh:
  case UnaryFunction::Erf:
  case UnaryFunction::Sin:
  case UnaryFunction::Cos:
  case UnaryFunction::Log1p:
  case UnaryFunction::Expm1:
    return std::nullopt;
  }
  llvm_unreachable("the switch has every function");
}

std::optional<std::pair<double, double>> kinkOf(BinaryFunction function, double x, double y) {
  switch (function) {
  case BinaryFunction::Maximum:
  case BinaryFunction::Minimum:
    return std::pair(x, y);
  case BinaryFunction::Atan2: // it jumps where the second operand is negative, and is not smooth at the origin
    return std::pair(y < 0 ? x : std::hypot(x, y), 0.0);
  case BinaryFunction::Pow:
    return std::nullopt;
  }
  llvm_unreachable("the switch has every function");
}

} // namespace gnnc
