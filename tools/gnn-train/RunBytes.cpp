//===- RunBytes.cpp - What the memory of a run is for ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunBytes.h"

#include "runtime/src/program/InputForms.h"
#include "runtime/src/train/Recipe.h"

namespace gnn::train_tool {

nlohmann::json bytesOfRun(Problem &problem, const rt::Binding &data, const rt::Executor &executor, bool trains) {
  const rt::Library &library = *problem.model.library();
  nlohmann::json tables = nlohmann::json::object(), edges = nlohmann::json::object();
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    if (const rt::Tensor &table = data.data(t))
      tables[library.tensor(t).name] = table.bytes();
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    if (!rt::isUnread(library, r))
      edges[library.table().relations[r].name] = data.relation(r).bytes();
  const size_t moments = trains ? rt::makeOptimizer(problem.model, rt::recipeOf(library)).stateBytes() : size_t(0);
  return {{"tables", std::move(tables)},
          {"edges", std::move(edges)},
          {"parameters", problem.model.parameterBytes()},
          {"moments", moments},
          {"program", executor.peakBytes()}};
}

size_t sumOf(const nlohmann::json &bytes) {
  if (bytes.is_number())
    return bytes.get<size_t>();
  size_t sum = 0;
  for (const nlohmann::json &part : bytes)
    sum += sumOf(part);
  return sum;
}

} // namespace gnn::train_tool
