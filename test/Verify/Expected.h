//===- Expected.h - What the oracle expects of a scenario -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_EXPECTED_H
#define GNNC_TEST_VERIFY_EXPECTED_H

#include "test/Verify/RoundingBound.h"
#include "test/Verify/Verify.h"

namespace gnnc::verify {

/// A training step as the oracle takes it.
struct Step {
  OracleValues values;
  double loss = 0;
  OracleGradients gradients;
};

/// A scenario with what the oracle says of it: once for however many libraries and executors.
struct Expected {
  Scenario scenario;
  OracleValues inference;
  Step training;
  double margin = 0;                  // distance to the nearest kink
  std::optional<RoundingBound> bound; // of a scenario with an offset

  Scenario trainingScenario() const {
    Scenario result = scenario;
    result.bindings.training = true;
    return result;
  }
};

/// Whether there are rows that the loss is over.
bool hasLoss(const CheckedModel &model, const Scenario &scenario);
/// Losses of the rows that the loss is over; those of other rows are left to chance.
std::vector<double> masked(const Scenario &scenario, const std::vector<double> &losses);
/// The distance of values to the nearest kink.
double marginOf(const CheckedModel &model, const OracleBindings &bindings, const OracleValues &values);
/// A training step over a scenario whose forward values are given.
Step oracleStep(const CheckedModel &model, const Scenario &scenario, OracleValues values);

/// Draws until rounding cannot change a decision, at most 20 times. Inference is empty if the model takes no such
/// graph.
Expected drawExpected(const CheckedModel &model, const std::string &graphName, const VerifyOptions &options);
/// Draws inputs around an offset between 1e3 and 1e7, the smaller the more often rounding changed a decision or numbers
/// became too large; without a bound if all attempts did.
Expected drawAroundOffset(const CheckedModel &model, const std::string &graphName, const VerifyOptions &options);

/// The bound of a training step and, if it is given, of inference over the same scenario; none where rounding may
/// change a decision, or where numbers are too large for compiled code.
std::optional<RoundingBound> boundOf(const CheckedModel &model, Scenario scenario, const Step &training,
                                     const OracleValues *inference, double rounding);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_EXPECTED_H
