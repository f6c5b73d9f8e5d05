//===- Isolate.h - A trial in a process of its own --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forks for each trial, so that a crash, an endless loop or an assertion is a result like any other, at the cost of a
// fork and not of starting a compiler.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_ISOLATE_H
#define GNNC_TEST_VERIFY_ISOLATE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <string>

namespace gnnc::verify {

struct TrialResult {
  std::string failure; // empty: all is well
  int64_t scenarios = 0, nearTies = 0, cancellations = 0, withoutBound = 0, arrays = 0;
};

/// What `trial` gives, or how its process ended. It has two minutes of processor time.
TrialResult isolate(llvm::function_ref<TrialResult()> trial);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_ISOLATE_H
