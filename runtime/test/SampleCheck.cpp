//===- SampleCheck.cpp - Samples against chunks ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleCheck.h"

#include "ChunkExecutor.h"
#include "Comparison.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/sample/Sampled.h"

#include <algorithm>

using namespace gnn::rt;

namespace {

const uint64_t key = stepKey(7, 2);

std::string forAllDepths(const gnn_program_t &program, const std::string &fanOut) {
  int32_t deepest = 0;
  for (uint32_t s = 0; s < program.num_steps; ++s)
    deepest = std::max({deepest, program.steps[s].row_depth, program.steps[s].col_depth});
  std::string list = fanOut;
  for (int32_t depth = 1; depth < deepest; ++depth)
    list += "," + fanOut;
  return list;
}

} // namespace

std::vector<std::string> checkSamples(Model &model, std::shared_ptr<const Graph> graph, const Features &features,
                                      Span<const int64_t> seeds) {
  const Library &library = *model.library();
  const gnn_program_t *program = library.program(GNN_PROGRAM_TRAIN);
  if (!program)
    return {"it has no loss"};
  // A batch is a part of the split, the rest of which may be among its neighbours; the reference knows of no others.
  std::vector<int64_t> rows;
  for (size_t i = 0; i < seeds.size(); i += 2)
    rows.push_back(seeds[i]);
  Binding whole(model.library(), model.dims(), graph, features, /*withTargets=*/true, "test data"),
      binding(model.library(), model.dims(), std::move(graph), features, /*withTargets=*/true, "test data");
  whole.setLossRows(seeds);
  binding.setLossRows(rows);
  const double tolerance = library.table().real == GNN_F64 ? 1e-12 : 2e-5;
  std::vector<std::string> failures;
  for (const char *fanOut : {"all", "1", "3"}) {
    const FanOuts fanOuts(forAllDepths(*program, fanOut), "sample-check");
    Sampled sampled(model.engine(), library, whole, *program, fanOuts);
    Sampler sampler(library, binding, *program, fanOuts);
    sampler.begin(key);
    ChunkPlan plan{ChunkPlan::Seeds, 1, 0};
    plan.chooser = &sampler;
    ChunkExecutor chunks(model.engine(), library, binding.dimensions(), binding, *program, plan, rows);
    for (uint32_t parameter : model.parameters()) {
      sampled.place(parameter, model.parameter(parameter).mutableData());
      chunks.place(parameter, model.parameter(parameter));
    }
    sampled.expect(key, {rows, {}, {}});
    sampled.run(key);
    chunks.run(key);
    Comparisons comparisons;
    for (uint32_t i = 0; i < program->num_results; ++i) {
      const Tensor &got = sampled.result(i);
      void *table = const_cast<char *>(chunks.table(program->results[i]).data());
      comparisons.add(library.tensor(program->results[i]),
                      Tensor::view(nullptr, table, got.element(), got.shape(), /*readOnly=*/true), got);
    }
    for (const std::string &line : comparisons.beyond(tolerance))
      failures.push_back("fan-outs " + fanOuts.text() + ": " + line);
  }
  return failures;
}
