//===- FiledEdges.h - Edges that are drawn of a file -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a relation whose edges are in a file, only the offsets of its rows are in memory, which suffices to draw
// positions of edges. Their other ends are then read from the file, for many rows together, except for rows that are
// cached in memory: those from which most batches draw (Sun et al. 2023, section 4.2, rows of edges).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_FILEDEDGES_H
#define GNN_SAMPLE_FILEDEDGES_H

#include "runtime/src/exec/Neighbourhood.h"

#include <atomic>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace gnn::rt {

class FiledEdges {
public:
  /// Rows of edges, each of which is read once for a batch.
  struct Table {
    uint32_t relation, direction;
    Span<const int64_t> offsets; // [rows + 1]
    size_t edgeBytes;            // of one that is kept
  };
  struct Counts {
    uint64_t rows = 0, hits = 0; // with edges, that batches drew of, and how many of them are kept
    uint64_t bytes = 0;          // that were read of the file, with edges between those that were drawn
    double hitRate() const { return rows ? double(hits) / double(rows) : 1; }
    Counts operator-(const Counts &before) const {
      return {rows - before.rows, hits - before.hits, bytes - before.bytes};
    }
  };
  /// Memory that a cached row takes beside its edges.
  static constexpr size_t rowBytes = 2 * sizeof(int64_t);

  /// Covers the relations in a file that the program's sweeps go over. Library and binding must outlive this.
  FiledEdges(const Library &library, const Binding &binding, const gnn_program_t &program);

  bool has(uint32_t relation) const { return binding.relation(relation).isPaged(); }
  const std::vector<Table> &tables() const { return all; }
  /// The rows of a table that a batch draws of: rows of the whole table.
  Span<const int64_t> rowsOf(const Table &table, const Neighbourhood &around) const;

  /// Keeps these rows of a table in memory, instead of others. Nobody draws meanwhile. Throws GNN_ERROR_IO.
  void keep(size_t table, const std::function<bool(int64_t row)> &isKept);
  size_t keptBytes() const;

  /// From any thread: who the chosen places of these rows lead to, and what else is needed. Throws GNN_ERROR_IO.
  void read(const RowsOfEdges &rows, ChosenEdges &chosen);
  Counts counts() const { return {numRows, numHits, numBytes}; }
  /// Memory that reading so many edges takes meanwhile.
  static size_t bytesOfReading(int64_t edges);

private:
  struct Kept {
    std::vector<int64_t> rows, begins{0}; // ascending; [rows + 1] in:
    std::vector<uint32_t> cols;
    std::vector<int64_t> ids;
    std::vector<int32_t> types;
  };
  /// An edge that is not in memory: its place, and which of those that are read it is.
  struct Missing {
    int64_t place;
    size_t number;
  };
  /// Whether the file has what is asked for of these rows.
  bool hasFieldsOf(const RowsOfEdges &rows) const;
  template <class T>
  void readField(const Table &table, EdgeFile::Field field, const std::vector<Missing> &missing, T *to);
  void readAll(const Table &table, const std::vector<Missing> &missing, bool ids, bool types, uint32_t *cols,
               int64_t *toIds, int32_t *toTypes);

  const Library &library;
  const Binding &binding;
  std::vector<Table> all;
  std::map<std::pair<uint32_t, uint32_t>, size_t> numbers; // by relation and direction, in:
  std::vector<Kept> kept;                                  // [tables]
  std::atomic<uint64_t> numRows{0}, numHits{0}, numBytes{0};
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_FILEDEDGES_H
