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

namespace gnn::rt {

size_t DevicePool::rounded(size_t bytes) {
  constexpr size_t small = 512, large = size_t(1) << 20;
  const size_t unit = bytes < large ? small : large;
  return std::max<size_t>((bytes + unit - 1) / unit, 1) * unit;
}

template <class Ask> cuda::Address DevicePool::allocate(size_t bytes, Ask ask) {
  cuda::Address address = 0;
  bool isAllowed = bytes <= budget - std::min(budget, inUse);
  if (isAllowed && inStock > 0 && bytes > budget - inUse - std::min(budget - inUse, inStock))
    releaseKept();
  cuda::Result result = isAllowed ? ask(&address) : cuda::errorOutOfMemory;
  if (isAllowed && result == cuda::errorOutOfMemory && inStock > 0) {
    releaseKept();
    result = ask(&address);
  }
  require(result != cuda::errorOutOfMemory, GNN_ERROR_MEMORY, device.label(), ": out of memory: ", sizeText(bytes),
          " are needed, with ", sizeText(inUse), " of ", sizeText(budget), " in use");
  device.check(result, "memory");
  return address;
}

DevicePool::Piece DevicePool::take(size_t bytes) {
  Piece piece{0, rounded(bytes)};
  auto found = stock.lower_bound(piece.bytes);
  if (found != stock.end() && found->first <= piece.bytes + piece.bytes / 4) {
    piece = {found->second, found->first};
    inStock -= piece.bytes;
    stock.erase(found);
  } else {
    piece.address = allocate(piece.bytes, [&](cuda::Address *at) { return device.api().allocate(at, piece.bytes); });
  }
  inUse += piece.bytes;
  return piece;
}

void DevicePool::giveBack(const Piece &piece) {
  stock.emplace(piece.bytes, piece.address);
  inUse -= piece.bytes;
  inStock += piece.bytes;
  device.noteReuse();
}

DevicePool::Piece DevicePool::takeManaged(size_t bytes) {
  Piece piece{0, rounded(bytes)};
  piece.address = allocate(piece.bytes, [&](cuda::Address *at) {
    size_t free = 0, total = 0; // the driver would give more than there is
    cuda::Result known = device.api().memoryInfo(&free, &total);
    return known != cuda::success ? known
           : free < piece.bytes   ? cuda::errorOutOfMemory
                                  : device.api().allocateManaged(at, piece.bytes, cuda::attachGlobal);
  });
  inUse += piece.bytes;
  return piece;
}

void DevicePool::releaseManaged(const Piece &piece) {
  device.api().release(piece.address);
  inUse -= piece.bytes;
}

void DevicePool::releaseKept() {
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
