//===- UnifiedCache.h - A cache of several devices --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices that read each other's memory have one cache together, of rows of edges and of features (Legion, section 4):
// which rows, on which device, and how much of each one's memory for which kind.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_UNIFIEDCACHE_H
#define GNN_SAMPLE_UNIFIEDCACHE_H

#include "runtime/src/sample/CachedRows.h"

namespace gnn::rt {

class UnifiedCache {
public:
  /// Fills devices' caches of the given numbers of bytes for batches that read `choosing`. `sizes` must outlive this.
  UnifiedCache(const CachedRowSizes &sizes, const std::vector<CountedReads> &choosing, std::vector<size_t> bytes);

  /// [0 .. 100] transactions that reads of the devices take from the host, if so many hundredths of each cache are for
  /// edges (equations 2 to 6). Transactions of edges are those of the rows that are not in it; the paper takes the mean
  /// of all, which a counter of the processor gives.
  std::vector<double> sweep(const std::vector<CountedReads> &reads) const;
  /// Fills the cache so. Those that the sweep finds least for, of several the lowest, are the best.
  void fill(int hundredths);
  static int best(const std::vector<double> &sweep);

  // Then:
  struct Use {
    uint64_t rows = 0, here = 0, ofPeers = 0; // that are read, or edges drawn; found in its own cache, and in another's

    double hitRate() const { return rows ? double(here + ofPeers) / double(rows) : 1; }
  };
  struct Found {
    Use edges, features;
    uint64_t transactions = 0, bytes = 0; // from the host; bytes of features
  };
  /// The hits of a device's batches with these reads.
  Found find(const CountedReads &reads, size_t device) const;
  size_t edgeBytes(size_t device) const { return filled.edges[device]; }
  size_t featureBytes(size_t device) const { return filled.features[device]; }
  /// The rows of features that it has, ascending.
  std::vector<uint32_t> featuresOf(size_t device) const { return rowsOf(featureOwner, device); }
  /// The same of edges.
  std::vector<uint32_t> edgesOf(size_t device) const { return rowsOf(edgeOwner, device); }

private:
  static constexpr int8_t nobody = -1;
  /// Rows of a kind, the hottest first.
  struct Candidates {
    std::vector<uint32_t> rows;
    std::vector<size_t> bytes;  // of each
    std::vector<int8_t> reader; // device that reads it most
    size_t least;               // bytes of the smallest
  };
  /// [devices]
  struct Bytes {
    std::vector<size_t> edges, features;
  };
  template <class Read, class Size>
  static Candidates candidatesOf(const std::vector<CountedReads> &choosing, Read read, Size bytesOf);
  template <class Take>
  static std::vector<size_t> place(const Candidates &candidates, const std::vector<size_t> &most, Take take);
  Bytes partsOf(int hundredths) const;
  static std::vector<uint32_t> rowsOf(const std::vector<int8_t> &owners, size_t device);

  const CachedRowSizes &sizes;
  const std::vector<size_t> bytes; // [devices]
  const size_t devices;
  Candidates edges, features;
  std::vector<int8_t> edgeOwner, featureOwner; // [rows] the device that has it, or nobody
  Bytes filled;
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_UNIFIEDCACHE_H
