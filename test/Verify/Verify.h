//===- Verify.h - Compiled code against the oracle --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares every number that a compiled library computes over a scenario with the oracle's.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_VERIFY_H
#define GNNC_TEST_VERIFY_VERIFY_H

#include "test/Verify/CompiledRun.h"

namespace gnnc::verify {

struct VerifyOptions {
  std::vector<std::string> isas = {""};
  std::map<std::string, int64_t> dims;
  uint64_t seed = 0;
  /// Largest difference allowed, relative to the largest reference value of the array.
  double tolerance = 1e-5;
};

struct VerifyReport {
  std::vector<std::string> failures; // one line each: what, where, by how much
  double largestError = 0;           // relative, over all that was compared
  int64_t arrays = 0;                // compared
};

/// Runs all programs of `library` over a graph of kind `graphName` (inference, evaluation and, with dropout, training)
/// in every ISA, with vertices as given on one thread and by degree on two, and compares outputs, losses and gradients.
/// Scenarios that come within rounding of a kink are drawn again.
VerifyReport verifyOn(const CheckedModel &model, const std::string &library, const std::string &graphName,
                      const VerifyOptions &options);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_VERIFY_H
