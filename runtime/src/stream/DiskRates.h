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

namespace gnn::rt {

/// Bytes a second, of large pieces.
struct DiskRates {
  double readRate, writeRate; // of the disk itself

  /// Writes so many bytes at most to a file without a name in a folder, and reads them again. Takes about a second at
  /// most. A first part does not count: limits of a control group allow some more at first. Throws GNN_ERROR_IO with
  /// the folder named.
  static DiskRates measure(const std::string &folder, size_t mostBytes);
};

/// Memory that this process may still take, page cache among it, by the system and the limits of its control group.
uint64_t availableMemory();

} // namespace gnn::rt

#endif // GNN_STREAM_DISKRATES_H
