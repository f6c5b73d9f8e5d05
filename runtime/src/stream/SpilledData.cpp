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

std::unique_ptr<Spill> makeSpillBelow(const Engine &engine, const std::string &folder, FileSystem &files) {
  return engine.hasDeviceMemory() ? std::make_unique<SpillFile>(folder, files) : nullptr;
}

std::unique_ptr<Spill> makeSpill(Engine &engine, const Spill *below, const std::string &folder, FileSystem &files) {
  if (below)
    return std::make_unique<SpillMemory>([&engine](size_t bytes) { return engine.reachable(bytes); });
  return std::make_unique<SpillFile>(folder, files);
}

} // namespace

SpilledData::SpilledData(Engine &machine, const Library &opened, const Binding &bound, const Cuts &into,
                         const std::string &in, Residents residents, FileSystem &fileSystem,
                         std::shared_ptr<CountedChunks> known)
    : ChunkedEdges(machine, opened, bound, into, std::move(residents), std::move(known)), folder(in), files(fileSystem),
      fileBelow(makeSpillBelow(engine, folder, files)), spilled(makeSpill(engine, fileBelow.get(), folder, files)),
      tables(library, binding, *spilled, &intervals()) {}

SpilledData::SpilledData(const SpilledData &other, Residents residents)
    : ChunkedEdges(other, std::move(residents)), folder(other.folder), files(other.files), ahead(other.ahead),
      here(other.here), fileBelow(makeSpillBelow(engine, folder, files)),
      spilled(makeSpill(engine, fileBelow.get(), folder, files)), tables(library, binding, *spilled, &intervals()) {}

const Chunks &SpilledData::chunks(uint32_t relation, uint32_t direction) {
  const Edges of{relation, direction};
  auto &[made, isThere] = edges[of];
  if (made)
    return *made;
  const EdgeNeeds needs = edgeNeeds(of);
  made = std::make_unique<Chunks>(binding.relation(relation), needs, rowType(of), colType(of), intervals(),
                                  counts().at(relation), direction, sliceEdges(of), spillOf(of), spilled->isMemory());
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
  const Edges which{relation, direction};
  std::unique_ptr<EdgeRows> &made = rows[&of][which];
  if (!made)
    made = std::make_unique<EdgeRows>(binding.relation(relation), direction, edgeNeeds(which), rowType(which),
                                      colType(which), intervals(), of, isOfPairs(library, relation));
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
