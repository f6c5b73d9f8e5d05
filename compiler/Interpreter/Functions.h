//===- Functions.h - The oracle's elementwise functions ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementwise functions of compiler/Frontend/Functions.def in float64, each written from its definition: its value,
// its slopes, and where it is not smooth. Functions.cpp switches over them without a default, and a function that one
// of the switches leaves out does not compile.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_INTERPRETER_FUNCTIONS_H
#define GNNC_INTERPRETER_FUNCTIONS_H

#include "compiler/Frontend/CheckedModel.h"
#include <optional>
#include <utility>

namespace gnnc {

enum class UnaryFunction {
#define UNARY(KIND, NAME, USAGE, DOC) KIND,
#include "compiler/Frontend/Functions.def"
};

enum class BinaryFunction {
#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC) KIND,
#include "compiler/Frontend/Functions.def"
};

/// The function that values of `kind` compute; none for operators and all else.
std::optional<UnaryFunction> unaryFunctionOf(ValueKind kind);
std::optional<BinaryFunction> binaryFunctionOf(ValueKind kind);

double valueOf(UnaryFunction function, double x);
double valueOf(BinaryFunction function, double x, double y);

/// The derivative at `x`, where the function has the value `result`; none where no gradient passes, whatever it is.
std::optional<double> slopeOf(UnaryFunction function, double x, double result);

/// Derivatives by both operands.
struct Slopes {
  std::optional<double> x, y;
};
Slopes slopesOf(BinaryFunction function, double x, double y, double result);

/// Whether the function repeats itself, so that an argument with an error of a period or more says nothing.
bool isPeriodic(UnaryFunction function);
/// The argument nearest to `x` at which the function jumps or bends; none for a function that is smooth.
std::optional<double> kinkOf(UnaryFunction function, double x);
/// Two numbers that are equal where the function jumps or bends, and near each other close by.
std::optional<std::pair<double, double>> kinkOf(BinaryFunction function, double x, double y);

} // namespace gnnc

#endif // GNNC_INTERPRETER_FUNCTIONS_H
