//===- HotRows.h - Rows that GPUs keep --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of inputs that most batches read, cached in the memory of one engine, or of several engines that can access
// each other's: each caches some rows and reads the others in place from its peers. The rows are chosen once. All other
// rows are sent with each batch that reads them (SentBatch).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_HOTROWS_H
#define GNN_SAMPLE_HOTROWS_H

#include "runtime/src/core/Buffer.h"
#include "runtime/src/engine/RowPicks.h"
#include "runtime/src/sample/SentBatch.h"

namespace gnn::rt {

class HotRows {
public:
  static constexpr uint32_t notKept = UINT32_MAX;
  /// Counts of the rows that computed batches of an engine have read.
  struct Counts {
    uint64_t rows = 0, hits = 0, ofPeers = 0; // of all rows those that it keeps itself, and those of peers
    uint64_t bytes = 0, peerBytes = 0;        // sent, of those that nobody keeps; and read of peers

    void operator+=(const Counts &more);
    double hitRate() const { return rows ? double(hits + ofPeers) / double(rows) : 1; }
  };

  /// Engine `i` keeps rows `kept[i]`, by table; none is there twice. All tables are in memory of this process. The
  /// engines must outlive this, other arguments need not stay.
  HotRows(const std::vector<Engine *> &engines, const Binding &binding, const std::vector<SentBatch::Table> &tables,
          const std::vector<std::vector<std::vector<int64_t>>> &kept);
  /// Memory of each engine beside that of its rows.
  static size_t bytesBeside(size_t engines, size_t tables) {
    return wholeLines(engines * tables * sizeof(KeptTable)) + tables * wholeLines(1);
  }

  // Any thread may ask:
  /// Which of those of its table a row is, or `notKept`: first come those of the first engine.
  uint32_t placeOf(size_t table, int64_t row) const { return ofTables[table].places[size_t(row)]; }
  /// By all engines.
  uint32_t numKept(size_t table) const { return ofTables[table].firsts.back(); }
  /// Whether the row at a place is kept by that engine.
  bool isOf(size_t engine, size_t table, uint32_t place) const {
    return ofTables[table].firsts[engine] <= place && place < ofTables[table].firsts[engine + 1];
  }

  /// [engines] of a table, in memory of `engine`; null: nobody keeps any row.
  const KeptTable *tablesOf(size_t engine, size_t table) const;
  uint32_t numEngines() const { return uint32_t(ofEngines.size()); }
  /// Memory that an engine has for it.
  size_t bytes(size_t engine) const { return ofEngines[engine].bytes; }

  void note(size_t engine, const Counts &batch) { ofEngines[engine].counts += batch; }
  const Counts &counts(size_t engine) const { return ofEngines[engine].counts; }

private:
  struct OfTable {
    Buffer<uint32_t> places;      // [rows of the table]
    std::vector<uint32_t> firsts; // [engines + 1]
  };
  struct OfEngine {
    std::unique_ptr<Memory> memory{}; // null: nobody keeps any row
    size_t bytes = 0;
    std::vector<size_t> offsets{}; // [tables] of the rows; then of what `tablesOf` gives
    Counts counts{};
  };

  std::vector<OfTable> ofTables;
  std::vector<OfEngine> ofEngines;
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_HOTROWS_H
