//===- Shrink.h - The smallest model that still fails -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Delta debugging of source texts. Knows of the language only that statements end with lines and that brackets nest, so
// that it shrinks models by hand as well as random ones; whether a smaller text still is a model is for the front end.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_SHRINK_H
#define GNNC_TEST_VERIFY_SHRINK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace gnnc::verify {

/// The smallest text found by leaving out lines, then blocks, and putting parts of expressions or numbers in the place
/// of the whole, for which `fails` holds as it does for `source`. At most `budget` texts are tried.
std::string shrink(std::string source, llvm::function_ref<bool(const std::string &)> fails, int budget = 2000);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_SHRINK_H
