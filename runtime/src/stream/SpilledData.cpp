//===- SpilledData.cpp - Edges and bound tables in a spill file -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/SpilledData.h"

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

std::unique_ptr<Spill> makeSpillBelow(const Engine &engine, const std::string &folder, FileSystem &files) {
  return engine.hasDeviceMemory() ? std::make_unique<SpillFile>(folder, files) : nullptr;
}

std::unique_ptr<Spill> makeSpill(Engine &engine, const Spill *below, const std::string &folder, FileSystem &files) {
  if (below)
    return std::make_unique<SpillMemory>([&engine](size_t bytes) { return engine.reachable(bytes); });
  return std::make_unique<SpillFile>(folder, files);
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

SpilledData::SpilledData(Engine &machine, const Library &opened, const Binding &bound, const Cuts &into,
                         const std::string &in, Residents residents, FileSystem &fileSystem,
                         std::shared_ptr<CountedChunks> known)
    : engine(machine), library(opened), binding(bound), cuts(library, binding, into),
      counted(known ? std::move(known) : std::make_shared<CountedChunks>(library, binding)),
      edgeCounts(counted->of(cuts)), kept(withWholeEdgeTables(library, cuts, std::move(residents))),
      chunkedTables(chunkedEdgeTables(library)), edgeTables(without(chunkedTables, kept)), folder(in),
      files(fileSystem), fileBelow(makeSpillBelow(engine, folder, files)),
      spilled(makeSpill(engine, fileBelow.get(), folder, files)), tables(library, binding, *spilled, &cuts) {}

SpilledData::SpilledData(const SpilledData &other, Residents residents)
    : engine(other.engine), library(other.library), binding(other.binding), cuts(other.cuts), counted(other.counted),
      edgeCounts(other.edgeCounts), kept(withWholeEdgeTables(library, cuts, std::move(residents))),
      chunkedTables(other.chunkedTables), edgeTables(without(chunkedTables, kept)), folder(other.folder),
      files(other.files), passedOver(other.passedOver), sliceBytes(other.sliceBytes), ahead(other.ahead),
      here(other.here), fileBelow(makeSpillBelow(engine, folder, files)),
      spilled(makeSpill(engine, fileBelow.get(), folder, files)), tables(library, binding, *spilled, &cuts) {}

static_assert(GNN_TO_DESTINATION == !GNN_TO_SOURCE && GNN_TO_SOURCE == !GNN_TO_DESTINATION);

uint32_t SpilledData::rowType(const Residents::Edges &of) const {
  const gnn_relation_t &relation = library.relation(of.first);
  return of.second == GNN_TO_DESTINATION ? relation.destination_type : relation.source_type;
}

EdgeNeeds SpilledData::edgeNeeds(uint32_t relation, uint32_t direction, const std::vector<bool> &tablesInFile) const {
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

int64_t SpilledData::sliceEdges(uint32_t relation, uint32_t direction) const {
  const size_t edgeBytes = Chunks::edgeBytes(binding.relation(relation), edgeNeeds(relation, direction, chunkedTables));
  return std::max<int64_t>({int64_t(sliceBytes / edgeBytes), cuts.most(rowType({relation, direction})), 1});
}

std::shared_ptr<const UsefulRows> SpilledData::useful(uint32_t relation, uint32_t direction, bool isOfFile) const {
  if (passedOver == wholeIntervals)
    return nullptr;
  RowGaps gaps; // of all tables that such sweeps read by col; a GPU is sent the rows that are needed and no others
  forSweeps(library, [&](const ProgramStep &step) {
    for (const Operand operand : step.operands()) {
      const size_t rowBytes = engine.rowBytes(binding.dimensions(), library.tensor(operand.tensor));
      if (step->relation == relation && step->direction == direction && operand.isPerCol())
        gaps[rowBytes] = isOfFile ? int64_t(passedOver / std::max<size_t>(rowBytes, 1)) : 0;
    }
  });
  return counted->useful(cuts, {relation, direction}, rowType({relation, direction}), colType({relation, direction}),
                         gaps);
}

const Chunks &SpilledData::chunks(uint32_t relation, uint32_t direction) {
  auto &[made, isThere] = edges[{relation, direction}];
  if (made)
    return *made;
  const EdgeNeeds needs = edgeNeeds(relation, direction);
  made = std::make_unique<Chunks>(binding.relation(relation), needs, rowType({relation, direction}),
                                  colType({relation, direction}), cuts, counts().at(relation), direction,
                                  sliceEdges(relation, direction), spillOf(Residents::Edges{relation, direction}),
                                  spilled->isMemory());
  if (needs.places)
    chunks(relation, GNN_TO_DESTINATION);
  return *made;
}

uint64_t SpilledData::table(uint32_t tensor) {
  if (const gnn_tensor_info_t &info = library.tensor(tensor); info.domain == GNN_DOMAIN_EDGE)
    chunks(info.type, GNN_TO_DESTINATION);
  return tables.place(tensor, spillOf(tensor));
}

const EdgeRows &SpilledData::edgeRows(uint32_t relation, uint32_t direction, Engine &of) {
  std::unique_ptr<EdgeRows> &made = rows[&of][{relation, direction}];
  if (!made)
    made = std::make_unique<EdgeRows>(binding.relation(relation), direction, edgeNeeds(relation, direction),
                                      rowType({relation, direction}), colType({relation, direction}), cuts, of,
                                      isOfPairs(library, relation));
  return *made;
}

size_t SpilledData::edgeRowBytes() const {
  size_t bytes = 0;
  if (const auto found = rows.find(&engine); found != rows.end())
    for (const auto &[of, edges] : found->second)
      bytes += edges->bytes();
  return bytes;
}

void SpilledData::update(size_t room) {
  spilled->allocate();
  if (fileBelow)
    fileBelow->allocate();
  for (auto &[of, chunks] : edges) // those by destination first
    if (!chunks.second) {
      const auto same = edges.find({of.first, GNN_TO_DESTINATION});
      chunks.first->write(binding.relation(of.first), same == edges.end() ? nullptr : same->second.first.get());
      chunks.second = true;
    }
  for (auto &[in, ofEngine] : rows)
    for (auto &[of, edges] : ofEngine)
      if (!edges->isFilled() || (isOfPairs(library, of.first) && !edges->isOf(binding.relation(of.first))))
        edges->fill(binding.relation(of.first));
  tables.update([&](uint32_t relation, const auto &body) { chunks(relation, GNN_TO_DESTINATION).forIds(body); }, room);
}

} // namespace gnn::rt
