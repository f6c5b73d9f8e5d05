//===- TargetEdges.cpp - Edges that a batch is to find --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/TargetEdges.h"

#include "runtime/src/program/Library.h"

#include <algorithm>
#include <tuple>

namespace gnn::rt {

void TargetEdges::take(const Pairs &truePairs, bool endsAreSeeds) {
  areSeedsAlone = endsAreSeeds;
  bySource.clear();
  byDestination.clear();
  for (size_t i = 0; i < truePairs.src.size(); ++i) {
    const int32_t type = truePairs.types.empty() ? anyType : int32_t(truePairs.types[i]);
    bySource.push_back({truePairs.src[i], truePairs.dst[i], type});
    byDestination.push_back({truePairs.dst[i], truePairs.src[i], type});
  }
  for (Targets *targets : {&bySource, &byDestination})
    std::sort(targets->begin(), targets->end(),
              [](const Target &a, const Target &b) { return std::tie(a.row, a.col) < std::tie(b.row, b.col); });
}

template <int64_t TargetEdges::Target::*End>
Span<const TargetEdges::Target> TargetEdges::at(Span<const Target> targets, int64_t vertex) {
  auto isBefore = [](const Target &target, int64_t wanted) { return target.*End < wanted; };
  const Target *first = std::lower_bound(targets.begin(), targets.end(), vertex, isBefore),
               *last = std::lower_bound(first, targets.end(), vertex + 1, isBefore);
  return {first, size_t(last - first)};
}

bool TargetEdges::leaveOut(const RowOfEdges &row, std::vector<int64_t> &others) const {
  if ((row.depth > 0 && areSeedsAlone) || bySource.empty())
    return false;
  const gnn_relation_t *relations = library.table().relations, &relation = relations[row.relation];
  const gnn_relation_t &pairs = relations[*pairsRelation(library)];
  const bool toSource = row.direction == GNN_TO_SOURCE;
  Span<const Target> same, mirrored;
  if (relation.source_type == pairs.source_type && relation.destination_type == pairs.destination_type)
    same = at<&Target::row>(toSource ? bySource : byDestination, row.vertex);
  if (relation.source_type == pairs.destination_type && relation.destination_type == pairs.source_type)
    mirrored = at<&Target::row>(toSource ? byDestination : bySource, row.vertex);
  if (same.empty() && mirrored.empty())
    return false;
  const Csr &csr = binding.relation(row.relation).csr(row.direction);
  const VertexOrder *order = binding.order(toSource ? relation.destination_type : relation.source_type);
  auto isTarget = [&](int64_t place) {
    const int64_t col = csr.cols[size_t(place)], id = order ? order->id[size_t(col)] : col;
    if (id == row.vertex &&
        relation.transforms & (GNN_GRAPH_SELF_LOOPS | GNN_GRAPH_ONE_LOOP | GNN_GRAPH_LOOP_KINDS))
      return false;
    const bool isTyped = !csr.types.empty() && !(relation.transforms & GNN_GRAPH_LOOP_KINDS);
    const int32_t type = isTyped ? csr.types[size_t(place)] : anyType;
    const Span<const Target> found = at<&Target::col>(same, id);
    return !at<&Target::col>(mirrored, id).empty() ||
           std::any_of(found.begin(), found.end(), [&](const Target &target) {
             return target.type == type || target.type == anyType || type == anyType;
           });
  };
  for (int64_t place = row.first; place < row.first + row.count; ++place)
    if (!isTarget(place))
      others.push_back(place);
  return int64_t(others.size()) < row.count;
}

} // namespace gnn::rt
