//===- Batches.cpp - The steps of an epoch --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Batches.h"

#include "runtime/src/core/Random.h"

#include <algorithm>
#include <cassert>

namespace gnn::rt {

namespace {

/// Tells the orders of epochs from the draws of steps, which have the same seed.
constexpr uint64_t ofShuffles = 0x73687566666c65;

} // namespace

Batches::Batches(std::vector<int64_t> all, int64_t batch) : rows(std::move(all)), size(batch) {
  assert(size > 0);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

int64_t Batches::stepsOfEpoch() const {
  return size ? std::max<int64_t>((int64_t(rows.size()) + size - 1) / size, 1) : 1;
}

Batches::Range Batches::rangeOf(int64_t step) const {
  const auto begin = size_t(step % stepsOfEpoch() * size);
  return {begin, std::min(begin + size_t(size), rows.size())};
}

double Batches::shareOf(int64_t step) const {
  const Range range = rangeOf(step);
  return stepsOfEpoch() == 1 ? 1 : double(range.end - range.begin) / double(rows.size());
}

Span<const int64_t> Batches::rowsOf(uint64_t seed, int64_t step) {
  assert(size > 0);
  const uint64_t key = stepKey(seed, uint64_t(epochOf(step))) ^ ofShuffles;
  if (shuffled.empty() || shuffledFor != key) {
    std::vector<std::pair<uint64_t, int64_t>> drawn;
    for (int64_t row : rows)
      drawn.emplace_back(mix64(key + mix64(uint64_t(row) + goldenGamma)), row);
    std::sort(drawn.begin(), drawn.end());
    shuffled.clear();
    for (auto [draw, row] : drawn)
      shuffled.push_back(row);
    shuffledFor = key;
  }
  const Range range = rangeOf(step);
  return {shuffled.data() + range.begin, range.end - range.begin};
}

} // namespace gnn::rt
