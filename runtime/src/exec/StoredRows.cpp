//===- StoredRows.cpp - Rows of earlier layers that are kept --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/StoredRows.h"

#include "runtime/src/program/Steps.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

StoredLayout::StoredLayout(const Engine &engine, const Library &library, const Dims &dims, const gnn_program_t &program)
    : bytes(library.table().num_vertex_types, 0), depths(bytes.size(), 0) {
  std::vector<bool> isMade(library.tensors().size(), false);
  for (const ProgramStep step : library.steps(program)) {
    for (const Operand input : step.inputs()) {
      const uint32_t tensor = input.tensor, type = step.colType();
      if (!isMade[tensor] || !input.isPerCol() || library.isTable(type))
        continue;
      depths[type] = std::max(depths[type], step->col_depth);
      auto known = std::find_if(tensors.begin(), tensors.end(), [&](auto &each) { return each.tensor == tensor; });
      if (known != tensors.end()) {
        known->depth = std::max(known->depth, step->col_depth);
        continue;
      }
      const size_t ofRow = engine.rowBytes(dims, library.tensor(tensor));
      tensors.push_back({tensor, type, step->col_depth, ofRow, bytes[type]});
      bytes[type] += (ofRow + 7) / 8 * 8;
    }
    for (const Operand output : step.outputs())
      isMade[output.tensor] = true;
  }
}

const StoredTensor *StoredLayout::find(uint32_t tensor) const {
  for (const StoredTensor &each : tensors)
    if (each.tensor == tensor)
      return &each;
  return nullptr;
}

size_t StoredLayout::costOf(uint32_t vertexType) const {
  constexpr size_t ofMap = 32; // of a map that is at most half full, and has grown just now
  return bytes[vertexType] + sizeof(int64_t) + size_t(depths[vertexType]) * 2 * sizeof(uint64_t) + sizeof(void *) +
         ofMap;
}

StoredRows::StoredRows(const StoredLayout &layout, const std::vector<std::vector<int64_t>> &chosen, uint64_t first)
    : fields(layout), types(chosen.size()) {
  for (uint32_t type = 0; type < types.size(); ++type) {
    OfType &of = types[type];
    of.vertices = chosen[type];
    for (uint32_t slot = 0; slot < of.vertices.size(); ++slot)
      of.slots.meet(uint32_t(of.vertices[slot]), slot);
    of.parts.assign(of.vertices.size() * size_t(fields.deepest(type)), Part{first, false});
    of.rows = Buffer<char>(of.vertices.size() * fields.bytesOf(type));
    of.earlier.resize(of.vertices.size());
  }
}

/// The row that has a part as it is at a moment; null: it is not known.
const char *StoredRows::partAt(uint32_t vertexType, uint32_t slot, int32_t depth, uint64_t moment) const {
  if (const Part &now = part(vertexType, slot, depth); now.isKnown && moment >= now.changed)
    return rowOf(vertexType, slot);
  const Earlier *before = types[vertexType].earlier[slot].get();
  if (!before)
    return nullptr;
  const Earlier::Moments &moments = before->parts[size_t(depth - 1)];
  return moments.from <= moment && moment < moments.until ? before->row.data() : nullptr;
}

