//===- SpilledData.cpp - Edges and bound tables in a spill file -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/SpilledData.h"

namespace gnn::rt {

namespace {

/// Calls `body` with each sweep of the library.
template <class Body> void forSweeps(const Library &library, Body body) {
  const gnn_library_t &table = library.table();
  for (const gnn_program_t *program = table.programs; program != table.programs + table.num_programs; ++program)
    for (const gnn_step_t *step = program->steps; step != program->steps + program->num_steps; ++step)
      if (step->kind == GNN_STEP_SWEEP)
        body(*step);
}

bool needsIds(const gnn_kernel_t &kernel) {
  return (kernel.needs & GNN_KERNEL_EDGE_ID) != 0 ||
         std::count(kernel.access, kernel.access + kernel.num_operands, uint32_t(GNN_ACCESS_EDGE)) > 0;
}

} // namespace

EdgeNeeds edgeNeeds(const Library &library, const Binding &binding, uint32_t relation, uint32_t direction) {
  EdgeNeeds needs;
  forSweeps(library, [&](const gnn_step_t &step) {
    if (step.relation != relation || step.direction != direction)
      return;
    const gnn_kernel_t &kernel = library.kernel(step.kernel);
    needs.ids |= needsIds(kernel);
    needs.types |= (kernel.needs & GNN_KERNEL_EDGE_TYPE) != 0;
  });
  needs.types &= binding.relation(relation).hasTypes();
  return needs;
}

LibraryEdgeNeeds edgeNeeds(const Library &library) {
  LibraryEdgeNeeds needs{false, false};
  forSweeps(library, [&](const gnn_step_t &step) {
    needs.ids |= needsIds(library.kernel(step.kernel));
    needs.toSource |= step.direction == GNN_TO_SOURCE;
  });
  for (const gnn_tensor_info_t &info : library.tensors()) // counts of each type of edges
    needs.toSource |= info.rank > 0 && (info.role == GNN_ROLE_DEGREE_OUT || info.role == GNN_ROLE_COUNT_OUT);
  return needs;
}

CountedChunks::Counts CountedChunks::merged(const Counts &finer, const Intervals &intervals) const {
  Counts counts;
  for (const auto &[r, ofRelation] : finer) {
    const gnn_relation_t &relation = library.table().relations[r];
    auto sums = ofRelation.merged(intervals.count(relation.source_type), intervals.count(relation.destination_type));
    if (!sums)
      return {};
    counts.emplace(r, std::move(*sums));
  }
  return counts;
}

std::shared_ptr<const CountedChunks::Counts> CountedChunks::of(const Intervals &intervals) {
  if (const auto found = known.find(intervals.parts()); found != known.end())
    return found->second;
  Counts counts;
  for (auto finer = known.upper_bound(intervals.parts()); finer != known.end() && counts.empty(); ++finer)
    counts = merged(*finer->second, intervals);
  if (counts.empty())
    forSweeps(library, [&](const gnn_step_t &step) {
      const gnn_relation_t &relation = library.table().relations[step.relation];
      if (!counts.count(step.relation))
        counts.emplace(step.relation, ChunkCounts(binding.relation(step.relation), relation.source_type,
                                                  relation.destination_type, intervals));
    });
  return known[intervals.parts()] = std::make_shared<const Counts>(std::move(counts));
}

SpilledData::SpilledData(const Library &opened, const Binding &bound, const Cuts &into, const std::string &in,
                         Residents residents, FileSystem &fileSystem, CountedChunks *counted)
    : library(opened), binding(bound), cuts(library, binding, into),
      edgeCounts(counted ? counted->of(cuts) : CountedChunks(library, binding).of(cuts)), kept(std::move(residents)),
      folder(in), files(fileSystem), spilled(folder, files), tables(library, binding, spilled, &cuts) {}

SpilledData::SpilledData(const SpilledData &other, Residents residents)
    : library(other.library), binding(other.binding), cuts(other.cuts), edgeCounts(other.edgeCounts),
      kept(std::move(residents)), folder(other.folder), files(other.files), spilled(folder, files),
      tables(library, binding, spilled, &cuts) {}

static_assert(GNN_TO_DESTINATION == !GNN_TO_SOURCE && GNN_TO_SOURCE == !GNN_TO_DESTINATION);

uint32_t SpilledData::rowType(const Residents::Edges &of) const {
  const gnn_relation_t &relation = library.table().relations[of.first];
  return of.second == GNN_TO_DESTINATION ? relation.destination_type : relation.source_type;
}

const Chunks &SpilledData::chunks(uint32_t relation, uint32_t direction) {
  auto &[made, isThere] = edges[{relation, direction}];
  if (!made)
    made = std::make_unique<Chunks>(binding.relation(relation), edgeNeeds(library, binding, relation, direction),
                                    rowType({relation, direction}), colType({relation, direction}), cuts,
                                    counts().at(relation), direction, spilled);
  return *made;
}

const EdgeRows &SpilledData::edgeRows(uint32_t relation, uint32_t direction) {
  std::unique_ptr<EdgeRows> &made = rows[{relation, direction}];
  if (!made)
    made = std::make_unique<EdgeRows>(binding.relation(relation), direction,
                                      edgeNeeds(library, binding, relation, direction), rowType({relation, direction}),
                                      colType({relation, direction}), cuts);
  return *made;
}

size_t SpilledData::edgeRowBytes() const {
  size_t bytes = 0;
  for (const auto &[of, edges] : rows)
    bytes += edges->bytes();
  return bytes;
}

void SpilledData::update() {
  spilled.allocate();
  for (auto &[of, chunks] : edges)
    if (!chunks.second) {
      chunks.first->write(binding.relation(of.first));
      chunks.second = true;
    }
  for (auto &[of, edges] : rows)
    if (!edges->isFilled())
      edges->fill(binding.relation(of.first));
  tables.update();
}

} // namespace gnn::rt
