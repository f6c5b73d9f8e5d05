//===- UnifiedCache.cpp - A cache of several devices ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/UnifiedCache.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace gnn::rt {

/// The hottest rows of all devices first, each for the device that reads it most: complete sharing with local
/// preference (Legion, algorithm 1). Where several read it as often, rows are dealt out in turn.
template <class Read, class Size>
UnifiedCache::Candidates UnifiedCache::candidatesOf(const std::vector<CountedReads> &choosing, Read read,
                                                    Size bytesOf) {
  const size_t devices = choosing.size(), number = read(choosing[0]).size();
  std::vector<uint64_t> sums(number, 0);
  for (const CountedReads &of : choosing)
    for (size_t row = 0; row < number; ++row)
      sums[row] += read(of)[row];
  Candidates all{std::vector<uint32_t>(number), {}, {}, SIZE_MAX};
  std::iota(all.rows.begin(), all.rows.end(), 0);
  std::stable_sort(all.rows.begin(), all.rows.end(), [&](uint32_t a, uint32_t b) { return sums[a] > sums[b]; });
  for (uint32_t row : all.rows) {
    size_t to = row % devices;
    for (size_t i = 1; i < devices; ++i)
      if (const size_t other = (row + i) % devices; read(choosing[other])[row] > read(choosing[to])[row])
        to = other;
    all.bytes.push_back(bytesOf(row));
    all.reader.push_back(int8_t(to));
    all.least = std::min(all.least, all.bytes.back());
  }
  return all;
}

/// Each device has so many bytes. A row for which its reader has none left goes to the peer that has most: which rows
/// are in the cache is decided by what all devices have together (equations 3 and 5). A row that fits nowhere is left
/// out. Bytes that each takes.
template <class Take>
std::vector<size_t> UnifiedCache::place(const Candidates &candidates, const std::vector<size_t> &most, Take take) {
  std::vector<size_t> room = most, taken(most.size(), 0);
  auto roomiest = std::max_element(room.begin(), room.end());
  for (size_t i = 0; i < candidates.rows.size() && *roomiest >= candidates.least; ++i) {
    const size_t bytesOfRow = candidates.bytes[i];
    const auto reader = room.begin() + candidates.reader[i], to = *reader >= bytesOfRow ? reader : roomiest;
    if (*to < bytesOfRow)
      continue;
    *to -= bytesOfRow;
    taken[size_t(to - room.begin())] += bytesOfRow;
    take(i, size_t(to - room.begin()));
    if (to == roomiest)
      roomiest = std::max_element(room.begin(), room.end());
  }
  return taken;
}

UnifiedCache::Bytes UnifiedCache::partsOf(int hundredths) const {
  Bytes parts;
  for (size_t all : bytes) {
    parts.edges.push_back(all * size_t(hundredths) / 100);
    parts.features.push_back(all - parts.edges.back());
  }
  return parts;
}

UnifiedCache::UnifiedCache(const CachedRowSizes &of, const std::vector<CountedReads> &choosing,
                           std::vector<size_t> ofEach)
    : sizes(of), bytes(std::move(ofEach)), devices(choosing.size()),
      edges(candidatesOf(
          choosing, [](const CountedReads &reads) -> auto & { return reads.edges; },
          [&](size_t row) { return sizes.edges[row]; })),
      features(candidatesOf(
          choosing, [](const CountedReads &reads) -> auto & { return reads.features; },
          [&](size_t row) { return size_t(sizes.features[row]); })) {}

std::vector<double> UnifiedCache::sweep(const std::vector<CountedReads> &reads) const {
  double all = 0;
  auto costsOf = [&](const Candidates &candidates, auto costOf) { // [candidates] transactions without a cache
    std::vector<double> costs;
    for (uint32_t row : candidates.rows) {
      costs.push_back(0);
      for (const CountedReads &of : reads)
        costs.back() += costOf(of, row);
      all += costs.back();
    }
    return costs;
  };
  const auto ofEdges = costsOf(edges, [](const CountedReads &of, size_t row) { return double(of.transactions[row]); });
  const auto ofFeatures = costsOf(
      features, [&](const CountedReads &of, size_t row) { return double(of.features[row]) * sizes.transactions(row); });
  std::vector<double> left;
  for (int hundredths = 0; hundredths <= 100; ++hundredths) {
    const Bytes parts = partsOf(hundredths);
    left.push_back(all);
    place(edges, parts.edges, [&](size_t candidate, size_t) { left.back() -= ofEdges[candidate]; });
    place(features, parts.features, [&](size_t candidate, size_t) { left.back() -= ofFeatures[candidate]; });
  }
  return left;
}

int UnifiedCache::best(const std::vector<double> &sweep) {
  return int(std::min_element(sweep.begin(), sweep.end()) - sweep.begin());
}

void UnifiedCache::fill(int hundredths) {
  const Bytes parts = partsOf(hundredths);
  edgeOwner.assign(sizes.edges.size(), nobody);
  featureOwner.assign(sizes.features.size(), nobody);
  filled.edges = place(edges, parts.edges,
                       [&](size_t candidate, size_t device) { edgeOwner[edges.rows[candidate]] = int8_t(device); });
  filled.features = place(features, parts.features, [&](size_t candidate, size_t device) {
    featureOwner[features.rows[candidate]] = int8_t(device);
  });
}

std::vector<uint32_t> UnifiedCache::rowsOf(const std::vector<int8_t> &owners, size_t device) {
  std::vector<uint32_t> rows;
  for (size_t row = 0; row < owners.size(); ++row)
    if (owners[row] == int8_t(device))
      rows.push_back(uint32_t(row));
  return rows;
}

UnifiedCache::Found UnifiedCache::find(const CountedReads &reads, size_t device) const {
  Found found;
  auto isFound = [device](Use &use, int8_t owner, uint32_t count) {
    use.rows += count;
    (owner == int8_t(device) ? use.here : use.ofPeers) += owner == nobody ? 0 : count;
    return owner != nobody;
  };
  for (size_t row = 0; row < edgeOwner.size(); ++row)
    if (!isFound(found.edges, edgeOwner[row], reads.edges[row]))
      found.transactions += reads.transactions[row];
  for (size_t row = 0; row < featureOwner.size(); ++row)
    if (const uint32_t count = reads.features[row]; !isFound(found.features, featureOwner[row], count)) {
      found.transactions += uint64_t(count) * sizes.transactions(row);
      found.bytes += uint64_t(count) * sizes.features[row];
    }
  return found;
}

} // namespace gnn::rt
