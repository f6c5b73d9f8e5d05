//===- DeviceData.cpp - A binding in the memory of a GPU ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/device/DeviceData.h"

#include "runtime/src/device/HotCols.h"

#include <cassert>

namespace gnn::rt {

namespace {

constexpr uint32_t noRelation = ~0u;

struct HostArray {
  const void *data;
  size_t bytes;
};

HostArray memberOf(const gnn_block_t &block, uint32_t member) {
  const size_t rows = size_t(block.num_rows), cols = size_t(block.num_cols),
               edges = block.offsets ? size_t(block.offsets[rows]) : 0;
  switch (member) {
  case GNN_BLOCK_COLS:
    return {block.cols, edges * sizeof(uint32_t)};
  case GNN_BLOCK_ROW_ID:
    return {block.row_id, rows * sizeof(int64_t)};
  case GNN_BLOCK_COL_ID:
    return {block.col_id, cols * sizeof(int64_t)};
  case GNN_BLOCK_EDGE_ID:
    return {block.edge_id, edges * sizeof(int64_t)};
  case GNN_BLOCK_EDGE_ID32:
    return {block.edge_id32, edges * sizeof(uint32_t)};
  default:
    assert(member == GNN_BLOCK_EDGE_TYPE && "the others are those of pieces");
    return {block.edge_type, edges * sizeof(int32_t)};
  }
}

} // namespace

DeviceData::~DeviceData() {
  Device::Scope scope(*device);
  for (auto &entry : tensors)
    device->destroy(entry.second.ready);
  for (auto &entry : arrays)
    device->destroy(entry.second.ready);
  for (auto &entry : hots)
    for (const Copy *copy : {&entry.second.cols, &entry.second.list})
      device->destroy(copy->ready);
  for (auto &entry : cutRows)
    for (Copy &copy : entry.second.arrays)
      device->destroy(copy.ready);
}

/// There may be an array of another size, of pairs that are no more.
void DeviceData::update(Copy &copy, const void *data, size_t bytes, uint64_t version) {
  if (copy.array.address() != 0 && copy.array.bytes() == bytes && copy.version == version)
    return;
  if (copy.array.address() == 0 || copy.array.bytes() != bytes)
    copy.array = device->allocate(bytes);
  if (!copy.ready)
    copy.ready = device->createEvent();
  device->uploadAside(copy.array.address(), data, bytes, copy.ready);
  begun.push_back(copy.ready);
  copy.version = version;
}

/// From memory of the device itself, or of another.
void DeviceData::updateThere(Copy &copy, const Tensor &data, uint64_t version) {
  if (copy.array.address() != 0 && copy.version == version)
    return;
  awaitCopies(); // to the same array
  if (copy.array.address() == 0)
    copy.array = device->allocate(data.bytes());
  device->copyFrom(data.device(), copy.array.address(), reinterpret_cast<cuda::Address>(data.data()), data.bytes());
  copy.version = version;
}

void DeviceData::awaitCopies() {
  for (cuda::Event ready : begun)
    device->await(ready);
  begun.clear();
}

cuda::Address DeviceData::tensor(uint32_t index) {
  Copy &known = tensors[index];
  const Tensor &data = binding.data(index);
  if (data.device() < 0)
    update(known, data.data(), data.bytes(), binding.version(index));
  else
    updateThere(known, data, binding.version(index));
  return known.array.address();
}

cuda::Address DeviceData::blockArray(const gnn_step_t &step, const gnn_block_t &block, uint32_t member) {
  const HostArray host = memberOf(block, member);
  if (!host.data)
    return 0;
  const bool isSweep = step.kind == GNN_STEP_SWEEP;
  const bool isPairs = isSweep && step.relation == binding.pairsRelation();
  Copy &known = arrays[{isSweep ? step.relation : noRelation, isSweep ? step.direction : step.vertex_type, member}];
  update(known, host.data, host.bytes, isPairs ? binding.pairsVersion() : 0);
  return known.array.address();
}

cuda::Address DeviceData::hotArray(const gnn_step_t &step, const gnn_block_t &block, uint32_t hotCols,
                                   uint32_t member) {
  Hot &known = hots[{step.relation, step.direction, hotCols}];
  updateHot(known, block, hotCols, step.relation == binding.pairsRelation() ? binding.pairsVersion() : 0);
  return (member == GNN_BLOCK_HOT ? known.list : known.cols).array.address();
}

void DeviceData::updateHot(Hot &hot, const gnn_block_t &block, uint32_t hotCols, uint64_t version) {
  if (hot.cols.array.address() != 0 && hot.cols.version == version)
    return;
  const std::vector<uint32_t> list = hottestCols(block, hotCols), cols = colsByHeat(block, list, hotCols);
  update(hot.list, list.data(), list.size() * sizeof(uint32_t), version);
  update(hot.cols, cols.data(), cols.size() * sizeof(uint32_t), version);
}

void DeviceData::updatePieces(PiecesCopy &copy, const gnn_block_t &block, const RowSplit &split, uint64_t version) {
  if (copy.version == version)
    return;
  copy.version.reset();
  const RowPieces pieces(block, split);
  size_t next = 0;
  auto copied = [&](const auto &array) -> cuda::Address {
    Copy &known = copy.arrays[next++];
    if (array.empty())
      return 0;
    update(known, array.data(), array.size() * sizeof(array[0]), version);
    return known.array.address();
  };
  copy.there = {pieces.count(), pieces.numCut, pieces.numStates};
  copy.there.rows = copied(pieces.rows);
  copy.there.offsets = copied(pieces.offsets);
  copy.there.ends = copied(pieces.ends);
  copy.there.positions = copied(pieces.positions);
  copy.there.moreOffsets = copied(pieces.moreOffsets);
  copy.there.moreEnds = copied(pieces.moreEnds);
  copy.version = version;
}

DevicePieces DeviceData::pieces(const gnn_step_t &step, const gnn_block_t &block, const RowSplit &split) {
  const bool isPairs = step.relation == binding.pairsRelation();
  assert((!isPairs || split.isFixed) && "other pairs go to the same places");
  PiecesCopy &known = cutRows[{step.relation, step.direction, split}];
  updatePieces(known, block, split, isPairs ? binding.pairsVersion() : 0);
  return known.there;
}

void DeviceData::refreshTensors() {
  for (auto &entry : tensors)
    tensor(entry.first);
}

void DeviceData::refreshPairs() {
  for (auto &[key, known] : arrays) {
    const auto [relation, direction, member] = key;
    if (relation == noRelation || relation != binding.pairsRelation())
      continue;
    const HostArray host = memberOf(binding.relation(relation).block(direction), member);
    update(known, host.data, host.bytes, binding.pairsVersion());
  }
  for (auto &[key, known] : hots)
    if (const auto [relation, direction, hotCols] = key; relation == binding.pairsRelation())
      updateHot(known, binding.relation(relation).block(direction), hotCols, binding.pairsVersion());
  for (auto &[key, known] : cutRows)
    if (const auto &[relation, direction, split] = key; relation == binding.pairsRelation())
      updatePieces(known, binding.relation(relation).block(direction), split, binding.pairsVersion());
}

} // namespace gnn::rt
