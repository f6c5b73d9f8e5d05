//===- Shares.h - The parts of a batch --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch is cut into shares, each of which is sampled and run by itself. How many there are decides the bits, and not
// which process or device runs them: each has some neighbouring ones, one at least.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SHARES_H
#define GNN_SAMPLE_SHARES_H

#include "runtime/src/comm/Comm.h"

#include <algorithm>

namespace gnn::rt {

struct Shares {
  int64_t count = 1;    // of a batch; as many as ranks at least
  Comm *comm = nullptr; // the ranks that train together; null: this process alone

  struct Range {
    int64_t begin, end;
    int64_t size() const { return end - begin; }
  };

  /// Those that this process runs; of several devices that it has, those of one.
  Range ours(size_t device = 0, size_t devices = 1) const {
    const int64_t rank = comm ? comm->rank() : 0, ranks = comm ? comm->size() : 1;
    const int64_t number = rank * int64_t(devices) + int64_t(device), all = ranks * int64_t(devices);
    return {number * count / all, (number + 1) * count / all};
  }
  /// The seeds of a share, of so many in their order: as many in each, but for one more in the first ones. So those
  /// without any come last.
  Range seedsOf(int64_t share, int64_t seeds) const {
    auto begin = [&](int64_t number) { return number * (seeds / count) + std::min(number, seeds % count); };
    return {begin(share), begin(share + 1)};
  }
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SHARES_H
