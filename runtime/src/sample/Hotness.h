//===- Hotness.h - Which rows batches read most -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts how many batches that are sampled beforehand read each row, and says which to keep.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_HOTNESS_H
#define GNN_SAMPLE_HOTNESS_H

#include "runtime/src/core/Span.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnn::rt {

class Hotness {
public:
  /// A table of so many rows, of so many bytes each, and `edgeBytes` more for each of its edges.
  struct Table {
    int64_t rows;
    size_t rowBytes;
    size_t edgeBytes = 0;
    const int64_t *offsets = nullptr; // [rows + 1] of edges; null: a table of features

    size_t bytesOf(int64_t row) const {
      return rowBytes + (offsets ? size_t(offsets[row + 1] - offsets[row]) * edgeBytes : 0);
    }
  };
  explicit Hotness(const std::vector<Table> &tables);
  /// Memory that it takes.
  size_t bytes() const;

  /// Counts the rows that a batch reads from each table.
  void add(const std::vector<Span<const int64_t>> &rows);
  /// Decides for the hottest rows that are within so many bytes together; of those that are as hot the first ones.
  void choose(size_t bytes);
  // Then:
  bool isKept(size_t table, int64_t row) const;
  int64_t numKept(size_t table) const { return counted[table].numKept; }
  size_t keptBytes(size_t table) const { return counted[table].keptBytes; }
  /// Rows that a batch reads of all tables of features, and their bytes: the mean.
  double rowsOfBatch() const { return batches ? double(numRows) / double(batches) : 0; }
  double bytesOfBatch() const { return batches ? double(numBytes) / double(batches) : 0; }
  int64_t numBatches() const { return batches; }

private:
  struct Counted {
    Table table;
    std::vector<uint16_t> batches{}; // [rows] that read it
    uint32_t least = 0;              // heat of the coldest that are kept
    int64_t end = 0;                 // of those as hot the kept ones are before this row
    int64_t numKept = 0;
    size_t keptBytes = 0;
  };
  static uint32_t heatOf(const Counted &of, int64_t row);
  std::vector<Counted> counted;
  int64_t batches = 0;
  uint64_t numRows = 0, numBytes = 0;
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_HOTNESS_H
