//===- DeviceCaches.h - Caches of devices that train on samples -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What caches several devices would have that train on samples side by side, each on seeds of its own, and what they
// would find there: counted by drawing their batches. Of one device, with features alone, a run has it (HotRows).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_DEVICECACHES_H
#define GNN_TRAIN_DEVICECACHES_H

#include "runtime/src/sample/UnifiedCache.h"

namespace gnn::rt {

struct DeviceCaches {
  struct Group {
    std::vector<size_t> devices;
    int hundredths;                         // of each cache that are for edges (Legion: alpha)
    std::vector<double> predicted, counted; // [0 .. 100] transactions of the batches that were drawn, by hundredths
  };
  /// What a cache has rows of.
  enum Kinds { EdgesAndFeatures, Features };
  struct OfDevice {
    int64_t seeds, batches; // of an epoch
    size_t edgeBytes, featureBytes;
    UnifiedCache::Found predicted, counted;            // of some batches
    double predictedTransactions, countedTransactions; // of an epoch
    int64_t predictedBatches = 0;                      // which are predicted
    std::vector<uint32_t> features;                    // the rows of features (CachedRows) that it has, ascending
  };
  std::vector<Group> groups;
  std::vector<OfDevice> devices;

  double predictedTransactions() const;
  double countedTransactions() const;
};

/// `groups`: devices that share a cache. `tablets`: [devices] the seeds of each, rows of a vertex type, at least one in
/// all. The even batches of an epoch say which rows a cache has, the odd ones of the next how much is for which kind
/// and what will be found, and the odd ones of a third are what is counted.
DeviceCaches planDeviceCaches(CachedRows &rows, uint32_t vertexType, const std::vector<std::vector<size_t>> &groups,
                              const std::vector<std::vector<int64_t>> &tablets, int64_t batch, size_t bytes,
                              DeviceCaches::Kinds kinds = DeviceCaches::EdgesAndFeatures);

} // namespace gnn::rt

#endif // GNN_TRAIN_DEVICECACHES_H
