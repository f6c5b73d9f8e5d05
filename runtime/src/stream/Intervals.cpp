//===- Intervals.cpp - Ranges of vertices ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Intervals.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/stream/EdgeTables.h"

#include <set>

namespace gnn::rt {

namespace {

/// Of the rows of a type, how many have what `of` finds their intervals by.
constexpr int64_t mostNear = 4096;

/// The edges of sweeps over rows of a type of vertices: where those of each row begin.
class EdgesOfRows {
public:
  EdgesOfRows(const Library &library, const Binding &binding, uint32_t type) : numRows(binding.rows(type)) {
    std::set<std::pair<uint32_t, uint32_t>> found;
    forSweeps(library, [&](const ProgramStep &step) {
      if (step.rowType() != type || step.isSweepOver(GNN_RELATION_PAIRS) ||
          !found.insert({step->relation, step->direction}).second)
        return;
      const Buffer<int64_t> &begins = binding.relation(step->relation).csr(step->direction).offsets;
      if (begins.size() > 0) // of samples those by source may not be there
        offsets.push_back(begins.begin());
    });
  }

  int64_t before(int64_t row) const {
    int64_t edges = 0;
    for (const int64_t *of : offsets)
      edges += of[row];
    return edges;
  }
  int64_t all() const { return before(numRows); }

  /// Of the rows before one, as many shares of a type's rows and edges together as it has of either.
  __int128 work(int64_t row) const {
    return __int128(row) * std::max<int64_t>(all(), 1) + __int128(before(row)) * numRows;
  }

private:
  const int64_t numRows;
  std::vector<const int64_t *> offsets;
};

/// Where ranges begin that have as much work each, and the end of the last. Halves of so many begin where these do.
std::vector<int64_t> beginsByWork(const EdgesOfRows &edges, int64_t rows, int64_t count) {
  const __int128 all = edges.work(rows);
  std::vector<int64_t> begins{0};
  for (int64_t interval = 1; interval < count; ++interval) {
    int64_t least = begins.back(), most = rows; // the first row with as much before it is in [least, most]
    while (least < most) {
      const int64_t middle = least + (most - least) / 2;
      if (edges.work(middle) * count < all * interval)
        least = middle + 1;
      else
        most = middle;
    }
    begins.push_back(std::clamp(least, begins.back() + 1, rows - (count - interval))); // none is empty
  }
  begins.push_back(rows);
  return begins;
}

std::vector<int64_t> beginsByVertices(int64_t rows, int64_t count) {
  std::vector<int64_t> begins;
  for (int64_t interval = 0; interval <= count; ++interval)
    begins.push_back(int64_t(__int128(rows) * interval / count));
  return begins;
}

} // namespace

const char *nameOf(CutBy by) { return by == CutBy::Work ? "work" : "vertices"; }

CutBy parseCutBy(const std::string &text, const std::string &option) {
  for (CutBy by : {CutBy::Vertices, CutBy::Work})
    if (text == nameOf(by))
      return by;
  fail(GNN_ERROR_ARGUMENT, option, " ", text, ": there are vertices and work");
}

Intervals::Intervals(const Library &library, const Binding &binding, const Cuts &cuts)
    : wanted(cuts.parts), rank(cuts.rank), ranks(cuts.ranks), cutBy(cuts.by) {
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type) {
    const int64_t rows = binding.rows(type),
                  count = library.isTable(type) ? 1 : std::clamp<int64_t>(wanted, 1, std::max<int64_t>(rows, 1));
    const EdgesOfRows edges(library, binding, type);
    Cut &cut = types.emplace_back();
    cut.begins = cutBy == CutBy::Work && count > 1 ? beginsByWork(edges, rows, count) : beginsByVertices(rows, count);
    for (int64_t interval = 0; interval < count; ++interval) {
      cut.most = std::max(cut.most, cut.begins[size_t(interval) + 1] - cut.begins[size_t(interval)]);
      const int64_t own = edges.before(cut.begins[size_t(interval) + 1]) - edges.before(cut.begins[size_t(interval)]);
      even = even && __int128(own) * count <= 2 * __int128(edges.all());
    }
    findNear(cut);
  }
}

void Intervals::findNear(Cut &cut) {
  const int64_t rows = cut.begins.back();
  while (rows >> cut.shift > mostNear)
    ++cut.shift;
  uint32_t interval = 0;
  for (int64_t row = 0; row < rows; row += int64_t(1) << cut.shift) {
    while (cut.begins[interval + 1] <= row)
      ++interval;
    cut.near.push_back(interval);
  }
  cut.near.push_back(uint32_t(cut.begins.size()) - 2);
}

} // namespace gnn::rt
