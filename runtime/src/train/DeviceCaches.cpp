//===- DeviceCaches.cpp - Caches of devices that train on samples ---------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/DeviceCaches.h"

#include "runtime/src/core/Random.h"
#include "runtime/src/train/Batches.h"

#include <map>
#include <utility>

namespace gnn::rt {

namespace {

/// The even steps of an epoch, or the odd ones; the only one is both.
CountedReads readsOf(CachedRows &rows, uint32_t vertexType, const DeviceBatches &batches, size_t device, int64_t epoch,
                     bool areOdd) {
  CountedReads reads = rows.none();
  const int64_t steps = batches.steps[device];
  for (int64_t step = areOdd && steps > 1; step < steps; step += 2) {
    batches.drawStep(device, epoch * steps + step,
                     [&](Span<const int64_t> seeds, uint64_t key) { rows.add(vertexType, seeds, key, reads); });
    ++reads.batches;
  }
  return reads;
}

double sumOf(const std::vector<DeviceCaches::OfDevice> &devices, double DeviceCaches::OfDevice::*member) {
  double sum = 0;
  for (const DeviceCaches::OfDevice &device : devices)
    sum += device.*member;
  return sum;
}

} // namespace

double DeviceCaches::predictedTransactions() const { return sumOf(devices, &OfDevice::predictedTransactions); }

double DeviceCaches::countedTransactions() const { return sumOf(devices, &OfDevice::countedTransactions); }

DeviceCaches planDeviceCaches(CachedRows &rows, uint32_t vertexType, const std::vector<std::vector<size_t>> &groups,
                              const DeviceBatches &batches, const std::vector<size_t> &bytes,
                              DeviceCaches::Kinds kinds) {
  DeviceCaches result;
  std::map<size_t, int> ofSize; // hundredths, by the number of devices of a group
  result.devices.resize(batches.steps.size());
  for (const std::vector<size_t> &group : groups) {
    std::vector<CountedReads> choosing, judging, counting;
    std::vector<size_t> ofGroup;
    for (size_t device : group) { // one without seeds reads nothing; the others may use its cache
      choosing.push_back(readsOf(rows, vertexType, batches, device, 0, /*areOdd=*/false));
      judging.push_back(readsOf(rows, vertexType, batches, device, 1, /*areOdd=*/true));
      counting.push_back(readsOf(rows, vertexType, batches, device, 2, /*areOdd=*/true));
      ofGroup.push_back(bytes[device]);
    }
    UnifiedCache cache(rows.sizes(), choosing, std::move(ofGroup));
    const std::vector<double> predicted = cache.sweep(judging);
    int hundredths = kinds == DeviceCaches::Features ? 0 : UnifiedCache::best(predicted);
    if (kinds == DeviceCaches::EdgesAndFeaturesAlike)
      hundredths = ofSize.emplace(group.size(), hundredths).first->second;
    cache.fill(hundredths);
    result.groups.push_back({group, hundredths, predicted, cache.sweep(counting)});
    for (size_t i = 0; i < group.size(); ++i) {
      DeviceCaches::OfDevice &of = result.devices[group[i]];
      of = {batches.seeds[group[i]],
            batches.steps[group[i]],
            cache.edgeBytes(i),
            cache.featureBytes(i),
            cache.find(judging[i], i),
            cache.find(counting[i], i),
            0,
            0,
            judging[i].batches,
            cache.featuresOf(i),
            cache.edgesOf(i)};
      auto ofEpoch = [&](const UnifiedCache::Found &found, const CountedReads &drawn) {
        return drawn.batches ? double(found.transactions) * double(of.batches) / double(drawn.batches) : 0;
      };
      of.predictedTransactions = ofEpoch(of.predicted, judging[i]);
      of.countedTransactions = ofEpoch(of.counted, counting[i]);
    }
  }
  return result;
}

} // namespace gnn::rt
