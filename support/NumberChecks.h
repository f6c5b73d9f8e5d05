//===- NumberChecks.h - Options that are numbers ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validators whose messages say what is expected: "--clip: expected a number, at least 0, not -1".
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SUPPORT_NUMBERCHECKS_H
#define GNN_SUPPORT_NUMBERCHECKS_H

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace gnn::tools {

/// Finite ones.
CLI::Validator aboveZero();
CLI::Validator zeroOrMore();

/// Lets every option of the program and of its commands that is a whole number take decimal digits of its range alone.
/// CLI11 itself takes the nearest number for one that is out of range, 2^64 - 1 for a seed of -1, and 8 for 010.
void requireWholeNumbers(CLI::App &app);

/// Both ends are allowed.
CLI::Validator wholeNumber(int64_t least, int64_t most = std::numeric_limits<int64_t>::max());

} // namespace gnn::tools

#endif // GNN_SUPPORT_NUMBERCHECKS_H
