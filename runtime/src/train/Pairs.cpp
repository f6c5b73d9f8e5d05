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
#include <map>
#include <tuple>
#include <utility>

namespace gnn::rt {

namespace {

/// After so many draws that are known pairs, the vertices that make no known pair are listed, and one of them is drawn.
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

bool PairSet::containsAll(const Pairs &pairs) const {
  for (size_t i = 0; i < pairs.src.size(); ++i)
    if (!contains(pairs.src[i], pairs.types.empty() ? 0 : pairs.types[i], pairs.dst[i]))
      return false;
  return true;
}

/// Each a node that is allocated, with its buckets.
size_t PairSet::bytes(int64_t pairs) {
  return size_t(pairs) * (sizeof(Key) + 3 * sizeof(void *)) + size_t(float(pairs) / pairsOfBucket) * sizeof(void *);
}

PairEnds pairEnds(const Library &library, const Binding &binding) {
  const gnn_relation_t &relation = library.relation(*pairsRelation(library));
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

namespace {

/// Draws the negatives of true pairs. Places are those in the result, which begins with the true pairs.
class NegativeDraws {
public:
  NegativeDraws(const Pairs &positives, int64_t perPair, PairEnds ends, const PairSet &known, uint64_t key,
                Span<const int64_t> numbers)
      : positives(positives), perPair(size_t(perPair)), ends(ends), known(known), key(key), numbers(numbers),
        result(positives) {
    const size_t all = count() * (1 + this->perPair);
    result.src.resize(all, notFound);
    result.dst.resize(all, notFound);
    if (!positives.types.empty())
      result.types.resize(all);
  }

  PairsWithNegatives draw() {
    parallelFor(count(), result.src.size(), [&](size_t place) { tryAt(place); });
    std::vector<size_t> left;
    for (size_t place = count(); place < result.src.size(); ++place)
      if (result.src[place] == notFound)
        left.push_back(place);
    for (bool isOtherEnd : {false, true})
      left = listAndDraw(std::move(left), isOtherEnd);
    leaveOut();
    return {std::move(result), int64_t(left.size())};
  }

private:
  static constexpr int64_t notFound = -1;

  /// The end of a true pair that stays; the other one is replaced.
  struct KeptEnd {
    bool isDestination;
    int64_t type, vertex;
    bool operator<(const KeptEnd &other) const {
      return std::tie(isDestination, type, vertex) < std::tie(other.isDestination, other.type, other.vertex);
    }
  };

  size_t count() const { return positives.src.size(); }
  size_t positiveOf(size_t place) const { return (place - count()) / perPair; }
  int64_t typeOf(size_t positive) const { return positives.types.empty() ? 0 : positives.types[positive]; }
  uint64_t keyOf(size_t place) const {
    const size_t i = positiveOf(place);
    const uint64_t number = numbers.empty() ? i : uint64_t(numbers[i]);
    return mix64(key + (number * perPair + (place - count()) % perPair + 1) * goldenGamma);
  }
  KeptEnd keptEnd(size_t place, bool isOtherEnd) const {
    const size_t i = positiveOf(place);
    const bool isDestination = bool(keyOf(place) & 1) != isOtherEnd;
    return {isDestination, typeOf(i), isDestination ? positives.dst[i] : positives.src[i]};
  }
  uint64_t choices(const KeptEnd &kept) const {
    return uint64_t(kept.isDestination ? ends.numSources : ends.numDestinations);
  }
  bool isKnown(const KeptEnd &kept, int64_t vertex) const {
    return kept.isDestination ? known.contains(vertex, kept.type, kept.vertex)
                              : known.contains(kept.vertex, kept.type, vertex);
  }
  void put(size_t place, const KeptEnd &kept, int64_t vertex) {
    result.src[place] = kept.isDestination ? vertex : kept.vertex;
    result.dst[place] = kept.isDestination ? kept.vertex : vertex;
    if (!positives.types.empty())
      result.types[place] = kept.type;
  }

  void tryAt(size_t place) {
    const KeptEnd kept = keptEnd(place, /*isOtherEnd=*/false);
    const uint64_t rowKey = keyOf(place);
    for (uint64_t attempt = 1; attempt <= maxAttempts && choices(kept) > 0; ++attempt)
      if (const auto vertex = int64_t(mix64(rowKey + attempt * goldenGamma) % choices(kept)); !isKnown(kept, vertex))
        return put(place, kept, vertex);
  }

  /// Draws at `places` from all vertices that make no known pair with the end that is kept. Returns the places where
  /// there is no such vertex. The list is made once for each end, so this takes about as long as there are known pairs:
  /// an end whose draws have failed has nearly all vertices in them.
  std::vector<size_t> listAndDraw(std::vector<size_t> places, bool isOtherEnd) {
    std::map<KeptEnd, std::vector<size_t>> byEnd;
    for (size_t place : places)
      byEnd[keptEnd(place, isOtherEnd)].push_back(place);
    const std::vector<std::pair<KeptEnd, std::vector<size_t>>> groups(byEnd.begin(), byEnd.end());
    parallelFor(size_t(0), groups.size(), [&](size_t g) {
      const auto &[kept, ofEnd] = groups[g];
      std::vector<int64_t> unknown;
      for (int64_t vertex = 0; vertex < int64_t(choices(kept)); ++vertex)
        if (!isKnown(kept, vertex))
          unknown.push_back(vertex);
      for (size_t place : unknown.empty() ? std::vector<size_t>() : ofEnd)
        put(place, kept, unknown[mix64(keyOf(place) + (maxAttempts + 1) * goldenGamma) % unknown.size()]);
    });
    places.erase(std::remove_if(places.begin(), places.end(), [&](size_t at) { return result.src[at] != notFound; }),
                 places.end());
    return places;
  }

  /// Closes up over places where no negative exists.
  void leaveOut() {
    size_t to = count();
    for (size_t place = count(); place < result.src.size(); ++place) {
      if (result.src[place] == notFound)
        continue;
      result.src[to] = result.src[place];
      result.dst[to] = result.dst[place];
      if (!positives.types.empty())
        result.types[to] = result.types[place];
      ++to;
    }
    result.src.resize(to);
    result.dst.resize(to);
    if (!positives.types.empty())
      result.types.resize(to);
  }

  const Pairs &positives;
  const size_t perPair;
  const PairEnds ends;
  const PairSet &known;
  const uint64_t key;
  const Span<const int64_t> numbers;
  Pairs result;
};

} // namespace

PairsWithNegatives withNegatives(const Pairs &positives, int64_t perPair, PairEnds ends, const PairSet &known,
                                 uint64_t key, Span<const int64_t> numbers) {
  require(perPair <= INT32_MAX / std::max<int64_t>(positives.count(), 1), GNN_ERROR_ARGUMENT, perPair,
          " sampled pairs for each of ", positives.count(), " are too many");
  return NegativeDraws(positives, perPair, ends, known, key, numbers).draw();
}

uint64_t trainingPairsKey(uint64_t seed, uint64_t epoch) {
  constexpr uint64_t isNoDropout = 0x70616972;
  return mix64(stepKey(seed, epoch) ^ isNoDropout);
}

std::vector<double> pairTargets(int64_t positives, int64_t all) {
  std::vector<double> targets(static_cast<size_t>(all), 0.0);
  std::fill(targets.begin(), targets.begin() + positives, 1.0);
  return targets;
}

} // namespace gnn::rt
