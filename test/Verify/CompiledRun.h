//===- CompiledRun.h - What compiled code computes --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the programs of a compiled library over a scenario, on the whole graph or in pieces of it, and hands back plain
// numbers in original vertex order.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_COMPILEDRUN_H
#define GNNC_TEST_VERIFY_COMPILEDRUN_H

#include "test/Verify/Scenario.h"
#include "test/Verify/StreamWays.h"
#include <memory>
#include <optional>

namespace gnnc::verify {

class DeviceLibrary;

/// What a program returns; which of these there are depends on the program.
struct CompiledResults {
  std::map<std::string, std::vector<double>> outputs;
  std::vector<double> losses; // of each vertex or edge that has one
  double loss = 0;
  std::map<std::string, std::vector<double>> gradients; // by parameter and, of a pullback, by input
  std::map<std::string, std::vector<double>> states;    // that the step changes: what they become
};

enum class Program { Infer, Train, Evaluate, Pullback };

/// The whole graph at once; or every sweep in chunks of rows by columns, over samples, or with hubs split at
/// segments, or of the rows alone that the loss reaches; or the whole graph on a GPU; or, of Infer, some vertices after
/// the others, over what they read; or, of Train, a batch of those that the loss is over, seen with all edges or with a
/// few; or of Train what the loss reaches; or streamed from a spill file; or, of Pullback, forward and backward apart,
/// through the C interface. `Sampled` is
/// of a graph that has some edges of the scenario twice, and have each once, where the model computes nothing of the
/// others.
enum class Executor {
  WholeGraph,
  Grid,
  Sampled,
  HubSegments,
  Seeds,
  Gpu,
  InferAt,
  Batch,
  FewEdges,
  Reached,
  Streamed,
  Pullback
};

struct RunOptions {
  std::string isa; // empty: the best of this machine
  Executor executor = Executor::WholeGraph;
  unsigned threads = 1;     // WholeGraph, Pullback
  bool degreeOrder = false; // WholeGraph, InferAt, Batch, Reached, Pullback: vertices prepared by falling degree
  std::shared_ptr<DeviceLibrary> device = nullptr; // where the library runs; null: on this machine
  const StreamWay *stream = nullptr; // Streamed; null: one of streamWays, by seed and vertices. Gpu; null: not streamed
  bool onGpu = false;   // Batch, FewEdges: on the first GPU, or the first two, which keep some rows of inputs
  unsigned variant = 0; // which of the programs of a kind; the last of fewer
};

/// The edges that a training step goes over which sees a batch with few, as OracleBindings::isSeen; null where the
/// model can't be trained so. Throws gnn::Error.
using IsSeenByOracle = std::function<bool(unsigned relation, End end, int64_t edge)>;
IsSeenByOracle fewEdges(const std::string &path, const CheckedModel &model, const Scenario &scenario,
                        const RunOptions &options);

/// How many steps along edges a training step over a batch reads away from its seeds; none where the model can't be
/// trained so, and is run over the whole graph. Throws gnn::Error.
std::optional<int> reachOfBatch(const std::string &path, const RunOptions &options);

/// Whether the library at `path` has code for `isa` and this machine can run it.
bool canRun(const std::string &path, const std::string &isa);

/// The most programs that the library at `path` has of a kind, with sums and products in other orders.
unsigned numVariants(const std::string &path);

/// Runs a program of the library at `path`. Throws gnn::Error.
CompiledResults runCompiled(const std::string &path, const CheckedModel &model, const Scenario &scenario,
                            Program program, const RunOptions &options = {});

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_COMPILEDRUN_H
