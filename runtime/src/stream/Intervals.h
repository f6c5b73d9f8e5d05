//===- Intervals.h - Ranges of vertices -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_INTERVALS_H
#define GNN_STREAM_INTERVALS_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/comm/Comm.h"

#include <algorithm>

namespace gnn::rt {

/// Into how many intervals, and of which ranks.
struct Cuts {
  int64_t parts;
  int rank = 0, ranks = 1;

  Cuts(int64_t intervals, const Comm *comm = nullptr)
      : parts(intervals), rank(comm ? comm->rank() : 0), ranks(comm ? comm->size() : 1) {}
};

/// The rows of each type of vertices in so many ranges, which differ by a row at most. Types with fewer rows have fewer
/// ranges, none of them empty, but at least one; columns of sparse inputs, whose rows are parameters, are one. Each
/// rank has some neighbouring ranges, perhaps none.
class Intervals {
public:
  struct Range {
    int64_t begin, end;
  };

  Intervals(const Library &library, const Binding &binding, const Cuts &cuts)
      : wanted(cuts.parts), rank(cuts.rank), ranks(cuts.ranks) {
    for (uint32_t type = 0; type < library.table().num_vertex_types; ++type) {
      const int64_t rows = binding.rows(type), count = library.table().vertex_types[type].is_table
                                                           ? 1
                                                           : std::clamp<int64_t>(wanted, 1, std::max<int64_t>(rows, 1));
      types.push_back({rows, count, rows ? (uint64_t(count) << 32) / uint64_t(rows) : 0, {}});
      for (int64_t interval = 0; interval <= count; ++interval)
        types.back().begins.push_back(int64_t(__int128(rows) * interval / count));
    }
  }

  int64_t parts() const { return wanted; }
  int64_t count(uint32_t type) const { return types[type].count; }
  int64_t begin(uint32_t type, int64_t interval) const { return types[type].begins[size_t(interval)]; }
  int64_t rows(uint32_t type, int64_t interval) const { return begin(type, interval + 1) - begin(type, interval); }
  /// Rows of the largest.
  int64_t most(uint32_t type) const { return (types[type].rows + types[type].count - 1) / types[type].count; }
  /// That which a row is in. Rows are less than 2^32.
  int64_t of(uint32_t type, int64_t row) const {
    const Cut &cut = types[type];
    size_t found = size_t(uint64_t(row) * cut.inverse >> 32); // or a little more
    while (row >= cut.begins[found + 1])
      ++found;
    return int64_t(found);
  }

  int numRanks() const { return ranks; }
  Range ofRank(uint32_t type, int number) const {
    return {(number * count(type) + ranks - 1) / ranks, ((number + 1) * count(type) + ranks - 1) / ranks};
  }
  Range rowsOfRank(uint32_t type, int number) const {
    const Range range = ofRank(type, number);
    return {begin(type, range.begin), begin(type, range.end)};
  }
  /// Those of this rank.
  Range ours(uint32_t type) const { return ofRank(type, rank); }
  Range ourRows(uint32_t type) const { return rowsOfRank(type, rank); }
  /// The rows of the rank that has most.
  int64_t mostOfRank(uint32_t type) const {
    int64_t most = 0;
    for (int number = 0; number < ranks; ++number)
      most = std::max(most, rowsOfRank(type, number).end - rowsOfRank(type, number).begin);
    return most;
  }

private:
  struct Cut {
    int64_t rows, count;
    uint64_t inverse; // intervals of a row, times 2^32
    std::vector<int64_t> begins;
  };
  const int64_t wanted;
  const int rank, ranks;
  std::vector<Cut> types;
};

} // namespace gnn::rt

#endif // GNN_STREAM_INTERVALS_H
