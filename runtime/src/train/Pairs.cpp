//===- Pairs.cpp - Positive and sampled pairs -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Pairs.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"
#include "runtime/src/core/Random.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// A draw that hits a known pair this often is kept: the graph is nearly complete.
constexpr uint64_t maxAttempts = 32;
/// Nearly all that are asked for are no known pairs: most of them meet an empty bucket, and read nothing else.
constexpr float pairsOfBucket = 0.125F;

} // namespace

Pairs pairsOf(const Tensor &table, const std::string &what) {
  require(table.rank() == 2 && (table.dim(1) == 2 || table.dim(1) == 3), GNN_ERROR_DATA, what,
          ": expected pairs [any, 2] or typed pairs [any, 3], got ", shapeText(table.shape()));
  Tensor ids = table.as(GNN_I64, what);
  Pairs pairs;
  const int64_t *row = ids.data<int64_t>();
  for (int64_t i = 0; i < table.dim(0); ++i, row += table.dim(1)) {
    pairs.src.push_back(row[0]);
    pairs.dst.push_back(row[table.dim(1) - 1]);
    if (table.dim(1) == 3)
      pairs.types.push_back(row[1]);
  }
  return pairs;
}

size_t PairSet::Hash::operator()(const Key &key) const {
  return size_t(mix64(mix64(mix64(uint64_t(key.src) + goldenGamma) + uint64_t(key.type)) + uint64_t(key.dst)));
}

PairSet::PairSet() { known.max_load_factor(pairsOfBucket); }

void PairSet::add(const Pairs &pairs) {
  known.reserve(known.size() + pairs.src.size());
  for (size_t i = 0; i < pairs.src.size(); ++i)
    known.insert({pairs.src[i], pairs.types.empty() ? 0 : pairs.types[i], pairs.dst[i]});
}

/// Each a node that is allocated, with its buckets.
size_t PairSet::bytes(int64_t pairs) {
  return size_t(pairs) * (sizeof(Key) + 3 * sizeof(void *)) + size_t(float(pairs) / pairsOfBucket) * sizeof(void *);
}

PairEnds pairEnds(const Library &library, const Binding &binding) {
  const gnn_relation_t &relation = library.table().relations[*binding.pairsRelation()];
  return {binding.rows(relation.source_type), binding.rows(relation.destination_type)};
}

Pairs pairsAt(const Pairs &pairs, Span<const int64_t> rows) {
  Pairs result;
  for (int64_t row : rows) {
    result.src.push_back(pairs.src[size_t(row)]);
    result.dst.push_back(pairs.dst[size_t(row)]);
    if (!pairs.types.empty())
      result.types.push_back(pairs.types[size_t(row)]);
  }
  return result;
}

Pairs withNegatives(const Pairs &positives, int64_t perPair, PairEnds ends, const PairSet &known, uint64_t key,
                    Span<const int64_t> numbers) {
  require(perPair <= INT32_MAX / std::max<int64_t>(positives.count(), 1), GNN_ERROR_ARGUMENT, perPair,
          " sampled pairs for each of ", positives.count(), " are too many");
  const auto count = size_t(positives.count()), all = count * size_t(1 + perPair);
  Pairs result = positives;
  result.src.resize(all);
  result.dst.resize(all);
  if (!positives.types.empty())
    result.types.resize(all);
  parallelFor(size_t(0), count, [&](size_t i) {
    const int64_t type = positives.types.empty() ? 0 : positives.types[i];
    const uint64_t number = numbers.empty() ? i : uint64_t(numbers[i]);
    for (uint64_t j = 0; j < uint64_t(perPair); ++j) {
      int64_t src = positives.src[i], dst = positives.dst[i];
      const uint64_t rowKey = mix64(key + (number * uint64_t(perPair) + j + 1) * goldenGamma);
      const bool replacesSource = rowKey & 1;
      int64_t &end = replacesSource ? src : dst;
      const auto choices = uint64_t(replacesSource ? ends.numSources : ends.numDestinations);
      for (uint64_t attempt = 1; attempt <= maxAttempts; ++attempt) {
        end = int64_t(mix64(rowKey + attempt * goldenGamma) % choices);
        if (!known.contains(src, type, dst))
          break;
      }
      const size_t place = count + i * size_t(perPair) + j;
      result.src[place] = src;
      result.dst[place] = dst;
      if (!positives.types.empty())
        result.types[place] = type;
    }
  });
  return result;
}

uint64_t trainingPairsKey(uint64_t seed, uint64_t epoch) {
  constexpr uint64_t isNoDropout = 0x70616972;
  return mix64(stepKey(seed, epoch) ^ isNoDropout);
}

std::vector<double> pairTargets(int64_t positives, int64_t perPair) {
  std::vector<double> targets(size_t(positives * (1 + perPair)), 0.0);
  std::fill(targets.begin(), targets.begin() + positives, 1.0);
  return targets;
}

} // namespace gnn::rt
