//===- GrownRelation.cpp - A relation and what was appended ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/grow/GrownRelation.h"
#include "runtime/src/graph/Transforms.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace gnn::rt {

namespace {

constexpr int32_t noType = -1; // of loops that are added: the last of their row

/// Type and end, in the order of prepared rows.
uint64_t keyOf(const RowEdge &edge) { return uint64_t(uint32_t(edge.type)) << 32 | edge.col; }

bool isBefore(const RowEdge &a, const RowEdge &b) { return keyOf(a) != keyOf(b) ? keyOf(a) < keyOf(b) : a.id < b.id; }

/// Edges up to `sorted` are in order; the others come between them.
void mergeFrom(size_t sorted, std::vector<RowEdge> &edges) {
  const auto middle = edges.begin() + std::ptrdiff_t(sorted);
  std::sort(middle, edges.end(), isBefore);
  std::inplace_merge(edges.begin(), middle, edges.end(), isBefore);
}

} // namespace

GrownRelation::GrownRelation(const EdgeSet &prepared, const AppendedEdges &edges, int64_t number, uint32_t wanted)
    : set(prepared), appended(edges), count(number), transforms(wanted) {
  assert(set.transforms() == 0 && !set.order());
}

bool GrownRelation::isChanged(uint32_t direction, int64_t row) const {
  const bool readsOpposite = transforms & (GNN_GRAPH_SYMMETRIC | GNN_GRAPH_INVERSE_RELATIONS);
  return appended.hasEdges(direction, row) || (readsOpposite && appended.hasEdges(1 - direction, row));
}

/// Without transforms.
std::vector<RowEdge> GrownRelation::given(uint32_t direction, int64_t row) const {
  const Csr &csr = set.relation().csr(direction);
  std::vector<RowEdge> edges;
  edges.reserve(size_t(csr.degree(row)) + 16); // and some that were appended
  for (auto e = size_t(csr.offsets[size_t(row)]); e < size_t(csr.offsets[size_t(row) + 1]); ++e)
    edges.push_back({csr.cols[e], csr.types.empty() ? 0 : csr.types[e], csr.edgeIds[e]});
  const size_t before = edges.size();
  appended.forRow(direction, row, count, [&](int64_t edge, uint32_t col, int32_t type) {
    edges.push_back({col, type, set.numGivenEdges() + edge});
  });
  mergeFrom(before, edges);
  return edges;
}

/// The row's opposite edges without a counterpart in `edges`: the k-th of an end and type has the k-th.
void GrownRelation::addMirrored(int64_t row, const std::vector<RowEdge> &opposite, std::vector<RowEdge> &edges) const {
  const size_t before = edges.size();
  size_t at = 0;
  for (size_t i = 0; i < opposite.size(); ++i) {
    const uint64_t key = keyOf(opposite[i]);
    while (at < before && keyOf(edges[at]) < key)
      ++at;
    if (at < before && keyOf(edges[at]) == key)
      ++at;
    else if (opposite[i].col != row)
      edges.push_back(opposite[i]);
  }
  mergeFrom(before, edges);
}

void GrownRelation::addRow(uint32_t direction, int64_t row, std::vector<RowEdge> &to) const {
  std::vector<RowEdge> edges = given(direction, row);
  auto isLoop = [&](const RowEdge &edge) { return edge.col == row; };
  if (transforms & (GNN_GRAPH_SYMMETRIC | GNN_GRAPH_INVERSE_RELATIONS)) {
    std::vector<RowEdge> opposite = given(1 - direction, row);
    if (transforms & GNN_GRAPH_SYMMETRIC) {
      const std::vector<RowEdge> before = edges;
      addMirrored(row, opposite, edges);
      addMirrored(row, before, opposite);
    }
    if (transforms & GNN_GRAPH_INVERSE_RELATIONS)
      for (const RowEdge &edge : opposite)
        edges.push_back({edge.col, edge.type + int32_t(set.numGivenTypes()), edge.id});
  }
  // Inverse edges come after the given ones, and have the ids of these.
  auto place = [&](const RowEdge &edge) { return std::make_pair(edge.type >= int32_t(set.numGivenTypes()), edge.id); };
  std::pair<bool, int64_t> last{false, -1};
  for (const RowEdge &edge : edges)
    last = isLoop(edge) ? std::max(last, place(edge)) : last;
  auto isRepeated = [&](const RowEdge &edge) { return isLoop(edge) && place(edge) != last; };
  const bool hasKinds = transforms & GNN_GRAPH_LOOP_KINDS;
  if (hasKinds) {
    for (RowEdge &edge : edges)
      edge.type = isRepeated(edge) ? GNN_EDGE_EARLIER_LOOP : isLoop(edge) ? GNN_EDGE_LAST_LOOP : GNN_EDGE_NO_LOOP;
    std::sort(edges.begin(), edges.end(), isBefore);
  } else if (transforms & GNN_GRAPH_NO_LOOPS) {
    edges.erase(std::remove_if(edges.begin(), edges.end(), isLoop), edges.end());
  } else if (transforms & GNN_GRAPH_ONE_LOOP) {
    edges.erase(std::remove_if(edges.begin(), edges.end(), isRepeated), edges.end());
  }
  if (transforms & loopsForAll && !std::any_of(edges.begin(), edges.end(), isLoop)) {
    const bool isTyped = set.numGivenTypes() || transforms & GNN_GRAPH_MARK_LOOPS;
    const RowEdge loop{uint32_t(row), hasKinds ? GNN_EDGE_ADDED_LOOP : isTyped ? noType : 0, INT64_MAX};
    edges.insert(std::lower_bound(edges.begin(), edges.end(), loop, isBefore), loop);
  }
  to.insert(to.end(), edges.begin(), edges.end());
}

} // namespace gnn::rt
