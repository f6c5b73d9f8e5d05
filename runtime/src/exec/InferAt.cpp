//===- InferAt.cpp - Executor of inference for some vertices --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/InferAt.h"

#include <unordered_map>

namespace gnn::rt {

InferAt::InferAt(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &compiled)
    : engine(machine), library(opened), binding(bound), program(compiled),
      local(engine, library, binding, program, Going::Around) {}

std::vector<Tensor> InferAt::run(uint32_t vertexType, Span<const int64_t> seeds, const ChangedRows *changed) {
  std::vector<int64_t> distinct, rowOfSeed;
  std::unordered_map<int64_t, int64_t> known;
  for (int64_t seed : seeds) {
    auto [at, isNew] = known.emplace(seed, int64_t(distinct.size()));
    if (isNew)
      distinct.push_back(seed);
    rowOfSeed.push_back(at->second);
  }
  local.moveTo(vertexType, distinct, changed);
  local.gather();
  local.program().begin({});
  engine.beginRun();
  local.runSteps();
  engine.endRun();
  std::vector<Tensor> results;
  for (uint32_t i = 0; i < program.num_results; ++i)
    results.push_back(resultFor(program.results[i], vertexType, rowOfSeed));
  return results;
}

Tensor InferAt::resultFor(uint32_t tensor, uint32_t vertexType, const std::vector<int64_t> &rowOfSeed) {
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
