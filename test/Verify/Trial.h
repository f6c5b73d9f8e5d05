//===- Trial.h - One model, compiled in every way ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a source text optimised, unoptimised and unfused and compares all of them, on the whole graph and in chunks,
// with the oracle.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_TRIAL_H
#define GNNC_TEST_VERIFY_TRIAL_H

#include "test/Verify/Compile.h"
#include "test/Verify/InProcess.h"
#include "test/Verify/Isolate.h"
#include "test/Verify/Verify.h"

namespace gnnc::verify {

struct TrialOptions {
  std::string stdlib;           // folder that holds nn/
  std::optional<RealType> real; // none: either, by seed
  bool isStreamed = false;      // only that, in all of streamWays
  bool hasRanks = false;        // only by several ranks, in all of rankWays
  bool onDevice = false;        // also on the emulated device, which is slow
  bool withOffsets = false;     // in half of the trials, also inputs around an offset
  bool withPoison = false;      // in half of the trials, also NaN in data that must not matter
  std::string gnnc;             // where it is; if anywhere, also on the first GPU
};

class Trial {
public:
  explicit Trial(TrialOptions options) : options(std::move(options)) {}

  bool isModel(const std::string &source) const;
  /// `seed` chooses graphs and numbers.
  TrialResult run(const std::string &source, uint64_t seed);

private:
  void runNarrow(const CheckedModel &model, const Frontend &frontend, uint64_t seed, TrialResult &result);
  void runHostile(const CheckedModel &model, const std::vector<Candidate> &candidates, VerifyOptions verify,
                  uint64_t seed, TrialResult &result);
  void runOnDevice(const CheckedModel &model, const Frontend &frontend, uint64_t seed, TrialResult &result);
  void runOnGpu(const CheckedModel &model, const std::string &source, const FrontendOptions &sized, uint64_t seed,
                TrialResult &result);

  TrialOptions options;
  InProcessCompiler compiler;
};

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_TRIAL_H
