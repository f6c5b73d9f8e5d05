//===- PagedRows.h - Feature rows of sampled batches ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of a program over samples that are not in memory as a whole. The rows of a batch come from three places:
// rows that most batches read are cached in memory, chosen once; rows of recent batches that are still in memory are
// copied; all others are read from the data set's file (RowReads). Whole graphs are streamed by SpilledTables instead.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_PAGEDROWS_H
#define GNN_SAMPLE_PAGEDROWS_H

#include "runtime/src/core/Turn.h"
#include "runtime/src/exec/Neighbourhood.h"
#include "runtime/src/sample/RowReads.h"
#include "runtime/src/stream/SpilledTables.h"

#include <atomic>
#include <deque>
#include <functional>

namespace gnn::rt {

/// The rows that a batch has of each of the tables.
class BatchRows {
public:
  /// Null: of a tensor that is in memory.
  void *of(uint32_t tensor) {
    auto found = tables.find(tensor);
    return found == tables.end() ? nullptr : found->second.rows.data();
  }

private:
  friend class PagedRows;
  struct OfTable {
    Buffer<char> rows;
    std::vector<WantedRow> found; // where those that are not kept are in `rows`; ascending
  };
  std::map<uint32_t, OfTable> tables; // by tensor
};

/// Those whose rows are in memory, the latest last.
using RecentBatches = std::deque<std::shared_ptr<BatchRows>>;

class PagedRows {
public:
  struct Table {
    uint32_t tensor, type; // type: of vertices
    int32_t depth;         // whose rows a batch reads
    size_t rowBytes;
    int64_t rows;
    uint64_t place;
  };
  struct Counts {
    uint64_t rows = 0, hits = 0;   // that batches read, and how many of them are in memory
    uint64_t reads = 0, bytes = 0; // of the file

    double hitRate() const { return rows ? double(hits) / double(rows) : 1; }
  };

  /// Covers the vertex inputs that steps of the program read row by row and that the binding has in files. All
  /// arguments but the folder must outlive this.
  PagedRows(const Library &library, const Binding &binding, const gnn_program_t &program, const std::string &folder,
            FileSystem &files = FileSystem::real());

  const std::vector<Table> &tables() const { return all; }
  /// The rows of a table that a batch reads, rows of the whole table.
  Span<const int64_t> rowsOf(const Table &table, const Neighbourhood &around) const {
    return Span<const int64_t>(around.verticesOf(table.type)).slice(0, size_t(around.rows(table.depth, table.type)));
  }
  /// With some to spare, of a batch that reads so many rows.
  static size_t batchBytes(const Table &table, int64_t rows) { return size_t(rows + rows / spare) * table.rowBytes; }

  /// Before anything is read or kept: writes tables that the model reads in another form to a file in the folder.
  /// Throws GNN_ERROR_IO, as all that reads does.
  void open();
  /// Keeps these `count` rows of a table in memory, instead of others.
  void keep(size_t table, int64_t count, const std::function<bool(int64_t row)> &isKept);
  /// The additional counts if the rows of a neighbourhood were read while those of other batches are in memory. `batch`
  /// may be one of the others, if nothing is read.
  Counts countsOf(const Neighbourhood &around, const RecentBatches &others, BatchRows &batch) const;
  /// Memory for this beside what is kept and what batches have.
  size_t bytes() const;
  /// Memory that reading so many rows of a table takes meanwhile.
  static size_t bytesOfReading(const Table &table, int64_t rows);
  uint64_t fileBytes() const { return file.bytes(); }
  /// Whether the system reads scattered rows together.
  bool readsTogether() const { return files.readsTogether(); }

  /// To read in: what a batch finds in others must not depend on which thread is faster.
  std::unique_ptr<Turn> nextTurn();
  // From any thread:
  /// The rows of a neighbourhood, when it is its turn. Batches that read after this one may take rows from there until
  /// it is read to again; nobody else writes to it.
  void read(const Neighbourhood &around, const Turn &turn, const std::shared_ptr<BatchRows> &to);
  /// Since the last `keep`.
  Counts counts() const { return {numRows, numHits, numReads, file.traffic().read[SpillFile::Tables] - bytesBefore}; }

private:
  static constexpr int64_t spare = 16;
  static constexpr uint32_t notKept = UINT32_MAX;
  struct Kept {
    Buffer<uint32_t> slots; // [rows of the table] in `rows`
    Buffer<char> rows;
  };
  std::vector<WantedRow> missing(size_t table, Span<const int64_t> rows, char *to, const RecentBatches &others,
                                 std::vector<WantedRow> &found) const;
  int64_t readMissing(size_t table, std::vector<WantedRow> &wanted);

  FileSystem &files;
  SpillFile file;
  SpilledTables spilled;
  std::vector<Table> all;
  std::vector<Kept> kept;            // [tables]
  RecentBatches recent;              // whoever's turn it is changes them
  std::shared_future<void> lastTurn; // invalid: there was none
  std::atomic<uint64_t> numRows{0}, numHits{0}, numReads{0};
  uint64_t bytesBefore = 0;
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_PAGEDROWS_H
