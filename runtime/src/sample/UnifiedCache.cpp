//===- UnifiedCache.cpp - A cache of several devices ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/UnifiedCache.h"

#include <algorithm>
#include <numeric>

namespace gnn::rt {

/// The hottest rows of all devices first, each for the device that reads it most: complete sharing with local
/// preference (Legion, algorithm 1). Where several read it as often, rows are dealt out in turn.
template <class Read, class Size>
std::vector<UnifiedCache::Queue> UnifiedCache::queuesOf(const std::vector<CountedReads> &choosing, Read read,
                                                        Size bytesOf) {
  const size_t devices = choosing.size(), number = read(choosing[0]).size();
  std::vector<uint64_t> sums(number, 0);
  for (const CountedReads &of : choosing)
    for (size_t row = 0; row < number; ++row)
      sums[row] += read(of)[row];
  std::vector<uint32_t> order(number);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return sums[a] > sums[b]; });
  std::vector<Queue> queues(devices);
  for (uint32_t row : order) {
    size_t to = row % devices;
    for (size_t i = 1; i < devices; ++i)
      if (const size_t other = (row + i) % devices; read(choosing[other])[row] > read(choosing[to])[row])
        to = other;
    Queue &queue = queues[to];
    queue.ends.push_back((queue.ends.empty() ? 0 : queue.ends.back()) + bytesOf(row));
    queue.rows.push_back(row);
  }
  return queues;
}

size_t UnifiedCache::Queue::fitting(size_t most) const {
  return size_t(std::upper_bound(ends.begin(), ends.end(), most) - ends.begin());
}

UnifiedCache::UnifiedCache(const CachedRowSizes &of, const std::vector<CountedReads> &choosing, size_t ofEach)
    : sizes(of), bytes(ofEach), edges(queuesOf(
                                    choosing, [](const CountedReads &reads) -> auto & { return reads.edges; },
                                    [&](size_t row) { return sizes.edges[row]; })),
      features(queuesOf(
          choosing, [](const CountedReads &reads) -> auto & { return reads.features; },
          [&](size_t row) { return size_t(sizes.features[row]); })) {}

std::vector<double> UnifiedCache::sweep(const std::vector<CountedReads> &reads) const {
  // What all rows cost, and what those save that a device has, up to each of its queue.
  double all = 0;
  auto savedOf = [&](const std::vector<Queue> &queues, auto costOf) {
    std::vector<std::vector<double>> saved;
    for (const Queue &queue : queues) {
      saved.emplace_back(1, 0.0);
      for (uint32_t row : queue.rows)
        saved.back().push_back(saved.back().back() + costOf(row));
      all += saved.back().back();
    }
    return saved;
  };
  const auto ofEdges = savedOf(edges, [&](size_t row) {
    double cost = 0;
    for (const CountedReads &of : reads)
      cost += of.transactions[row];
    return cost;
  });
  const auto ofFeatures = savedOf(features, [&](size_t row) {
    double cost = 0;
    for (const CountedReads &of : reads)
      cost += double(of.features[row]) * sizes.transactions(row);
    return cost;
  });
  std::vector<double> left;
  for (int hundredths = 0; hundredths <= 100; ++hundredths) {
    const Bytes parts = partsOf(hundredths);
    left.push_back(all);
    for (size_t device = 0; device < edges.size(); ++device)
      left.back() -= ofEdges[device][edges[device].fitting(parts.edges)] +
                     ofFeatures[device][features[device].fitting(parts.features)];
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
  filled.clear();
  auto take = [](const Queue &queue, size_t most, size_t device, std::vector<int8_t> &owner) {
    const size_t count = queue.fitting(most);
    for (size_t i = 0; i < count; ++i)
      owner[queue.rows[i]] = int8_t(device);
    return count ? queue.ends[count - 1] : 0;
  };
  for (size_t device = 0; device < edges.size(); ++device)
    filled.push_back({take(edges[device], parts.edges, device, edgeOwner),
                      take(features[device], parts.features, device, featureOwner)});
}

std::vector<uint32_t> UnifiedCache::featuresOf(size_t device) const {
  std::vector<uint32_t> rows;
  for (size_t row = 0; row < featureOwner.size(); ++row)
    if (featureOwner[row] == int8_t(device))
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
