//===- SpilledData.cpp - Edges and bound tables in a spill file -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/SpilledData.h"

#include <cassert>

namespace gnn::rt {

EdgeNeeds edgeNeeds(const Library &library, const Binding &binding, uint32_t relation, uint32_t direction) {
  EdgeNeeds needs;
  const gnn_library_t &table = library.table();
  for (const gnn_program_t *program = table.programs; program != table.programs + table.num_programs; ++program)
    for (const gnn_step_t *step = program->steps; step != program->steps + program->num_steps; ++step) {
      if (step->kind != GNN_STEP_SWEEP || step->relation != relation || step->direction != direction)
        continue;
      const gnn_kernel_t &kernel = library.kernel(step->kernel);
      needs.ids |= (kernel.needs & GNN_KERNEL_EDGE_ID) != 0 ||
                   std::count(kernel.access, kernel.access + kernel.num_operands, uint32_t(GNN_ACCESS_EDGE)) > 0;
      needs.types |= (kernel.needs & GNN_KERNEL_EDGE_TYPE) != 0;
    }
  needs.types &= !binding.relation(relation).csr(direction).types.empty();
  return needs;
}

std::map<uint32_t, ChunkCounts> chunkCounts(const Library &library, const Binding &binding,
                                            const Intervals &intervals) {
  std::map<uint32_t, ChunkCounts> counts;
  const gnn_library_t &table = library.table();
  for (const gnn_program_t *program = table.programs; program != table.programs + table.num_programs; ++program)
    for (const gnn_step_t *step = program->steps; step != program->steps + program->num_steps; ++step) {
      if (step->kind != GNN_STEP_SWEEP || counts.count(step->relation))
        continue;
      const gnn_relation_t &relation = table.relations[step->relation];
      counts.emplace(step->relation, ChunkCounts(binding.relation(step->relation), relation.source_type,
                                                 relation.destination_type, intervals));
    }
  return counts;
}

SpilledData::SpilledData(const Library &opened, const Binding &bound, int64_t parts, const std::string &in,
                         Residents residents, FileSystem &fileSystem)
    : library(opened), binding(bound), cuts(library, binding, parts),
      edgeCounts(std::make_shared<std::map<uint32_t, ChunkCounts>>(chunkCounts(library, binding, cuts))),
      kept(std::move(residents)), folder(in), files(fileSystem), spilled(folder, files) {}

SpilledData::SpilledData(const SpilledData &other, Residents residents)
    : library(other.library), binding(other.binding), cuts(other.cuts), edgeCounts(other.edgeCounts),
      kept(std::move(residents)), folder(other.folder), files(other.files), spilled(folder, files) {}

static_assert(GNN_TO_DESTINATION == !GNN_TO_SOURCE && GNN_TO_SOURCE == !GNN_TO_DESTINATION);

uint32_t SpilledData::rowType(const Residents::Edges &of) const {
  const gnn_relation_t &relation = library.table().relations[of.first];
  return of.second == GNN_TO_DESTINATION ? relation.destination_type : relation.source_type;
}

const Chunks &SpilledData::chunks(uint32_t relation, uint32_t direction) {
  auto &[made, isThere] = edges[{relation, direction}];
  if (!made)
    made = std::make_unique<Chunks>(binding.relation(relation).csr(direction),
                                    edgeNeeds(library, binding, relation, direction), rowType({relation, direction}),
                                    colType({relation, direction}), cuts, counts().at(relation), direction, spilled);
  return *made;
}

const EdgeRows &SpilledData::edgeRows(uint32_t relation, uint32_t direction) {
  std::unique_ptr<EdgeRows> &made = rows[{relation, direction}];
  if (!made)
    made = std::make_unique<EdgeRows>(binding.relation(relation).csr(direction),
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

uint64_t SpilledData::table(uint32_t tensor) {
  auto found = tables.find(tensor);
  if (found == tables.end())
    found = tables.emplace(tensor, Table{spilled.add(binding.tensorBytes(tensor)), 0, false}).first;
  return found->second.at;
}

void SpilledData::update() {
  spilled.allocate();
  for (auto &[of, chunks] : edges)
    if (!chunks.second) {
      chunks.first->write(binding.relation(of.first).csr(of.second));
      chunks.second = true;
    }
  for (auto &[of, edges] : rows)
    if (!edges->isFilled())
      edges->fill(binding.relation(of.first).csr(of.second));
  for (auto &[tensor, table] : tables) {
    if (table.isThere && table.version == binding.version(tensor))
      continue;
    const Tensor &data = binding.data(tensor);
    assert(data.bytes() == binding.tensorBytes(tensor));
    spilled.write(SpillFile::Tables, data.data(), data.bytes(), table.at);
    table.version = binding.version(tensor);
    table.isThere = true;
  }
}

} // namespace gnn::rt
