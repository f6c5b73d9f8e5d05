//===- Sampler.cpp - Which edges a batch sees -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/Sampler.h"

#include "runtime/src/core/Random.h"
#include "runtime/src/program/Library.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// Tells the draws of samples from those of kernels, which have the same key.
constexpr uint64_t ofSamples = 0x73616d706c6573;

} // namespace

Sampler::Sampler(const Library &library, const gnn_program_t &program, const FanOuts &fanOuts)
    : limits(library.table().num_relations) {
  fanOuts.check(library);
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const gnn_step_t &step = program.steps[s];
    if (step.kind != GNN_STEP_SWEEP || library.table().relations[step.relation].kind != GNN_RELATION_EDGES)
      continue;
    // Vertices of the rows, or of the cols where gradients flow back, are met at any depth up to theirs.
    std::vector<int64_t> &ofRelation = limits[step.relation];
    for (auto depth = int32_t(ofRelation.size()); depth <= std::min(step.row_depth, step.col_depth); ++depth)
      ofRelation.push_back(fanOuts.at(library.table().relations[step.relation].name, depth));
  }
}

/// Floyd's algorithm: edge j of the last `most` is drawn from those up to it, and is itself chosen where what it draws
/// is already (Bentley and Floyd, CACM 30(9), 1987).
void Sampler::choose(uint32_t relation, uint32_t direction, int64_t vertex, int64_t degree, int64_t most,
                     int64_t *chosen) const {
  RandomSequence draws(mix64(key ^ ofSamples) + mix64(uint64_t(vertex) + goldenGamma) +
                       mix64(2 * uint64_t(relation) + direction + goldenGamma));
  int64_t *end = chosen;
  for (int64_t j = degree - most; j < degree; ++j, ++end) {
    const auto drawn = int64_t(draws.below(uint64_t(j) + 1));
    int64_t *at = std::lower_bound(chosen, end, drawn);
    if (at != end && *at == drawn) {
      *end = j; // larger than all before it
    } else {
      std::copy_backward(at, end, end + 1);
      *at = drawn;
    }
  }
}

} // namespace gnn::rt
