//===- DeviceCaches.h - Caches of devices that train on samples -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caches of devices that train on samples side by side, each on seeds of its own, and the hit rates to expect,
// counted by drawing batches of each device. The cached rows are features (HotRows) and, where GPUs draw samples, edges
// (DrawTables).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_DEVICECACHES_H
#define GNN_TRAIN_DEVICECACHES_H

#include "runtime/src/sample/UnifiedCache.h"

#include <functional>

namespace gnn::rt {

/// The batches that each device trains on.
struct DeviceBatches {
  using Draw = std::function<void(Span<const int64_t> seeds, uint64_t stepKey)>;

  std::vector<int64_t> seeds, steps; // [devices] of an epoch; no steps: it has no seeds
  /// Calls `draw` for what a device samples in a step, counted over all epochs: rows of a vertex type.
  std::function<void(size_t device, int64_t step, const Draw &draw)> drawStep;
};

struct DeviceCaches {
  struct Group {
    std::vector<size_t> devices;
    int hundredths;                         // of each cache that are for edges (Legion: alpha)
    std::vector<double> predicted, counted; // [0 .. 100] transactions of the batches that were drawn, by hundredths
  };
  /// Kinds of rows that a cache holds, and how its bytes are shared among them: as is best for a group, or (`Alike`)
  /// for the first group with as many devices. The latter is for batches whose distribution is the same on all devices,
  /// where shares would differ by chance alone.
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
