//===- SpilledTables.h - Bound tables in a file -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads rows of bound tables that are not in memory: from the data set's own .npy file if PagedTables::isSameInFile,
// and otherwise from a converted copy, which is written once to the spill file.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_SPILLEDTABLES_H
#define GNN_STREAM_SPILLEDTABLES_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/io/SpillFile.h"
#include "runtime/src/stream/Intervals.h"

#include <functional>
#include <map>

namespace gnn::rt {

/// Whether, in all programs, rows of a bound table are read by steps over the same rows alone: a rank needs its own.
bool isReadByOwnRows(const Library &library, uint32_t tensor);

/// Bytes to read from the data set's own file for `rows` rows of a table over vertices that stayed there. In another
/// order of vertices, the rows are scattered over the file.
uint64_t bytesOfFile(const Library &library, const Binding &binding, uint32_t tensor, int64_t rows);

class SpilledTables {
public:
  /// All must outlive this. `intervals`: those of a rank, which needs no other rows than its own of some tables; null:
  /// all rows are needed.
  SpilledTables(const Library &library, const Binding &binding, Spill &file, const Intervals *intervals = nullptr)
      : library(library), binding(binding), file(file), intervals(intervals) {}

  /// Gives ids of the edges of a relation and how many come before them in tables, some at a time.
  using EdgeOrder = std::function<void(uint32_t, const std::function<void(int64_t, const std::vector<int64_t> &)> &)>;

  /// Where rows of a bound tensor begin in the file, which has them after the next `update`; 0 if they are read from
  /// the data set's own file.
  uint64_t place(uint32_t tensor) { return place(tensor, file); }
  /// The same in another one, which must outlive this.
  uint64_t place(uint32_t tensor, Spill &in);
  bool has(uint32_t tensor) const { return tables.count(tensor) > 0; }
  /// Writes what is not there or was bound again since, tables over edges in an order: of those in files the rows that
  /// find `room`, in bytes of memory, are picked in one pass over the file. The spill file has room for all.
  void update(const EdgeOrder &order = {}, size_t room = 0);
  /// Bytes that `update` has read from the data set's own files, for tables over vertices.
  uint64_t dataBytesRead() const { return bytesOfData; }
  /// Rows of a tensor that has a place, from any thread: of the data if they are the same there, else of that place.
  void load(uint32_t tensor, uint64_t place, int64_t firstRow, int64_t rows, size_t rowBytes, void *to);
  /// Those that lie behind each other.
  void load(uint32_t tensor, uint64_t place, Span<const WantedRows> wanted, size_t rowBytes);

private:
  struct Table {
    Spill *in;
    uint64_t at;
    uint64_t version; // that of Binding::version which is there, where `isThere`
    bool isThere;
  };
  /// Memory has what is to be there.
  bool isReadOfData(uint32_t tensor, const Spill &in) const {
    return !in.isMemory() && binding.paged().file(tensor) && binding.paged().isSameInFile(tensor);
  }
  /// Whether this process needs no other rows than those of its intervals.
  bool hasOwnRows(uint32_t tensor) const { return intervals && isReadByOwnRows(library, tensor); }
  uint64_t addPlace(uint32_t tensor, Spill &in) const;
  void write(uint32_t tensor, const Table &table, const EdgeOrder &order, size_t room);
  void writeEdges(uint32_t tensor, const Table &table, const EdgeOrder &order);
  void writePagedEdges(uint32_t tensor, const Table &table, const EdgeOrder &order, size_t room);

  const Library &library;
  const Binding &binding;
  Spill &file;
  const Intervals *const intervals;
  std::map<uint32_t, Table> tables;
  uint64_t bytesOfData = 0;
};

} // namespace gnn::rt

#endif // GNN_STREAM_SPILLEDTABLES_H
