//===- Intervals.h - Ranges of vertices -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_INTERVALS_H
#define GNN_STREAM_INTERVALS_H

#include "runtime/src/bind/Binding.h"

#include <algorithm>

namespace gnn::rt {

/// The rows of each type of vertices in so many ranges, which differ by a row at most. Types with fewer rows have fewer
/// ranges, none of them empty, but at least one; columns of sparse inputs, whose rows are parameters, are one.
class Intervals {
public:
  Intervals(const Library &library, const Binding &binding, int64_t parts) : wanted(parts) {
    for (uint32_t type = 0; type < library.table().num_vertex_types; ++type) {
      const int64_t rows = binding.rows(type), count = library.table().vertex_types[type].is_table
                                                           ? 1
                                                           : std::clamp<int64_t>(parts, 1, std::max<int64_t>(rows, 1));
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

private:
  struct Cut {
    int64_t rows, count;
    uint64_t inverse; // intervals of a row, times 2^32
    std::vector<int64_t> begins;
  };
  int64_t wanted;
  std::vector<Cut> types;
};

} // namespace gnn::rt

#endif // GNN_STREAM_INTERVALS_H
