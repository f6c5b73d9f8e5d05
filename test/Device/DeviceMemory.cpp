//===- DeviceMemory.cpp - Memory that is watched --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMemory.h"

#include <algorithm>

namespace ptx {

void Clocks::meet(const std::vector<uint32_t> &threads) {
  // Of other warps the threads of a warp know the same: what they learnt at barriers of the block.
  const bool ofBlock = threads.size() == count;
  const uint32_t first = ofBlock ? 0 : threads.front() / warpSize * warpSize;
  const uint32_t last = ofBlock ? count : std::min(first + warpSize, count);
  std::vector<uint32_t> all(last - first, 0);
  for (uint32_t t : threads)
    for (uint32_t u = first; u < last; ++u)
      all[u - first] = std::max(all[u - first], known[size_t(t) * count + u]);
  for (uint32_t t : threads) {
    std::copy(all.begin(), all.end(), known.begin() + int64_t(size_t(t) * count + first));
    ++known[size_t(t) * count + t];
  }
}

static void noteReader(std::vector<Access> &readers, const Access &access) {
  for (Access &reader : readers)
    if (reader.thread == access.thread) {
      reader.clock = access.clock;
      return;
    }
  readers.push_back(access);
}

const Access *Region::noteCell(Cell &cell, Kind kind, const Access &access, const Clocks &clocks) {
  const bool isWrite = kind == Write;
  if (cell.isConstant && isWrite)
    return &cell.reader;
  if (kind == ConstantRead) {
    if (cell.isWritten)
      return &cell.writer;
    cell.isConstant = true;
  }
  auto isOrdered = [&](const Access &before) {
    return before.block == access.block && clocks.isBefore(before.thread, before.clock, access.thread);
  };
  if (cell.isWritten && !isOrdered(cell.writer))
    return &cell.writer;
  if (isWrite) {
    if (cell.isRead && (cell.isReadByBlocks || !isOrdered(cell.reader)))
      return &cell.reader;
    for (const Access &reader : cell.more)
      if (!isOrdered(reader))
        return &reader;
    cell.isRead = false;
    cell.more.clear();
    cell.isWritten = true;
    cell.writer = access;
    return nullptr;
  }
  if (cell.isReadByBlocks)
    return nullptr;
  if (!cell.isRead) {
    cell.isRead = true;
    cell.reader = access;
  } else if (cell.reader.block != access.block) {
    cell.isReadByBlocks = true;
    cell.more.clear();
  } else if (cell.reader.thread == access.thread) {
    cell.reader.clock = access.clock;
  } else {
    noteReader(cell.more, access);
  }
  return nullptr;
}

/// What is known of a word is known of each of its bytes.
void Region::splitCells() {
  std::vector<Cell> ofBytes;
  for (const Cell &cell : cells)
    ofBytes.insert(ofBytes.end(), cellBytes, cell);
  cells = std::move(ofBytes);
  cellBytes = 1;
}

const Access *Region::note(uint64_t offset, unsigned bytes, Kind kind, const Access &access, uint32_t launch,
                           const Clocks &clocks) {
  if ((offset | bytes) % cellBytes != 0)
    splitCells();
  cells.resize((data.size() + cellBytes - 1) / cellBytes);
  for (uint64_t i = offset / cellBytes; i < (offset + bytes) / cellBytes; ++i) {
    Cell &cell = cells[i];
    if (cell.launch != launch) {
      cell.launch = launch;
      cell.isWritten = cell.isReadByBlocks = cell.isConstant = cell.isRead = false;
      cell.more.clear();
    }
    if (const Access *other = noteCell(cell, kind, access, clocks))
      return other;
  }
  return nullptr;
}

MappedMemory &MappedMemory::get() {
  static MappedMemory memory;
  return memory;
}

bool MappedMemory::add(const void *memory, uint64_t bytes) {
  const auto address = reinterpret_cast<uint64_t>(memory);
  auto after = pieces.upper_bound(address);
  const bool meetsNext = after != pieces.end() && after->first / page <= (address + bytes - 1) / page;
  const bool meetsBefore =
      after != pieces.begin() && (std::prev(after)->first + std::prev(after)->second - 1) / page >= address / page;
  return !meetsNext && !meetsBefore && pieces.emplace(address, bytes).second;
}

bool MappedMemory::remove(const void *memory) { return pieces.erase(reinterpret_cast<uint64_t>(memory)) > 0; }

const uint8_t *MappedMemory::find(uint64_t address, uint64_t bytes) const {
  auto after = pieces.upper_bound(address);
  if (after == pieces.begin())
    return nullptr;
  const auto &[begin, size] = *std::prev(after);
  return address - begin <= size && bytes <= size - (address - begin) ? reinterpret_cast<const uint8_t *>(address)
                                                                      : nullptr;
}

uint64_t DeviceMemory::allocate(uint64_t bytes) {
  constexpr uint64_t gap = 4096;
  if (bytes > budget - inUse || bytes > endOfDevice - next)
    return 0;
  uint64_t address = next;
  next = (next + bytes + gap + 255) / 256 * 256;
  regions[address] = std::make_unique<Region>(bytes);
  inUse += bytes;
  return address;
}

bool DeviceMemory::release(uint64_t address) {
  auto found = regions.find(address);
  if (found == regions.end())
    return false;
  inUse -= found->second->data.size();
  regions.erase(found);
  last = nullptr;
  return true;
}

Region *DeviceMemory::find(uint64_t address, uint64_t bytes, uint64_t &start) {
  if (Region *own = findOwn(address, bytes, start))
    return own;
  DeviceMemory *other = others ? others(address) : nullptr;
  return other ? other->findOwn(address, bytes, start) : nullptr;
}

Region *DeviceMemory::findOwn(uint64_t address, uint64_t bytes, uint64_t &start) {
  if (!last || address < lastStart || address - lastStart >= last->data.size()) {
    auto after = regions.upper_bound(address);
    if (after == regions.begin())
      return nullptr;
    --after;
    last = after->second.get();
    lastStart = after->first;
  }
  start = lastStart;
  return address - start <= last->data.size() && bytes <= last->data.size() - (address - start) ? last : nullptr;
}

} // namespace ptx
