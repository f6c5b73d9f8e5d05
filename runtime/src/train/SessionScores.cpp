//===- SplitScores.cpp - Scores of the rows of a split --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Recipe.h"
#include "runtime/src/train/Scores.h"
#include "runtime/src/train/Session.h"

namespace gnn::rt {

/// The target of the loss, if there is but one that can be.
static const gnn_tensor_info_t *targetOf(const Library &library, const gnn_tensor_info_t &mask) {
  const gnn_tensor_info_t *target = nullptr;
  for (const gnn_tensor_info_t &info : library.tensors()) {
    if (info.role != GNN_ROLE_TARGET || info.domain != mask.domain || info.type != mask.type)
      continue;
    if (target)
      return nullptr;
    target = &info;
  }
  return target;
}

static Rows rowsOf(const Tensor &table, const std::vector<int64_t> &places) {
  Rows rows;
  for (size_t i = 1; i < table.shape().size(); ++i)
    rows.width *= table.shape()[i];
  rows.numbers.reserve(places.size() * size_t(rows.width));
  for (int64_t place : places)
    for (int64_t k = 0; k < rows.width; ++k)
      rows.numbers.push_back(numberAt(table, place * rows.width + k));
  return rows;
}

Scores Session::scoresOf(const std::vector<int64_t> &places) const {
  const Library &library = *model.library();
  const Recipe recipe = recipeOf(library);
  const gnn_tensor_info_t *mask = binding.lossMask();
  const gnn_tensor_info_t *target = mask ? targetOf(library, *mask) : nullptr;
  for (uint32_t i = 0; target && i < numOutputs; ++i) {
    const gnn_tensor_info_t &output = library.tensor(evaluateProgram.results[i]);
    if (recipe.lossOutput != output.name || output.domain != mask->domain || output.type != mask->type)
      continue;
    const Rows found = rowsOf(evaluation->result(i), places);
    const Rows wanted = rowsOf(binding.data(uint32_t(target - &library.tensor(0))), places);
    if (recipe.lossKind == "cross_entropy")
      return classScores(found, {wanted.numbers.begin(), wanted.numbers.end()});
    if (recipe.lossKind == "binary_cross_entropy")
      return binaryScores(found, wanted);
    if (recipe.lossKind == "mean_squared_error")
      return numberScores(found, wanted);
  }
  return {};
}

std::vector<Session::DegreeShare> Session::accuracyByDegree(const Tensor &split) const {
  const Library &library = *model.library();
  const gnn_tensor_info_t *mask = binding.lossMask();
  if (scoresPairs() || within || sampledWithin() || !mask || mask->domain != GNN_DOMAIN_VERTEX ||
      evaluateProgram.num_results <= numOutputs + 1)
    return {};
  const VertexOrder *order = binding.order(mask->type);
  std::map<int, std::pair<int64_t, double>> shares; // vertices and right ones, by the power of two
  for (int64_t id : split.values<int64_t>()) {
    const int64_t row = order ? order->local[size_t(id)] : id;
    int64_t degree = 0;
    for (uint32_t r = 0; r < library.table().num_relations; ++r) {
      const gnn_relation_t &relation = library.table().relations[r];
      if (relation.kind != GNN_RELATION_EDGES || relation.destination_type != mask->type)
        continue;
      const gnn_block_t block = binding.relation(r).block(GNN_TO_DESTINATION);
      degree += block.ends[row] - block.offsets[row];
    }
    int power = 0;
    while (degree >> power)
      ++power;
    auto &[vertices, right] = shares[power];
    ++vertices;
    right += numberAt(evaluation->result(numOutputs + 1), row);
  }
  std::vector<DegreeShare> result;
  for (const auto &[power, share] : shares)
    result.push_back({power ? int64_t(1) << (power - 1) : 0, (int64_t(1) << power) - 1, share.first,
                      share.second / double(share.first)});
  return result;
}

} // namespace gnn::rt
