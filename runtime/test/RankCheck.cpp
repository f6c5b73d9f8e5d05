//===- RankCheck.cpp - Ranks against one process --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankCheck.h"

#include "AsRanks.h"
#include "StreamCheck.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/model/OpenEngine.h"
#include "runtime/src/stream/Streamed.h"

#include <algorithm>
#include <cstring>

using namespace gnn::rt;

namespace {

const uint64_t key = stepKey(13, 4);

/// Results of each run of each program, by name.
using Results = std::vector<std::pair<std::string, Tensor>>;

/// What one process finds. With ranks, one of them: each has an engine and a binding of its own.
class Found {
public:
  Found(Model &trained, std::shared_ptr<const Graph> graph, const Features &features, Span<const int64_t> lossVertices)
      : model(trained), engine(openEngine(model.library(), "cpu", /*threads=*/1, /*deviceBytes=*/0)),
        binding(model.library(), model.dims(), std::move(graph), features, /*withTargets=*/true, "test data") {
    binding.setLossRows(lossVertices);
  }

  Results run(int64_t parts, const Kept &kept, const std::string &folder, Comm *comm) {
    const Library &library = *model.library();
    Results results;
    const Cuts cuts(parts, comm, parts % 2 ? CutBy::Work : CutBy::Vertices);
    auto data = std::make_shared<SpilledData>(*engine, library, binding, cuts, folder, residentsOf(library, kept));
    for (uint32_t kind : {GNN_PROGRAM_INFER, GNN_PROGRAM_TRAIN, GNN_PROGRAM_EVALUATE}) {
      const gnn_program_t *program = library.program(kind);
      if (!program)
        continue;
      Streamed streamed(*engine, library, binding, *program, data, comm);
      for (uint32_t parameter : model.parameters())
        streamed.place(parameter, model.parameter(parameter).mutableData());
      for (const char *run : {"", " again"}) {
        streamed.run(key);
        for (uint32_t i = 0; i < program->num_results; ++i)
          results.push_back({std::string(library.tensor(program->results[i]).name) + " of @" + program->name + run,
                             streamed.takeResult(i)});
      }
    }
    return results;
  }

private:
  Model &model;
  const std::unique_ptr<Engine> engine;
  Binding binding;
};

std::string difference(const Results &expected, const Results &got) {
  std::string text;
  for (size_t i = 0; i < expected.size(); ++i)
    if (std::memcmp(expected[i].second.data(), got[i].second.data(), expected[i].second.bytes()) != 0)
      text += " other bits of " + expected[i].first;
  return text;
}

} // namespace

std::vector<std::string> checkRanks(Model &model, std::shared_ptr<const Graph> graph, const Features &features,
                                    Span<const int64_t> lossVertices, const std::string &folder) {
  std::vector<std::string> failures;
  Found alone(model, graph, features, lossVertices);
  for (const auto &sizes : {std::pair<int64_t, int>(2, 2), {3, 2}, {7, 3}, {4, 4}}) {
    const int64_t parts = sizes.first;
    const int ranks = sizes.second;
    const Results expected = alone.run(parts, keptKinds()[0], folder, nullptr);
    for (const Kept &kept : keptKinds()) {
      std::vector<std::string> found(static_cast<size_t>(ranks));
      const std::vector<std::string> thrown = asRanks(ranks, std::chrono::seconds(60), [&](Comm &comm) {
        Found together(model, graph, features, lossVertices);
        found[size_t(comm.rank())] = difference(expected, together.run(parts, kept, folder, &comm));
      });
      for (size_t rank = 0; rank < found.size(); ++rank)
        if (const std::string wrong = found[rank] + thrown[rank]; !wrong.empty())
          failures.push_back("rank " + std::to_string(rank) + " of " + std::to_string(ranks) + ", " +
                             std::to_string(parts) + " intervals" + kept.name + ": " + wrong);
    }
  }
  return failures;
}
