//===- DevicePool.h - Memory of a GPU ---------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver takes long to give memory and waits for the device to take it back, so what is not needed any more is kept
// for the next one who asks for about as much. There is a budget for all. What one model keeps makes way for another
// model of this process where the device has no other memory.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICEPOOL_H
#define GNN_CUDA_DEVICEPOOL_H

#include "runtime/src/cuda/Driver.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace gnn::rt {

class Device;

/// Needs the device's context around each call.
class DevicePool {
public:
  DevicePool(Device &device, int ordinal);
  ~DevicePool();
  DevicePool(const DevicePool &) = delete;
  DevicePool &operator=(const DevicePool &) = delete;

  void setBudget(size_t bytes) { budget = bytes; }

  /// Bytes that are taken for an allocation of `bytes`, rounded up so that freed pieces fit later allocations.
  static size_t rounded(size_t bytes);

  struct Piece {
    cuda::Address address = 0;
    size_t bytes = 0;
  };

  /// At least `bytes`, aligned to 256 bytes. Throws GNN_ERROR_MEMORY.
  Piece take(size_t bytes);
  /// Earlier work on the device may still use the piece; later work of its next user is queued behind it.
  void giveBack(const Piece &piece);
  /// Gives what is not in use back to the device.
  void releaseKept();

  /// Bytes that may be, are in use, and are kept for later.
  size_t limit() const { return budget; }
  size_t used() const { return inUse; }
  size_t kept() const { return inStock; }

private:
  cuda::Address allocate(size_t bytes);
  void release();

  Device &device;
  const int ordinal;
  size_t budget = 0, inUse = 0, inStock = 0;
  std::multimap<size_t, cuda::Address> stock; // by size
};

/// An owned array in the memory of a device.
class DeviceArray {
public:
  DeviceArray() = default;
  DeviceArray(std::shared_ptr<Device> device, DevicePool &pool, size_t bytes);
  DeviceArray(DeviceArray &&other) noexcept
      : device(std::move(other.device)), pool(std::exchange(other.pool, nullptr)),
        piece(std::exchange(other.piece, {})), size(std::exchange(other.size, 0)) {}
  DeviceArray &operator=(DeviceArray &&other) noexcept {
    std::swap(device, other.device);
    std::swap(pool, other.pool);
    std::swap(piece, other.piece);
    std::swap(size, other.size);
    return *this;
  }
  ~DeviceArray();

  cuda::Address address() const { return piece.address; }
  size_t bytes() const { return size; }

private:
  std::shared_ptr<Device> device; // which the memory is of
  DevicePool *pool = nullptr;
  DevicePool::Piece piece;
  size_t size = 0;
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICEPOOL_H
