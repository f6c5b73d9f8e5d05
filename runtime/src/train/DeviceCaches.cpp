//===- DeviceCaches.cpp - Caches of devices that train on samples ---------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/DeviceCaches.h"

#include "runtime/src/core/Random.h"
#include "runtime/src/train/Batches.h"

namespace gnn::rt {

namespace {

/// The even steps of an epoch, or the odd ones; the only one is both.
CountedReads readsOf(CachedRows &rows, uint32_t vertexType, Batches &batches, int64_t epoch, bool areOdd,
                     uint64_t device) {
  CountedReads reads = rows.none();
  const int64_t steps = batches.stepsOfEpoch();
  for (int64_t step = areOdd && steps > 1; step < steps; step += 2) {
    const int64_t number = batches.stepsBefore(epoch) + step;
    rows.add(vertexType, batches.rowsOf(/*seed=*/device, number), stepKey(/*seed=*/device, uint64_t(number)), reads);
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
                              const std::vector<std::vector<int64_t>> &tablets, int64_t batch, size_t bytes,
                              DeviceCaches::Kinds kinds) {
  DeviceCaches result;
  result.devices.resize(tablets.size());
  for (const std::vector<size_t> &group : groups) {
    std::vector<CountedReads> choosing, judging, counting;
    std::vector<int64_t> steps;
    for (size_t device : group) {
      // A device without seeds reads nothing; the other devices may use its cache.
      Batches batches = tablets[device].empty() ? Batches() : Batches(tablets[device], batch);
      const bool reads = !tablets[device].empty();
      steps.push_back(reads ? batches.stepsOfEpoch() : 0);
      choosing.push_back(reads ? readsOf(rows, vertexType, batches, 0, /*areOdd=*/false, device) : rows.none());
      judging.push_back(reads ? readsOf(rows, vertexType, batches, 1, /*areOdd=*/true, device) : rows.none());
      counting.push_back(reads ? readsOf(rows, vertexType, batches, 2, /*areOdd=*/true, device) : rows.none());
    }
    UnifiedCache cache(rows.sizes(), choosing, bytes);
    const std::vector<double> predicted = cache.sweep(judging);
    const int hundredths = kinds == DeviceCaches::Features ? 0 : UnifiedCache::best(predicted);
    cache.fill(hundredths);
    result.groups.push_back({group, hundredths, predicted, cache.sweep(counting)});
    for (size_t i = 0; i < group.size(); ++i) {
      DeviceCaches::OfDevice &of = result.devices[group[i]];
      of = {int64_t(tablets[group[i]].size()),
            steps[i],
            cache.edgeBytes(i),
            cache.featureBytes(i),
            cache.find(judging[i], i),
            cache.find(counting[i], i),
            0,
            0,
            judging[i].batches,
            cache.featuresOf(i)};
      auto ofEpoch = [&](const UnifiedCache::Found &found, const CountedReads &drawn) {
        return drawn.batches ? double(found.transactions) * double(steps[i]) / double(drawn.batches) : 0;
      };
      of.predictedTransactions = ofEpoch(of.predicted, judging[i]);
      of.countedTransactions = ofEpoch(of.counted, counting[i]);
    }
  }
  return result;
}

} // namespace gnn::rt
