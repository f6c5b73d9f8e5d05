//===- RowReads.h - Scattered rows of a file --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch knows all rows that it reads of a table before it reads one. So they are sorted, neighbours are one read, and
// several reads are under way at a time, as disks want it: of one thread where the system reads together, else of
// several.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_ROWREADS_H
#define GNN_SAMPLE_ROWREADS_H

#include "runtime/src/io/NpyFile.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace gnn::rt {

struct WantedRow {
  int64_t row;
  void *to;
};

/// Reads rows that lie behind each other; from any thread.
using ReadOfRows = std::function<void(Span<const WantedRows>)>;

/// Reads all of `wanted`, which is sorted by row afterwards. `together`: `read` has those that it is given under way
/// together; else it is given one at a time, by several threads. Returns how many reads it took. Throws what one of
/// them did, when none is under way any more.
int64_t readRows(std::vector<WantedRow> &wanted, size_t rowBytes, bool together, const ReadOfRows &read);

struct ReadSize {
  int64_t reads = 0;
  uint64_t bytes = 0; // of wanted rows and of those between them
};
/// The size of the reads that fetch the wanted rows. Also sorts `wanted`.
ReadSize sizeOfReads(std::vector<WantedRow> &wanted, size_t rowBytes);

/// The most memory that this takes beside `wanted`, of rows of so many bytes.
size_t bytesOfReads(size_t rowBytes);

} // namespace gnn::rt

#endif // GNN_SAMPLE_ROWREADS_H
