//===- DiskRates.h - How fast a disk reads and writes -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_DISKRATES_H
#define GNN_STREAM_DISKRATES_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gnn::rt {

/// How a disk goes on in one direction. Where something limits it, such as a control group or who rents it out, it may
/// do some bytes faster after a rest.
struct DiskRate {
  double steady;     // bytes a second
  double peak;       // the same, as long as it has some credit
  double credit = 0; // the most bytes that it saves up while it does less than `steady`

  /// Whether it does far less than it could.
  bool isLimited() const { return peak > 2 * steady; }

  /// Of so many bytes at some seconds, done one after the other: a line through all but a first quarter, as a disk
  /// that is limited goes by jerks.
  static DiskRate of(const std::vector<std::pair<double, double>> &bytesAt);
};

/// Of large pieces that are read and written past the page cache.
struct DiskRates {
  DiskRate reads, writes;

  /// Writes so many bytes at most to a file without a name in a folder, and reads them again. Takes four seconds at
  /// most. Throws GNN_ERROR_IO with the folder named.
  static DiskRates measure(const std::string &folder, size_t mostBytes);
};

/// One direction of a disk in a rehearsal.
class RehearsedDisk {
public:
  /// Of bytes that it begins with when what it was asked for before has ended.
  double seconds(const DiskRate &rate, double bytes, double begin);

private:
  double credit = 0, until = 0;
};

/// Memory that this process may still take, page cache among it, by the system and the limits of its control group.
uint64_t availableMemory();

} // namespace gnn::rt

#endif // GNN_STREAM_DISKRATES_H
