//===- GrownRows.cpp - Stored rows over a graph that grows ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/grow/GrownRows.h"

#include "runtime/src/bind/EdgeCounts.h"
#include "runtime/src/program/Steps.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace gnn::rt {

namespace {

uint32_t rowType(const gnn_relation_t &relation, uint32_t direction) {
  return direction == GNN_TO_SOURCE ? relation.source_type : relation.destination_type;
}

} // namespace

/// Vertices by the deepest depth at which something that is read of them has changed.
struct GrownRows::Touched {
  explicit Touched(size_t numTypes) : depths(numTypes) {}

  void add(uint32_t type, int64_t vertex, int32_t depth) {
    auto [at, isNew] = depths[type].emplace(vertex, depth);
    if (depth < 1 || (!isNew && at->second >= depth))
      return;
    at->second = depth;
    waiting[depth].emplace_back(type, vertex);
  }

  std::vector<std::unordered_map<int64_t, int32_t>> depths;               // [vertex types]
  std::map<int32_t, std::vector<std::pair<uint32_t, int64_t>>> waiting{}; // whose readers are not found yet
};

GrownRows::GrownRows(const Library &opened, const gnn_program_t &program, const StoredLayout &layout,
                     const std::vector<std::vector<int64_t>> &chosen, const Snapshot &first)
    : library(opened), stored(layout, chosen, first.number),
      sweepDepth(library.table().num_relations, std::array<int32_t, 2>{-1, -1}), moment(first.number),
      seen(first.appended) {
  for (const ProgramStep step : library.steps(program))
    if (step.isSweep()) {
      int32_t &depth = sweepDepth[step->relation][directionOf(step)];
      depth = std::max(depth, step->row_depth);
    }
  rowDepth = sweepDepth;
  for (const gnn_use_t &use : usesIn(program)) {
    const gnn_tensor_info_t &info = library.tensor(use.tensor);
    if (!countsEdges(info.role))
      continue;
    const bool isIn = info.role == GNN_ROLE_COUNT_IN || info.role == GNN_ROLE_DEGREE_IN;
    int32_t &depth = rowDepth[size_t(info.source)][isIn ? GNN_TO_DESTINATION : GNN_TO_SOURCE];
    depth = std::max(depth, use.depth);
  }
}

void GrownRows::follow(const Binding &binding, const SnapshotRows &now, const Snapshot &snapshot) {
  if (moment.load(std::memory_order_acquire) >= snapshot.number)
    return;
  const std::lock_guard<std::mutex> lock(following);
  if (moment.load(std::memory_order_relaxed) >= snapshot.number)
    return;
  Touched touched(library.table().num_vertex_types);
  touchEnds(now, snapshot, touched);
  touchReaders(binding, now, touched);
  for (uint32_t type = 0; type < touched.depths.size(); ++type)
    for (const auto &[vertex, depth] : touched.depths[type])
      stored.forget(type, vertex, depth, /*unchanged=*/moment.load(std::memory_order_relaxed), snapshot.number);
  seen = snapshot.appended;
  moment.store(snapshot.number, std::memory_order_release);
}

void GrownRows::inherit(GrownRows &before, const std::shared_ptr<const GraphEpoch> &epoch, const Binding &binding,
                        const SnapshotRows &now, const Snapshot &first) {
  const uint64_t prepared = first.epoch->preparedMoment;
  Snapshot last{epoch, {}, {}, prepared};
  for (const auto &edges : epoch->appended)
    last.appended.push_back(edges->count());
  before.follow(binding, now, last);
  // Edges of this epoch's list that `first` has come on top.
  stored.inherit(before.stored);
  seen.assign(seen.size(), 0);
  moment.store(prepared, std::memory_order_relaxed);
  follow(binding, now, first);
}

/// The ends of edges that were appended since.
void GrownRows::touchEnds(const SnapshotRows &now, const Snapshot &snapshot, Touched &touched) {
  for (uint32_t r = 0; r < rowDepth.size(); ++r) {
    const int32_t at = now.relationOf(r);
    if (at < 0)
      continue;
    const gnn_relation_t &relation = library.relation(r);
    const bool readsOpposite = relation.transforms & (GNN_GRAPH_SYMMETRIC | GNN_GRAPH_INVERSE_RELATIONS);
    const AppendedEdges &edges = *snapshot.epoch->appended[size_t(at)];
    for (int64_t edge = seen[size_t(at)]; edge < snapshot.appended[size_t(at)]; ++edge)
      for (uint32_t direction : {GNN_TO_SOURCE, GNN_TO_DESTINATION}) {
        touched.add(rowType(relation, direction), edges.end(edge, direction), rowDepth[r][direction]);
        if (readsOpposite)
          touched.add(rowType(relation, direction), edges.end(edge, 1 - direction), rowDepth[r][direction]);
      }
  }
}

/// Whoever reads, at one depth less, what has changed.
void GrownRows::touchReaders(const Binding &binding, const SnapshotRows &now, Touched &touched) const {
  while (!touched.waiting.empty()) {
    const auto deepest = std::prev(touched.waiting.end());
    const int32_t depth = deepest->first;
    const auto vertices = std::move(deepest->second);
    touched.waiting.erase(deepest);
    for (uint32_t r = 0; depth > 1 && r < sweepDepth.size(); ++r)
      for (uint32_t direction : {GNN_TO_SOURCE, GNN_TO_DESTINATION}) {
        const gnn_relation_t &relation = library.relation(r);
        const int32_t ofReader = std::min(depth - 1, sweepDepth[r][direction]);
        for (const auto &[type, vertex] : vertices)
          if (ofReader > 0 && now.relationOf(r) >= 0 && rowType(relation, 1 - direction) == type)
            now.forRow(binding, r, 1 - direction, vertex,
                       [&, at = rowType(relation, direction)](int64_t reader) { touched.add(at, reader, ofReader); });
      }
  }
}

} // namespace gnn::rt
