//===- DeviceCaches.h - Caches of devices that train on samples -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What caches devices have that train on samples side by side, each on seeds of its own, and what they will find there:
// counted by drawing their batches. Runs have such caches of features (HotRows) and, where GPUs draw, of rows of edges
// (DrawTables).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_DEVICECACHES_H
#define GNN_TRAIN_DEVICECACHES_H

#include "runtime/src/sample/UnifiedCache.h"

#include <functional>

namespace gnn::rt {

/// What devices train on.
struct DeviceBatches {
  using Draw = std::function<void(Span<const int64_t> seeds, uint64_t stepKey)>;

  std::vector<int64_t> seeds, steps; // [devices] of an epoch; no steps: it has no seeds
  /// Calls `draw` for what a device samples in a step, counted over all epochs: rows of a vertex type.
  std::function<void(size_t device, int64_t step, const Draw &draw)> drawStep;
};
/// Of devices that have seeds of their own, `tablets`, in batches: Legion's.
DeviceBatches batchesOfTablets(const std::vector<std::vector<int64_t>> &tablets, int64_t batch);

struct DeviceCaches {
  struct Group {
    std::vector<size_t> devices;
    int hundredths;                         // of each cache that are for edges (Legion: alpha)
    std::vector<double> predicted, counted; // [0 .. 100] transactions of the batches that were drawn, by hundredths
  };
  /// What a cache has rows of, and how much is for which kind: as is best for a group, or for the first one with as
  /// many devices. The latter is for batches that are drawn alike, where others differ by chance.
  enum Kinds { EdgesAndFeatures, EdgesAndFeaturesAlike, Features };
  struct OfDevice {
    int64_t seeds, batches; // of an epoch
    size_t edgeBytes, featureBytes;
    UnifiedCache::Found predicted, counted;            // of some batches
    double predictedTransactions, countedTransactions; // of an epoch
    int64_t predictedBatches = 0;                      // which are predicted
    std::vector<uint32_t> features, edges;             // the rows of each (CachedRows) that it has, ascending
  };
  std::vector<Group> groups;
  std::vector<OfDevice> devices;

  double predictedTransactions() const;
  double countedTransactions() const;
};

/// `groups`: devices that share a cache. `batches`: of seeds of that vertex type, at least one in all. `bytes`:
/// [devices] for the cache. The even batches of an epoch say which rows a cache has, the odd ones of the next how much
/// is for which kind and what will be found, and the odd ones of a third are what is counted.
DeviceCaches planDeviceCaches(CachedRows &rows, uint32_t vertexType, const std::vector<std::vector<size_t>> &groups,
                              const DeviceBatches &batches, const std::vector<size_t> &bytes,
                              DeviceCaches::Kinds kinds = DeviceCaches::EdgesAndFeatures);

} // namespace gnn::rt

#endif // GNN_TRAIN_DEVICECACHES_H
