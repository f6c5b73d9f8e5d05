//===- HotRows.h - Rows that a GPU keeps ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of inputs in the memory of this process, those rows that most batches read, in the memory of an engine: chosen once.
// All other rows go there with each batch that reads them (SentBatch).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_HOTROWS_H
#define GNN_SAMPLE_HOTROWS_H

#include "runtime/src/core/Buffer.h"
#include "runtime/src/sample/SentBatch.h"

namespace gnn::rt {

class HotRows {
public:
  static constexpr uint32_t notKept = UINT32_MAX;
  /// What batches have read that were computed.
  struct Counts {
    uint64_t rows = 0, hits = 0, bytes = 0; // hits: rows that were there; bytes: of the others, which were sent

    double hitRate() const { return rows ? double(hits) / double(rows) : 1; }
  };

  /// Keeps these rows, `kept` by table. All tables are in memory of this process. The arguments need not stay.
  HotRows(Engine &engine, const Binding &binding, const std::vector<SentBatch::Table> &tables,
          const std::vector<std::vector<int64_t>> &kept);

  /// Which of those of its table a row is, or `notKept`. Any thread may ask.
  uint32_t placeOf(size_t table, int64_t row) const { return ofTables[table].places[size_t(row)]; }
  uint32_t numKept(size_t table) const { return ofTables[table].count; }
  /// In memory of the engine; null: none of any table are.
  const void *rowsOf(size_t table) const;
  /// That memory.
  size_t bytes() const { return size; }

  void note(const Counts &batch);
  const Counts &counts() const { return soFar; }

private:
  struct Kept {
    Buffer<uint32_t> places; // [rows of the table]
    uint32_t count;
    size_t offset;
  };

  std::vector<Kept> ofTables;
  std::unique_ptr<Memory> memory; // null: nothing is kept
  size_t size = 0;
  Counts soFar;
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_HOTROWS_H
