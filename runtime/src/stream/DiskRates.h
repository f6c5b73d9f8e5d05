//===- DiskRates.h - How fast a disk reads and writes -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_DISKRATES_H
#define GNN_STREAM_DISKRATES_H

#include "runtime/src/engine/Queues.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gnn::rt {

/// How much a disk reads and writes, in bytes a second.
struct DiskRates {
  double reads, writes;

  double of(Queue transfers) const { return transfers == Queue::Load ? reads : writes; }
  /// The rate of consecutive transfers, given as total bytes at some seconds: the slope of a line through all but the
  /// first quarter, since a limited disk (a control group, a rented machine) starts faster than it can go on.
  static double rateOf(const std::vector<std::pair<double, double>> &bytesAt);
  /// Writes so many bytes at most to a file without a name in a folder, past the page cache as spill files are, and
  /// reads them again. Takes four seconds at most. Throws GNN_ERROR_IO with the folder named.
  static DiskRates measure(const std::string &folder, size_t mostBytes);
};

/// Memory that this process may still take, page cache among it, by the system and the limits of its control group.
uint64_t availableMemory();

} // namespace gnn::rt

#endif // GNN_STREAM_DISKRATES_H
