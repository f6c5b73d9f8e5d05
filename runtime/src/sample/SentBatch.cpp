//===- SentBatch.cpp - A batch in the memory of a GPU ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/SentBatch.h"

#include "runtime/src/engine/RowPicks.h"
#include "runtime/src/sample/HotRows.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace gnn::rt {

/// A view of this process whose arrays were sent.
class SentBatch::ThereView : public View {
public:
  ThereView(const SentBatch &batch, const View &here) : batch(batch), here(here) {}

  int64_t rows(uint32_t vertexType) const override { return here.rows(vertexType); }
  const int64_t *ids(uint32_t vertexType) const override { return sent(here.ids(vertexType)); }
  gnn_block_t block(uint32_t relation, uint32_t direction) const override {
    gnn_block_t block = here.block(relation, direction);
    block.offsets = sent(block.offsets);
    block.ends = sent(block.ends);
    block.cols = sent(block.cols);
    block.row_id = sent(block.row_id);
    block.col_id = sent(block.col_id);
    block.edge_id = sent(block.edge_id);
    block.edge_id32 = sent(block.edge_id32);
    block.edge_type = sent(block.edge_type);
    block.row_pos = sent(block.row_pos);
    return block;
  }
  uint64_t content(uint32_t relation) const override { return here.content(relation); }
  const Relation *lasting(uint32_t) const override { return nullptr; }
  bool isThere() const override { return true; }

private:
  template <class T> const T *sent(const T *array) const { return static_cast<const T *>(batch.there(array)); }

  const SentBatch &batch;
  const View &here;
};

std::vector<SentBatch::Table> SentBatch::tablesOf(const Library &library, const Binding &binding,
                                                  const gnn_program_t &program) {
  std::vector<Table> tables;
  for (const gnn_use_t &use : usesIn(program)) {
    const gnn_tensor_info_t &info = library.tensor(use.tensor);
    if (info.role == GNN_ROLE_INPUT && info.domain == GNN_DOMAIN_VERTEX && !(use.accesses & 1u << GNN_ACCESS_WHOLE) &&
        binding.data(use.tensor) && binding.data(use.tensor).device() < 0)
      tables.push_back({use.tensor, info.type, std::max(use.depth, 0), binding.rowBytes(use.tensor)});
  }
  return tables;
}

SentBatch::SentBatch(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &compiled)
    : engine(machine), library(opened), binding(bound), program(compiled), tables(tablesOf(opened, bound, compiled)),
      rows(tables.size()) {}

void SentBatch::findIn(std::shared_ptr<HotRows> kept, size_t number) {
  hot = std::move(kept);
  hotEngine = number;
}

SentBatch::~SentBatch() {
  try {
    sent.await();
  } catch (...) { // a device that failed says so to who computes
  }
}

/// Arrays of deeper steps begin with those of others.
void SentBatch::note(const void *array, size_t bytes) {
  if (array) {
    size_t &known = arrays[static_cast<const char *>(array)].bytes;
    known = std::max(known, bytes);
  }
}

/// What steps read of the edges and ids.
void SentBatch::find(const Neighbourhood &around) {
  arrays.clear();
  seen.clear();
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = library.step(program.steps[s]);
    const View &view = around.viewOf(step);
    seen.push_back(std::make_unique<ThereView>(*this, view));
    if (step.isMap() && step.needs(GNN_KERNEL_ROW_ID))
      note(view.ids(step->vertex_type), size_t(view.rows(step->vertex_type)) * sizeof(int64_t));
    if (!step.isSweep())
      continue;
    const gnn_block_t block = view.block(step->relation, step->direction);
    const auto rows = size_t(block.num_rows), edges = size_t(rows > 0 ? block.ends[rows - 1] : 0);
    assert(block.ends == block.offsets + 1 && !block.row_pos && "rows lie one after the other");
    note(block.offsets, (rows + 1) * sizeof *block.offsets);
    note(block.cols, edges * sizeof *block.cols);
    note(block.edge_id, edges * sizeof *block.edge_id);
    note(block.edge_id32, edges * sizeof *block.edge_id32);
    note(block.edge_type, edges * sizeof *block.edge_type);
    if (step.needs(GNN_KERNEL_ROW_ID))
      note(block.row_id, rows * sizeof *block.row_id);
    if (step.needs(GNN_KERNEL_COL_ID))
      note(block.col_id, size_t(block.num_cols) * sizeof *block.col_id);
  }
}

