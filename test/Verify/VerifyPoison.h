//===- VerifyPoison.h - Programs with NaN in what must not matter *- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_VERIFYPOISON_H
#define GNNC_TEST_VERIFY_VERIFYPOISON_H

#include "test/Verify/Verify.h"

namespace gnnc::verify {

/// All programs with NaN in data that must not matter, against the same programs without.
VerifyReport verifyPoisoned(const CheckedModel &model, const std::vector<Candidate> &candidates,
                            const std::string &graphName, const VerifyOptions &options);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_VERIFYPOISON_H
