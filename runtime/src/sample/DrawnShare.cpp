//===- DrawnShare.cpp - A share of a batch and its sample -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/DrawnShare.h"

#include "runtime/src/sample/SentBatch.h"

#include <algorithm>
#include <system_error>

namespace gnn::rt {

int64_t Seeds::count() const {
  return targets.empty() ? int64_t(rows.size()) : std::count(targets.begin(), targets.end(), 1.0);
}

Seeds Seeds::slice(const Shares::Range &range) const {
  auto take = [](const auto &from, auto &to, int64_t begin, int64_t end) {
    if (!from.empty())
      to.insert(to.end(), from.begin() + begin, from.begin() + end);
  };
  Seeds some;
  auto takePairs = [&](int64_t begin, int64_t end) {
    take(pairs.src, some.pairs.src, begin, end);
    take(pairs.dst, some.pairs.dst, begin, end);
    take(pairs.types, some.pairs.types, begin, end);
    take(targets, some.targets, begin, end);
  };
  take(rows, some.rows, range.begin, range.end);
  if (targets.empty())
    return some;
  const int64_t truePairs = count(), negatives = int64_t(targets.size()) - truePairs;
  takePairs(range.begin, range.end);
  takePairs(truePairs + negatives * range.begin / truePairs, truePairs + negatives * range.end / truePairs);
  return some;
}

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

DrawnShare::DrawnShare(const Library &library, const Binding &bound, const std::vector<const gnn_program_t *> &programs,
                       const Sampler &kind, const Shares &cut)
    : binding(bound), shares(cut), sampler(kind), targetEdges(library, bound),
      around(std::make_unique<Neighbourhood>(library, bound, programs)) {}

DrawnShare::~DrawnShare() = default;

void DrawnShare::drawBy(std::unique_ptr<EdgeDraws> draws) {
  elsewhere = std::move(draws);
  sampler.drawBy(elsewhere.get());
}

void DrawnShare::sendBy(std::unique_ptr<SentBatch> batch) { packing = std::move(batch); }

void *DrawnShare::rowsOf(uint32_t tensor) { return packing ? packing->rowsOf(tensor) : rows->of(tensor); }

void DrawnShare::draw() {
  const std::unique_ptr<Turn> ours = std::move(turn); // over when this is, whatever happens
  if (elsewhere)
    elsewhere->counts = {};
  if (batch->pairs.count() > 0) {
    targetEdges.take(truePairs(*batch), /*endsAreSeeds=*/shares.count == 1);
    sampler.begin(key, &targetEdges);
    around->expandPairs(binding.rowsOf(own.pairs), &sampler);
  } else {
    sampler.begin(key);
    around->expand(lossMask(binding.library())->type, own.rows, &sampler);
  }
  if (paged)
    paged->read(*around, *ours, rows);
  if (packing)
    packing->pack(*around);
}

void DrawnShare::begin(uint64_t stepKey, std::shared_ptr<const Seeds> seeds, int64_t share, bool onThread) {
  if (drawn.valid())
    drawn.wait();
  key = stepKey;
  number = share;
  batch = std::move(seeds);
  ownRange = shares.seedsOf(share, batch->count());
  own = batch->slice(ownRange);
  turn = paged ? paged->nextTurn() : nullptr;
  if (onThread)
    try {
      drawn = std::async(std::launch::async, [this] { draw(); });
      return;
    } catch (const std::system_error &) { // no thread is to be had
    }
  drawn = std::async(std::launch::deferred, [this] { draw(); });
  if (onThread) // now, then: threads may wait for its turn
    drawn.wait();
}

std::unique_ptr<Neighbourhood> &DrawnShare::take() {
  drawn.get();
  return around;
}

} // namespace gnn::rt