/// With room for all rows, as if none was kept: how many are is known when they are packed.
void SentBatch::layOut(const Neighbourhood &around) {
  size_t bytes = 0;
  auto add = [&](size_t &offset, size_t more) { bytes = (offset = bytes) + wholeLines(more); };
  for (auto &[begin, array] : arrays)
    add(array.offset, array.bytes);
  for (size_t t = 0; t < tables.size(); ++t) {
    rows[t].count = around.rows(tables[t].depth, tables[t].type);
    add(rows[t].places, size_t(rows[t].count) * sizeof(uint32_t));
  }
  for (size_t t = 0; t < tables.size(); ++t)
    add(rows[t].sent, size_t(rows[t].count) * tables[t].rowBytes);
  mostPacked = bytes;
  for (size_t t = 0; t < tables.size(); ++t)
    add(rows[t].picked, size_t(rows[t].count) * tables[t].rowBytes);
  allBytes = hot ? bytes : mostPacked;
  most = std::max(most, bytes);
}

/// Behind those of the tables before.
void SentBatch::packRows(size_t t, const Neighbourhood &around) {
  const Table &table = tables[t];
  Rows &of = rows[t];
  const auto *from = static_cast<const char *>(binding.data(table.tensor).data());
  const int64_t *vertices = around.verticesOf(table.type).data();
  char *base = static_cast<char *>(packed.get()), *next = base + packedBytes;
  auto *places = reinterpret_cast<uint32_t *>(base + of.places);
  of.sent = packedBytes;
  of.numSent = of.numOfPeers = 0;
  for (int64_t row = 0; row < of.count; ++row) {
    const int64_t vertex = vertices[row];
    if (const uint32_t place = hot ? hot->placeOf(t, vertex) : HotRows::notKept; place != HotRows::notKept) {
      places[row] = place;
      of.numOfPeers += !hot->isOf(hotEngine, t, place);
      continue;
    }
    std::memcpy(next, from + size_t(vertex) * table.rowBytes, table.rowBytes);
    next += table.rowBytes;
    if (hot)
      places[row] = hot->numKept(t) + uint32_t(of.numSent);
    ++of.numSent;
  }
  packedBytes += wholeLines(size_t(of.numSent) * table.rowBytes);
}

void SentBatch::pack(const Neighbourhood &around) {
  sent.await();
  isPacked = false;
  find(around);
  layOut(around);
  if (mostPacked > packedRoom) {
    packed = nullptr; // not two at a time
    packedRoom = 0;
    packed = engine.reachable(mostPacked + mostPacked / spare);
    packedRoom = mostPacked + mostPacked / spare;
  }
  for (const auto &[begin, array] : arrays)
    std::memcpy(static_cast<char *>(packed.get()) + array.offset, begin, array.bytes);
  packedBytes = tables.empty() ? mostPacked : rows[0].sent;
  for (size_t t = 0; t < tables.size(); ++t)
    packRows(t, around);
  isPacked = true;
}

void SentBatch::reserve(size_t bytes) {
  if (bytes <= room && memory)
    return;
  memory = nullptr; // not two at a time
  room = 0;
  memory = engine.allocate(bytes + bytes / spare);
  room = bytes + bytes / spare;
}

void SentBatch::send() {
  if (!std::exchange(isPacked, false))
    return;
  reserve(allBytes);
  sent = engine.copy(Queue::Load, memory->data(), packed.get(), packedBytes, {});
}

void SentBatch::take() {
  engine.transferBy(Queue::Work, [] {}, {sent});
  HotRows::Counts counts;
  for (size_t t = 0; hot && t < tables.size(); ++t) {
    const Rows &of = rows[t];
    engine.rowGather()->pick({there(of.picked), hot->tablesOf(hotEngine, t), hot->numEngines(), there(of.sent),
                              static_cast<uint32_t *>(there(of.places)), hot->numKept(t), of.count,
                              tables[t].rowBytes});
    counts.rows += uint64_t(of.count);
    counts.hits += uint64_t(of.count - of.numSent - of.numOfPeers);
    counts.ofPeers += uint64_t(of.numOfPeers);
    counts.bytes += uint64_t(of.numSent) * tables[t].rowBytes;
    counts.peerBytes += uint64_t(of.numOfPeers) * tables[t].rowBytes;
  }
  if (hot)
    hot->note(hotEngine, counts);
}

const void *SentBatch::there(const void *array) const {
  auto after = arrays.upper_bound(static_cast<const char *>(array));
  if (!array || after == arrays.begin())
    return nullptr;
  const auto &[begin, known] = *std::prev(after);
  const auto inside = size_t(static_cast<const char *>(array) - begin);
  return inside < known.bytes ? there(known.offset + inside) : nullptr;
}

void *SentBatch::rowsOf(uint32_t tensor) const {
  for (size_t t = 0; t < tables.size(); ++t)
    if (tables[t].tensor == tensor)
      return there(hot ? rows[t].picked : rows[t].sent);
  return nullptr;
}

std::vector<const View *> SentBatch::views() const {
  std::vector<const View *> all;
  for (const auto &view : seen)
    all.push_back(view.get());
  return all;
}

} // namespace gnn::rt
