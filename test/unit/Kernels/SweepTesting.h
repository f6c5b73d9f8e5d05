//===- SweepTesting.h - Sweeps at every width and cut -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of compiled sweeps have in common: rows that are empty, short and hubs, and runs of a kernel in
// pieces.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_SWEEPTESTING_H
#define GNNC_TEST_SWEEPTESTING_H

#include "KernelTesting.h"
#include <functional>

namespace gnnc::testing {

/// Edges of each row of the tests' blocks, and how many columns they have.
extern const std::vector<int64_t> degrees;
constexpr int64_t numCols = 37;

/// Numbers in [-1, 1].
std::vector<float> randomNumbers(size_t count, unsigned seed);

/// `pattern` with `dim` for `@F` and `aggregator` for `@A`.
std::string text(std::string pattern, const std::string &dim, const std::string &aggregator = "sum");

/// Runs `kernel` whole and in pieces into `outputs`, which must get the same bits each time.
void runEveryWay(Kernel &kernel, const Block &block, const std::vector<std::vector<float> *> &outputs);
inline void runEveryWay(Kernel &kernel, const Block &block, std::vector<float> &output) {
  runEveryWay(kernel, block, std::vector{&output});
}

/// Fails where a number is further from the expected one than `tolerance` times the largest.
void checkClose(const std::vector<float> &actual, const std::vector<double> &expected, double tolerance);

/// Runs a test at every width, compiled in and open, for every instruction set.
void atEveryWidth(const std::function<void(Target target, int64_t width, const std::string &dim)> &test,
                  const std::vector<int64_t> &widths = {1, 7, 16, 17, 33, 150});

} // namespace gnnc::testing

#endif // GNNC_TEST_SWEEPTESTING_H
