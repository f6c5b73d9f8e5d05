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

/// The quantity that intervals share equally.
enum class CutBy {
  Vertices,
  Work, // as much of all vertices and of all edges together
};
const char *nameOf(CutBy by);
/// Parses "vertices" or "work".
CutBy parseCutBy(const std::string &text, const std::string &option);

/// Into how many intervals, and of which ranks.
struct Cuts {
  int64_t parts;
  int rank = 0, ranks = 1;
  CutBy by;

  Cuts(int64_t intervals, const Comm *comm = nullptr, CutBy by = CutBy::Vertices)
      : parts(intervals), rank(comm ? comm->rank() : 0), ranks(comm ? comm->size() : 1), by(by) {}
};

/// The rows of each type of vertices in so many ranges. By vertices these differ by a row at most. By work none has
/// more than twice its share of the rows, nor of the edges that sweeps go over, a vertex more or less: what it has of
/// both together is as much as others have (the balance of NGra 3.1, without new numbers for vertices). Types with
/// fewer rows have fewer ranges, none of them empty, but at least one; columns of sparse inputs, whose rows are
/// parameters, are one. Each rank has some neighbouring ranges, perhaps none.
class Intervals {
public:
  struct Range {
    int64_t begin, end;
  };

  /// The binding has its edges.
  Intervals(const Library &library, const Binding &binding, const Cuts &cuts);

  int64_t parts() const { return wanted; }
  CutBy by() const { return cutBy; }
  int64_t count(uint32_t type) const { return int64_t(types[type].begins.size()) - 1; }
  int64_t begin(uint32_t type, int64_t interval) const { return types[type].begins[size_t(interval)]; }
  int64_t rows(uint32_t type, int64_t interval) const { return begin(type, interval + 1) - begin(type, interval); }
  /// The first row of each interval of a type, and the end of the last interval.
  const std::vector<int64_t> &begins(uint32_t type) const { return types[type].begins; }
  /// Rows of the largest.
  int64_t most(uint32_t type) const { return types[type].most; }
  /// That which a row is in.
  int64_t of(uint32_t type, int64_t row) const {
    const Cut &cut = types[type];
    const uint32_t *near = cut.near.data() + (row >> cut.shift);
    const int64_t *begins = cut.begins.data();
    return std::upper_bound(begins + near[0] + 1, begins + near[1] + 1, row) - begins - 1;
  }
  /// Whether none has more than twice its share of the edges, as if cut by work.
  bool areEven() const { return even; }

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
    std::vector<int64_t> begins;
    std::vector<uint32_t> near; // by row >> shift: the interval of the first such row; one more, of the last row
    unsigned shift = 0;
    int64_t most = 0;
  };
  static void findNear(Cut &cut);

  const int64_t wanted;
  const int rank, ranks;
  const CutBy cutBy;
  bool even = true;
  std::vector<Cut> types;
};

} // namespace gnn::rt

#endif // GNN_STREAM_INTERVALS_H
