//===- PairSteps.cpp - The pairs of each step -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/PairSteps.h"

#include <algorithm>
#include <numeric>

namespace gnn::rt {

PairSteps::PairSteps(Pairs all, int64_t size, int64_t perPair)
    : allPairs(std::move(all)), batch(size), negatives(perPair),
      truePairsOfStep(size ? std::min(size, allPairs.count()) : allPairs.count()) {
  if (batch == 0)
    return;
  std::vector<int64_t> numbers(static_cast<size_t>(allPairs.count()));
  std::iota(numbers.begin(), numbers.end(), int64_t(0));
  epoch = Batches(std::move(numbers), batch);
}

PairSteps::Step PairSteps::drawn(uint64_t seed, int64_t step, PairEnds ends, const PairSet &known) {
  const uint64_t key = trainingPairsKey(seed, uint64_t(epoch.epochOf(step)));
  const Span<const int64_t> rows = batch ? epoch.rowsOf(seed, step) : Span<const int64_t>();
  const Pairs positives = batch ? pairsAt(allPairs, rows) : allPairs;
  PairsWithNegatives sampled = withNegatives(positives, negatives, ends, known, key, rows);
  const int64_t count = sampled.pairs.count();
  return {std::move(sampled.pairs), pairTargets(positives.count(), count), count};
}

PairSteps::Step PairSteps::at(uint64_t seed, int64_t step, PairEnds ends, const PairSet &known) {
  Step result = drawn(seed, step, ends, known);
  const auto count = size_t(pairsOfStep());
  for (std::vector<int64_t> *ids : {&result.pairs.src, &result.pairs.dst, &result.pairs.types})
    if (!ids->empty())
      ids->resize(count, ids->back());
  result.targets.resize(count, 0.0);
  return result;
}

} // namespace gnn::rt
