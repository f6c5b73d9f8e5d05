//===- InferAt.cpp - Executor of inference for some vertices --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/InferAt.h"

#include <unordered_map>
#include <utility>

namespace gnn::rt {

InferAt::InferAt(Engine &machine, const Library &opened, const Binding &bound,
                 std::vector<const gnn_program_t *> compiled)
    : engine(machine), library(opened), binding(bound), programs(std::move(compiled)),
      prices(pricesOf(library, binding.dimensions(), programs, FixedWork::Repeated)),
      around(std::make_unique<Neighbourhood>(library, binding, programs)), locals(programs.size()) {}

void InferAt::place(uint32_t tensor, void *data) {
  placed.emplace_back(tensor, data);
  for (const std::unique_ptr<LocalRun> &local : locals)
    if (local)
      local->place(tensor, data);
}

/// The program that is the cheapest there, gone to the neighbourhood of the seeds.
LocalRun &InferAt::runAround(uint32_t vertexType, Span<const int64_t> seeds, const ChangedRows *changed) {
  if (last)
    around = std::exchange(last, nullptr)->leave();
  around->expand(vertexType, seeds, /*chooser=*/nullptr, changed);
  const size_t index = cheapest(prices, [&](const gnn_step_t &step) { return around->countsOf(step); });
  std::unique_ptr<LocalRun> &local = locals[index];
  if (!local) {
    local = std::make_unique<LocalRun>(engine, library, binding, *programs[index], Going::Around,
                                       /*around=*/nullptr);
    for (const auto &[tensor, data] : placed)
      local->place(tensor, data);
  }
  last = local.get();
  last->moveTo(around, changed);
  return *last;
}

std::vector<Tensor> InferAt::run(uint32_t vertexType, Span<const int64_t> seeds, const ChangedRows *changed) {
  std::vector<int64_t> distinct, rowOfSeed;
  std::unordered_map<int64_t, int64_t> known;
  for (int64_t seed : seeds) {
    auto [at, isNew] = known.emplace(seed, int64_t(distinct.size()));
    if (isNew)
      distinct.push_back(seed);
    rowOfSeed.push_back(at->second);
  }
  LocalRun &local = runAround(vertexType, distinct, changed);
  local.gather();
  local.program().begin({});
  engine.beginRun();
  local.runSteps();
  engine.endRun();
  std::vector<Tensor> results;
  for (uint32_t i = 0; i < programs[0]->num_results; ++i)
    results.push_back(resultFor(local, programs[0]->results[i], vertexType, rowOfSeed));
  return results;
}

Tensor InferAt::resultFor(const LocalRun &local, uint32_t tensor, uint32_t vertexType,
                          const std::vector<int64_t> &rowOfSeed) {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  const Neighbourhood &around = local.neighbourhood();
  const bool isOfVertices = info.domain == GNN_DOMAIN_VERTEX;
  const int64_t distinct = isOfVertices ? around.rows(/*depth=*/0, info.type) : 1;
  std::vector<int64_t> shape = binding.dimensions().shapeOf(info);
  if (isOfVertices)
    shape.insert(shape.begin(), distinct);
  Tensor result;
  if (binding.data(tensor)) { // an input that is passed on
    const std::vector<int64_t> &all = around.verticesOf(info.type);
    const Tensor given = binding.data(tensor).onHost();
    result = isOfVertices ? given.rowsAt({all.data(), size_t(distinct)}) : given;
  } else {
    result = Tensor::empty(info.element, std::move(shape));
    engine.copyOut(result.mutableData(), local.at(tensor), result.bytes());
  }
  const bool isRepeated = isOfVertices && info.type == vertexType && int64_t(rowOfSeed.size()) > distinct;
  return isRepeated ? result.rowsAt({rowOfSeed.data(), rowOfSeed.size()}) : result;
}

} // namespace gnn::rt
