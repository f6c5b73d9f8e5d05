//===- InferAt.cpp - Executor of inference for some vertices --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/InferAt.h"

#include "runtime/src/program/Price.h"

#include <unordered_map>

namespace gnn::rt {

namespace {

/// A neighbourhood is not known before it is found, and part of it may be stored: programs are compared where every row
/// has so many edges.
constexpr int64_t edgesOfRow = 16;

const gnn_program_t &chosenOf(const Library &library, const Binding &binding,
                              const std::vector<const gnn_program_t *> &programs) {
  auto countsOf = [&](const gnn_step_t &step) {
    if (step.row_depth < 0 || library.isTable(step.vertex_type))
      return StepCounts{binding.rows(step.vertex_type), 0};
    int64_t rows = 1;
    for (int32_t depth = 0; depth < step.row_depth; ++depth)
      rows *= edgesOfRow + 1;
    return StepCounts{rows, step.kind == GNN_STEP_SWEEP ? edgesOfRow * rows : 0};
  };
  return *programs[cheapest(pricesOf(library, binding.dimensions(), programs, FixedWork::Repeated), countsOf)];
}

} // namespace

InferAt::InferAt(Engine &machine, const Library &opened, const Binding &bound,
                 const std::vector<const gnn_program_t *> &programs)
    : engine(machine), library(opened), binding(bound), compiled(chosenOf(library, binding, programs)),
      around(std::make_unique<Neighbourhood>(library, binding, compiled)),
      local(engine, library, binding, compiled, Going::Around, /*around=*/nullptr) {}

/// Runs the program for seeds that are met at a depth.
void InferAt::runAround(uint32_t vertexType, Span<const int64_t> seeds, const ChangedRows *changed, int32_t depth) {
  if (!around)
    around = local.leave();
  around->expand(vertexType, seeds, /*chooser=*/nullptr, changed, &use, depth);
  local.moveTo(around, changed, &use);
  local.gather();
  use.prepare();
  local.program().begin({});
  engine.beginRun();
  local.runSteps();
  engine.endRun();
  use.finish();
}

std::vector<Tensor> InferAt::run(uint32_t vertexType, Span<const int64_t> seeds, const ChangedRows *changed,
                                 StoredRows *stored, uint64_t moment) {
  std::vector<int64_t> distinct, rowOfSeed;
  std::unordered_map<int64_t, int64_t> known;
  for (int64_t seed : seeds) {
    auto [at, isNew] = known.emplace(seed, int64_t(distinct.size()));
    if (isNew)
      distinct.push_back(seed);
    rowOfSeed.push_back(at->second);
  }
  use.begin(stored, moment);
  runAround(vertexType, distinct, changed, /*depth=*/0);
  std::vector<Tensor> results;
  for (uint32_t i = 0; i < compiled.num_results; ++i)
    results.push_back(resultFor(compiled.results[i], vertexType, rowOfSeed));
  return results;
}

void InferAt::fill(const ChangedRows *changed, StoredRows &stored, uint64_t moment) {
  constexpr size_t most = 4096; // at once: their neighbourhood takes memory
  int32_t deepest = 0;
  for (uint32_t type = 0; type < stored.layout().numTypes(); ++type)
    deepest = std::max(deepest, stored.layout().deepest(type));
  for (int32_t depth = deepest; depth > 0; --depth) // what is stored of one depth serves the one before
    for (uint32_t type = 0; type < stored.layout().numTypes(); ++type) {
      const std::vector<int64_t> unknown = stored.unknown(type, depth);
      for (size_t first = 0; first < unknown.size(); first += most) {
        use.begin(&stored, moment);
        runAround(type, Span<const int64_t>(unknown).slice(first, std::min(most, unknown.size() - first)), changed,
                  depth);
      }
    }
}

Tensor InferAt::resultFor(uint32_t tensor, uint32_t vertexType, const std::vector<int64_t> &rowOfSeed) {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  const Neighbourhood &around = local.neighbourhood();
  const bool isOfVertices = info.domain == GNN_DOMAIN_VERTEX;
  const int64_t distinct = isOfVertices ? around.rows(/*depth=*/0, info.type) : 1;
  Tensor result;
  if (binding.data(tensor)) { // an input that is passed on
    const std::vector<int64_t> &all = around.verticesOf(info.type);
    const Tensor given = binding.data(tensor).onHost();
    result = isOfVertices ? given.rowsAt({all.data(), size_t(distinct)}) : given;
  } else {
    result = Tensor::empty(info.element, binding.dimensions().shapeOf(info, distinct));
    engine.copyOut(result.mutableData(), local.at(tensor), result.bytes());
  }
  const bool isRepeated = isOfVertices && info.type == vertexType && int64_t(rowOfSeed.size()) > distinct;
  return isRepeated ? result.rowsAt({rowOfSeed.data(), rowOfSeed.size()}) : result;
}

} // namespace gnn::rt
