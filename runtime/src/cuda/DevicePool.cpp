//===- DevicePool.cpp - Memory of a GPU -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DevicePool.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Sizes.h"
#include "runtime/src/cuda/Device.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace gnn::rt {

namespace {

std::mutex ofPools; // and of what they keep

/// Those of each device, by ordinal. Never destroyed: models may be while the process ends.
std::set<DevicePool *> &poolsOf(int ordinal) {
  static auto *all = new std::map<int, std::set<DevicePool *>>;
  return (*all)[ordinal];
}

} // namespace

DevicePool::DevicePool(Device &device, int ordinal) : device(device), ordinal(ordinal) {
  const std::lock_guard lock(ofPools);
  poolsOf(ordinal).insert(this);
}

DevicePool::~DevicePool() {
  const std::lock_guard lock(ofPools);
  poolsOf(ordinal).erase(this);
}

size_t DevicePool::rounded(size_t bytes) {
  constexpr size_t small = 512, large = size_t(1) << 20;
  const size_t unit = bytes < large ? small : large;
  return std::max<size_t>((bytes + unit - 1) / unit, 1) * unit;
}

cuda::Address DevicePool::allocate(size_t bytes) {
  cuda::Address address = 0;
  const bool isAllowed = bytes <= budget - std::min(budget, inUse);
  if (isAllowed && inStock > 0 && bytes > budget - inUse - std::min(budget - inUse, inStock))
    release();
  cuda::Result result = isAllowed ? device.api().allocate(&address, bytes) : cuda::errorOutOfMemory;
  if (isAllowed && result == cuda::errorOutOfMemory) {
    for (DevicePool *pool : poolsOf(ordinal))
      pool->release();
    result = device.api().allocate(&address, bytes);
  }
  require(result != cuda::errorOutOfMemory, GNN_ERROR_MEMORY, device.label(), ": out of memory: ", sizeText(bytes),
          " are needed, with ", sizeText(inUse), " of ", sizeText(budget), " in use");
  device.check(result, "memory");
  return address;
}

DevicePool::Piece DevicePool::take(size_t bytes) {
  const std::lock_guard lock(ofPools);
  Piece piece{0, rounded(bytes)};
  auto found = stock.lower_bound(piece.bytes);
  if (found != stock.end() && found->first <= piece.bytes + piece.bytes / 4) {
    piece = {found->second, found->first};
    inStock -= piece.bytes;
    stock.erase(found);
  } else {
    piece.address = allocate(piece.bytes);
  }
  inUse += piece.bytes;
  return piece;
}

void DevicePool::giveBack(const Piece &piece) {
  const std::lock_guard lock(ofPools);
  stock.emplace(piece.bytes, piece.address);
  inUse -= piece.bytes;
  inStock += piece.bytes;
  device.noteReuse();
}

void DevicePool::releaseKept() {
  const std::lock_guard lock(ofPools);
  release();
}

/// With the lock. The driver waits for whatever may still use the memory.
void DevicePool::release() {
  for (const auto &[bytes, address] : stock)
    device.api().release(address);
  stock.clear();
  inStock = 0;
}

DeviceArray::DeviceArray(std::shared_ptr<Device> owner, DevicePool &source, size_t bytes)
    : device(std::move(owner)), pool(&source), piece(source.take(bytes)), size(bytes) {}

DeviceArray::~DeviceArray() {
  if (!pool)
    return;
  Device::Scope scope(*device); // this may be a tensor of the application, on any thread
  pool->giveBack(piece);
}

} // namespace gnn::rt
