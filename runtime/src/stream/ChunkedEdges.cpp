//===- ChunkedEdges.cpp - How edges are cut into chunks -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/ChunkedEdges.h"

#include "runtime/src/stream/EdgeTables.h"

namespace gnn::rt {

namespace {

/// With the tables over edges that can't be in the file beside them.
Residents withWholeEdgeTables(const Library &library, const Intervals &intervals, Residents residents) {
  addWholeEdgeTables(library, intervals.numRanks(), residents.tables);
  return residents;
}

std::vector<bool> without(std::vector<bool> found, const Residents &residents) {
  for (uint32_t tensor : residents.tables)
    found[tensor] = false;
  return found;
}

} // namespace

LibraryEdgeNeeds edgeNeeds(const Library &library) {
  LibraryEdgeNeeds needs{false, false};
  forSweeps(library, [&](const ProgramStep &step) {
    needs.ids |= step.needsEdgeIds();
    needs.toSource |= step->direction == GNN_TO_SOURCE;
  });
  for (const gnn_tensor_info_t &info : library.tensors())
    needs.toSource |= info.role == GNN_ROLE_DEGREE_OUT || info.role == GNN_ROLE_COUNT_OUT;
  return needs;
}

CountedChunks::Counts CountedChunks::merged(const Counts &finer, const Intervals &intervals) const {
  Counts counts;
  for (const auto &[r, ofRelation] : finer) {
    const gnn_relation_t &relation = library.relation(r);
    auto sums = ofRelation.merged(relation.source_type, relation.destination_type, intervals);
    if (!sums)
      return {};
    counts.emplace(r, std::move(*sums));
  }
  return counts;
}

std::shared_ptr<const CountedChunks::Counts> CountedChunks::of(const Intervals &intervals) {
  const std::pair key(intervals.by(), intervals.parts());
  if (const auto found = known.find(key); found != known.end())
    return found->second;
  Counts counts;
  for (auto finer = known.upper_bound(key); finer != known.end() && finer->first.first == key.first && counts.empty();
       ++finer)
    counts = merged(*finer->second, intervals);
  if (counts.empty())
    forSweeps(library, [&](const ProgramStep &step) {
      const gnn_relation_t &relation = step.relation();
      if (!counts.count(step->relation))
        counts.emplace(step->relation, ChunkCounts(binding.relation(step->relation), relation.source_type,
                                                   relation.destination_type, intervals));
    });
  return known[key] = std::make_shared<const Counts>(std::move(counts));
}

std::shared_ptr<const UsefulRows> CountedChunks::useful(const Intervals &intervals, const DirectedEdges &edges,
                                                        uint32_t rowType, uint32_t colType, const RowGaps &gaps) {
  std::shared_ptr<const UsefulRows> &rows = knownRows[{intervals.by(), intervals.parts(), edges, gaps}];
  if (!rows)
    rows = std::make_shared<const UsefulRows>(binding.relation(edges.first), edges.second, rowType, colType, intervals,
                                              gaps);
  return rows;
}

void CountedChunks::forget() {
  known.clear();
  knownRows.clear();
}

ChunkedEdges::ChunkedEdges(Engine &machine, const Library &opened, const Binding &bound, const Cuts &into,
                           Residents residents, std::shared_ptr<CountedChunks> known)
    : engine(machine), library(opened), binding(bound), cuts(library, binding, into),
      counted(known ? std::move(known) : std::make_shared<CountedChunks>(library, binding)),
      edgeCounts(counted->of(cuts)), kept(withWholeEdgeTables(library, cuts, std::move(residents))),
      chunkedTables(chunkedEdgeTables(library)), edgeTables(without(chunkedTables, kept)) {}

ChunkedEdges::ChunkedEdges(const ChunkedEdges &other, Residents residents) : ChunkedEdges(other) {
  kept = withWholeEdgeTables(library, cuts, std::move(residents));
  edgeTables = without(chunkedTables, kept);
}

static_assert(GNN_TO_DESTINATION == !GNN_TO_SOURCE && GNN_TO_SOURCE == !GNN_TO_DESTINATION);

uint32_t ChunkedEdges::rowType(const Edges &of) const {
  const gnn_relation_t &relation = library.relation(of.first);
  return of.second == GNN_TO_DESTINATION ? relation.destination_type : relation.source_type;
}

EdgeNeeds ChunkedEdges::edgeNeeds(const Edges &edges, const std::vector<bool> &tablesInFile) const {
  const uint32_t relation = edges.first, direction = edges.second;
  EdgeNeeds needs;
  forSweeps(library, [&](const ProgramStep &step) {
    if (step->relation != relation)
      return;
    const bool hasTablesInFile = step.operands().any([&](const Operand &of) { return tablesInFile[of.tensor]; });
    needs.ids |= hasTablesInFile && direction == GNN_TO_DESTINATION; // whose order tables have
    needs.places |= hasTablesInFile && direction == GNN_TO_SOURCE;
    if (step->direction != direction)
      return;
    needs.ids |= step.needsEdgeIds();
    needs.types |= step.needs(GNN_KERNEL_EDGE_TYPE);
  });
  needs.ids |= needs.places; // which are found by them
  needs.types &= binding.relation(relation).hasTypes();
  return needs;
}

int64_t ChunkedEdges::sliceEdges(const Edges &edges) const {
  const size_t edgeBytes = SliceFormat(binding.relation(edges.first), edgeNeeds(edges, chunkedTables)).edgeBytes();
  return std::max<int64_t>({int64_t(sliceBytes / edgeBytes), cuts.most(rowType(edges)), 1});
}

std::shared_ptr<const UsefulRows> ChunkedEdges::useful(const Edges &edges, bool isOfFile) const {
  if (passedOver == wholeIntervals)
    return nullptr;
  RowGaps gaps; // of all tables that such sweeps read by col; a GPU is sent the rows that are needed and no others
  forSweeps(library, [&](const ProgramStep &step) {
    for (const Operand operand : step.operands()) {
      const size_t rowBytes = engine.rowBytes(binding.dimensions(), library.tensor(operand.tensor));
      if (Edges{step->relation, step->direction} == edges && operand.isPerCol())
        gaps[rowBytes] = isOfFile ? int64_t(passedOver / std::max<size_t>(rowBytes, 1)) : 0;
    }
  });
  return counted->useful(cuts, edges, rowType(edges), colType(edges), gaps);
}

} // namespace gnn::rt
