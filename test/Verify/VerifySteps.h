//===- VerifySteps.h - Training steps against the oracle --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_VERIFYSTEPS_H
#define GNNC_TEST_VERIFY_VERIFYSTEPS_H

#include "test/Verify/Comparison.h"

namespace gnnc::verify {

/// What the oracle expects of a training step over a batch of all rows that the loss is over, seen with all edges.
Expected asBatch(const CheckedModel &model, const Expected &expected);

/// A training step over a batch that is seen with all edges: the oracle computes with the whole graph, but with totals
/// over the vertices that they go over in a sample. The step reads no farther than inference, and what lies beyond
/// changes no bit.
void verifyBatch(Comparison comparison, const CheckedModel &model, const std::string &library, const Expected &expected,
                 const RunOptions &run, const VerifyOptions &options);
/// A training step over a sample: the oracle goes over the same edges.
void verifyFewEdges(Comparison comparison, const CheckedModel &model, const std::string &library,
                    const Expected &expected, const RunOptions &run, const VerifyOptions &options);
/// A training step over the whole graph.
void verifyStep(Comparison &comparison, const CheckedModel &model, const std::string &library, const Expected &expected,
                const RunOptions &run);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_VERIFYSTEPS_H
