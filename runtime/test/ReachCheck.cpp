//===- ReachCheck.cpp - Reached rows against the whole graph --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReachCheck.h"

#include "Comparison.h"
#include "RowsByDepth.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/exec/Reach.h"
#include "runtime/src/exec/Reached.h"
#include "runtime/src/exec/Whole.h"
#include "runtime/src/program/Obstacles.h"

#include <algorithm>
#include <cstring>
#include <sstream>

using namespace gnn::rt;

namespace {

const uint64_t key = stepKey(7, 2);

/// Whether it counts the rows that are found by going over sets of them. Where vertices have several types, those sets
/// begin with all rows of the types that have no loss: then nothing is compared.
bool countsRows(const Reach &reach, const Library &library, const Binding &binding, const gnn_program_t &program) {
  const gnn_vertex_type_t *types = library.table().vertex_types, *end = types + library.table().num_vertex_types;
  if (std::count_if(types, end, [](const gnn_vertex_type_t &type) { return !type.is_table; }) > 1)
    return true;
  const uint32_t type = lossMask(library)->type;
  const RowsByDepth expected(library, binding, program, rowsOfLoss(library, binding),
                             SeenEdges(library, binding, program, /*chooser=*/nullptr, Pairs()));
  for (int32_t depth = 0; depth <= reach.deepest(); ++depth)
    if (reach.rows(depth, type) != int64_t(expected.at(depth, type).size()))
      return false;
  return true;
}

std::vector<Tensor> resultsOf(const gnn_program_t &program, Executor &executor) {
  std::vector<Tensor> results;
  for (uint32_t i = 0; i < program.num_results; ++i)
    results.push_back(executor.takeResult(i));
  return results;
}

bool areSameBits(const std::vector<Tensor> &a, const std::vector<Tensor> &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(a[i].data(), b[i].data(), a[i].bytes()) != 0)
      return false;
  return true;
}

} // namespace

std::vector<std::string> checkReach(Model &model, std::shared_ptr<const Graph> graph, const Features &features,
                                    Span<const int64_t> seeds) {
  const Library &library = *model.library();
  const gnn_program_t *program = library.program(GNN_PROGRAM_TRAIN);
  if (!program)
    return {"it has no loss"};
  const std::string obstacle = obstacleToReached(library, *program);
  require(obstacle.empty(), GNN_ERROR_MISMATCH, library.name(), ": ", obstacle);
  Binding binding(model.library(), model.dims(), std::move(graph), features, /*withTargets=*/true, "test data");
  const double tolerance = library.table().real == GNN_F64 ? 1e-12 : 2e-5;
  std::vector<std::string> failures;
  for (size_t count : {size_t(1), seeds.size() / 3, seeds.size()}) {
    binding.setLossRows(seeds.slice(0, count));
    Whole whole(model.engine(), library, binding.dimensions(), binding, *program);
    Reached reached(model.engine(), library, binding, *program);
    for (Executor *executor : std::initializer_list<Executor *>{&whole, &reached}) {
      for (uint32_t parameter : model.parameters())
        executor->place(parameter, model.parameter(parameter).mutableData());
      executor->run(key);
    }
    const Reach reach(library, binding, *program);
    auto add = [&](const std::string &what) {
      std::ostringstream line;
      line << "a loss over " << count << " rows, " << reach.share() << " of all work: " << what;
      failures.push_back(line.str());
    };
    if (!countsRows(reach, library, binding, *program))
      add("rows are not those that edges lead to");
    Comparisons comparisons;
    for (uint32_t i = 0; i < program->num_results; ++i)
      comparisons.add(library.tensor(program->results[i]), whole.result(i), reached.result(i));
    for (const std::string &line : comparisons.beyond(tolerance))
      add(line);
    const std::vector<Tensor> first = resultsOf(*program, reached);
    reached.run(key);
    if (!areSameBits(first, resultsOf(*program, reached)))
      add("a second run has other bits");
  }
  return failures;
}
