//===- VerifyPullback.h - Models as functions against the oracle *- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_VERIFYPULLBACK_H
#define GNNC_TEST_VERIFY_VERIFYPULLBACK_H

#include "test/Verify/Comparison.h"

namespace gnnc::verify {

/// The model as a differentiable function, in inference and in training.
void verifyPullback(Comparison &comparison, const CheckedModel &model, const std::string &library,
                    const Expected &expected, const RunOptions &run);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_VERIFYPULLBACK_H
