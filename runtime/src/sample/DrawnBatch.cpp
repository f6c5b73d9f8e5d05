//===- DrawnBatch.cpp - A batch and its sample ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/DrawnBatch.h"

#include <system_error>

namespace gnn::rt {

Pairs truePairs(const Seeds &seeds) {
  Pairs result;
  for (size_t i = 0; i < seeds.targets.size(); ++i)
    if (seeds.targets[i] == 1) {
      result.src.push_back(seeds.pairs.src[i]);
      result.dst.push_back(seeds.pairs.dst[i]);
      if (!seeds.pairs.types.empty())
        result.types.push_back(seeds.pairs.types[i]);
    }
  return result;
}

DrawnBatch::DrawnBatch(const Library &library, const Binding &bound, const std::vector<const gnn_program_t *> &programs,
                       const Sampler &kind)
    : binding(bound), sampler(kind), targetEdges(library, bound),
      around(std::make_unique<Neighbourhood>(library, bound, programs)) {}

void DrawnBatch::draw() {
  if (given.pairs.count() > 0) {
    targetEdges.take(truePairs(given));
    sampler.begin(key, &targetEdges);
    around->expandPairs(binding.rowsOfPairs(given.pairs), &sampler);
  } else {
    sampler.begin(key);
    around->expand(binding.lossMask()->type, given.rows, &sampler);
  }
  if (paged)
    paged->read(*around, rows);
}

void DrawnBatch::begin(uint64_t stepKey, Seeds seeds, bool onThread) {
  if (drawn.valid())
    drawn.wait();
  key = stepKey;
  given = std::move(seeds);
  if (onThread)
    try {
      drawn = std::async(std::launch::async, [this] { draw(); });
      return;
    } catch (const std::system_error &) { // no thread is to be had: later, then
    }
  drawn = std::async(std::launch::deferred, [this] { draw(); });
}

std::unique_ptr<Neighbourhood> &DrawnBatch::take() {
  drawn.get();
  return around;
}

} // namespace gnn::rt
