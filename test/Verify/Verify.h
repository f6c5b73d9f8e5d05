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
#include <optional>

namespace gnnc::verify {

/// A compiled model and the ways to run it.
struct Candidate {
  std::string path;
  std::vector<RunOptions> runs;
  std::string name = ""; // of the way it was compiled, for messages
};

/// The name of a run in messages.
std::string describe(const std::string &graphName, const RunOptions &run);

struct VerifyOptions {
  std::map<std::string, int64_t> dims;
  uint64_t seed = 0;
  /// Largest difference allowed, relative to the largest reference value of the array.
  double tolerance = 1e-5;
  /// Distance of 1 to the next number where compiled code rounds.
  double rounding = 0x1p-23;
  /// Compiled code may decide otherwise than the oracle where two alternatives are as close as this.
  double nearTie = 1e-4;
  /// A training step over a batch that reads farther than inference is a failure. Some random models still do so, with
  /// the right numbers (docs/lab/found-bugs.md).
  bool checksReach = false;
  /// Draws inputs around a common offset of 1e3 to 1e7, so that their differences cancel. Instead of the tolerance,
  /// each number has a bound: the rounding error of the model's expressions as they are written.
  bool withOffset = false;
  /// Puts NaN into data that must not matter and, instead of the oracle, compares with the same code without NaN: each
  /// bit.
  bool withPoison = false;
};

/// What rounding to the 16 bits of `storage`, `bf16` or `f16`, costs.
void allowNarrow(VerifyOptions &options, const std::string &storage);

struct VerifyReport {
  std::vector<std::string> failures; // one line each: what, where, by how much
  double largestError = 0;           // relative, over all that was compared
  int64_t arrays = 0;                // compared
  int64_t nearTies = 0;      // scenarios in which something differs, but rounding may change a decision: not failures
  int64_t cancellations = 0; // likewise, where rounding moves the oracle by more than the tolerance
  int64_t withoutBound = 0;  // scenarios with an offset that were not run, as rounding may change a decision in each
  int64_t poisonedRows = 0;  // of inputs and targets
  int64_t scenarios = 0;

  void add(const VerifyReport &other);
};

/// What verifies a whole library: vertices as given on one thread and by degree on two in each of `isas`, and the chunk
/// executor; of programs with other orders of sums and products a few runs each.
std::vector<RunOptions> allRuns(const std::vector<std::string> &isas);

/// Forward and backward apart, of libraries with pullbacks: as given on one thread, and by degree on two.
std::vector<RunOptions> pullbackRuns(const std::string &isa);
/// Streamed in each of streamWays.
std::vector<RunOptions> streamRuns(const std::string &isa);
/// By several ranks in each of rankWays.
std::vector<RunOptions> rankRuns(const std::string &isa);

/// On the emulated device: the whole graph, and with hubs split at segments and merged.
std::vector<RunOptions> deviceRuns(const std::shared_ptr<DeviceLibrary> &device);

/// The whole graph on a GPU.
std::vector<RunOptions> gpuRuns();
/// Streamed to a GPU in each of gpuStreamWays.
std::vector<RunOptions> gpuStreamRuns();
/// For `gnnc --target`: this machine and code that its first GPU runs, machine code where gnnc has any for it.
std::string gpuTargets();

/// Runs all programs of `candidates` over a graph of kind `graphName` (inference, evaluation and, with dropout,
/// training) in each of the ways asked for and compares outputs, losses and gradients. Scenarios that come near a kink
/// are drawn again, up to 20 times.
VerifyReport verifyOn(const CheckedModel &model, const std::vector<Candidate> &candidates, const std::string &graphName,
                      const VerifyOptions &options);

/// The oracle's own gradients against central differences, in training, over two small graphs: one line for each
/// parameter whose relative error is above 1e-5. `checked` counts entries.
std::vector<std::string> checkOracle(const CheckedModel &model, const VerifyOptions &options, int64_t &checked);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_VERIFY_H