bool StoredRows::read(uint32_t vertexType, uint32_t slot, int32_t depth, uint64_t moment, char *to) const {
  const std::lock_guard<std::mutex> lock(mutexOf(slot));
  for (int32_t of = depth; of <= fields.deepest(vertexType); ++of)
    if (!partAt(vertexType, slot, of, moment))
      return false;
  fields.forParts(vertexType, depth, [&](const StoredTensor &each) {
    std::memcpy(to + each.offset, partAt(vertexType, slot, each.depth, moment) + each.offset, each.bytes);
  });
  reads.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void StoredRows::write(uint32_t vertexType, uint32_t slot, int32_t depth, uint64_t moment, const char *from) {
  const std::lock_guard<std::mutex> lock(mutexOf(slot));
  if (const Part &least = part(vertexType, slot, depth); least.isKnown || moment < least.changed)
    return;
  fields.forParts(vertexType, depth, [&](const StoredTensor &each) {
    std::memcpy(rowOf(vertexType, slot) + each.offset, from + each.offset, each.bytes);
  });
  for (int32_t of = depth; of <= fields.deepest(vertexType); ++of)
    part(vertexType, slot, of).isKnown = true;
}

void StoredRows::forget(uint32_t vertexType, int64_t vertex, int32_t depth, uint64_t unchanged, uint64_t moment) {
  const uint32_t slot = slotOf(vertexType, vertex);
  if (slot == none)
    return;
  const std::lock_guard<std::mutex> lock(mutexOf(slot));
  for (int32_t of = 1; of <= std::min(depth, fields.deepest(vertexType)); ++of) {
    Part &now = part(vertexType, slot, of);
    // What is newer than the served moment is of no use for it, and what was kept before may be.
    if (now.isKnown && now.changed < servedEnd.load(std::memory_order_relaxed))
      keepEarlier(vertexType, slot, of, unchanged + 1);
    now = {moment, false};
  }
}

void StoredRows::keepEarlier(uint32_t vertexType, uint32_t slot, int32_t depth, uint64_t until) {
  std::unique_ptr<Earlier> &before = types[vertexType].earlier[slot];
  if (!before)
    before = std::make_unique<Earlier>(fields.deepest(vertexType), fields.bytesOf(vertexType));
  before->parts[size_t(depth - 1)] = {part(vertexType, slot, depth).changed, until};
  fields.forParts(vertexType, depth, [&](const StoredTensor &each) {
    if (each.depth == depth)
      std::memcpy(before->row.data() + each.offset, rowOf(vertexType, slot) + each.offset, each.bytes);
  });
}

void StoredRows::serve(uint64_t moment) {
  uint64_t before = servedEnd.load(std::memory_order_relaxed);
  do
    if (before > moment)
      return;
  while (!servedEnd.compare_exchange_weak(before, moment + 1, std::memory_order_relaxed));
  for (OfType &of : types)
    for (uint32_t slot = 0; slot < of.earlier.size(); ++slot) {
      const std::lock_guard<std::mutex> lock(mutexOf(slot));
      // Answers may still be under way that are about the moment before.
      if (of.earlier[slot] && std::all_of(of.earlier[slot]->parts.begin(), of.earlier[slot]->parts.end(),
                                          [&](const Earlier::Moments &part) { return part.until < before; }))
        of.earlier[slot] = nullptr;
    }
}

void StoredRows::inherit(const StoredRows &before) {
  for (uint32_t type = 0; type < types.size(); ++type)
    for (uint32_t slot = 0; slot < types[type].vertices.size(); ++slot) {
      const uint32_t from = before.slotOf(type, types[type].vertices[slot]);
      if (from == none)
        continue;
      const std::lock_guard<std::mutex> lock(before.mutexOf(from));
      for (int32_t depth = 1; depth <= fields.deepest(type); ++depth)
        if (before.part(type, from, depth).isKnown)
          part(type, slot, depth) = before.part(type, from, depth);
      std::memcpy(rowOf(type, slot), before.rowOf(type, from), fields.bytesOf(type));
    }
}

std::vector<int64_t> StoredRows::unknown(uint32_t vertexType, int32_t depth) const {
  std::vector<int64_t> found;
  if (depth > fields.deepest(vertexType))
    return found;
  for (uint32_t slot = 0; slot < types[vertexType].vertices.size(); ++slot) {
    const std::lock_guard<std::mutex> lock(mutexOf(slot));
    if (!part(vertexType, slot, depth).isKnown)
      found.push_back(types[vertexType].vertices[slot]);
  }
  return found;
}

void StoredUse::begin(StoredRows *rows, uint64_t now) {
  stored = rows;
  moment = now;
  types.resize(rows ? rows->layout().numTypes() : 0);
  for (OfType &of : types) {
    of.taken.clear();
    of.made.clear();
    of.takenRows.clear();
  }
}

bool StoredUse::take(uint32_t vertexType, int64_t vertex, int32_t depth, uint32_t place) {
  if (!stored || depth > stored->layout().deepest(vertexType))
    return false;
  const uint32_t slot = stored->slotOf(vertexType, vertex);
  if (slot == StoredRows::none)
    return false;
  OfType &of = types[vertexType];
  const size_t before = of.takenRows.size();
  of.taken.reserve(of.taken.size() + 1);
  of.takenRows.resize(before + stored->layout().bytesOf(vertexType));
  if (stored->read(vertexType, slot, depth, moment, of.takenRows.data() + before)) {
    of.taken.push_back(depth);
    return true;
  }
  of.takenRows.resize(before);
  of.made.push_back({slot, place, depth});
  return false;
}

void StoredUse::expect(uint32_t vertexType, int64_t vertex, int32_t depth, uint32_t place) {
  if (!stored || depth > stored->layout().deepest(vertexType))
    return;
  if (const uint32_t slot = stored->slotOf(vertexType, vertex); slot != StoredRows::none)
    types[vertexType].made.push_back({slot, place, depth});
}

void StoredUse::prepare() {
  for (uint32_t type = 0; type < types.size(); ++type)
    types[type].madeRows.resize(types[type].made.size() * stored->layout().bytesOf(type));
}

void StoredUse::finish() {
  for (uint32_t type = 0; type < types.size(); ++type)
    for (size_t i = 0; i < types[type].made.size(); ++i) {
      const Made &made = types[type].made[i];
      stored->write(type, made.slot, made.depth, moment,
                    types[type].madeRows.data() + i * stored->layout().bytesOf(type));
    }
}

} // namespace gnn::rt
