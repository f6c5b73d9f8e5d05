//===- DeviceCopies.h - Copies in the memory of a GPU -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of this process that a GPU has copies of, made again when the originals are others: in the same place, if they
// are as large. Copying goes on beside the device's work until somebody awaits it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICECOPIES_H
#define GNN_CUDA_DEVICECOPIES_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/core/Tensor.h"
#include "runtime/src/cuda/Device.h"
#include "runtime/src/engine/Engine.h"

#include <map>

namespace gnn::rt {

/// Those that were begun on a device.
class DeviceCopies {
public:
  explicit DeviceCopies(std::shared_ptr<Device> device) : gpu(std::move(device)) {}

  Device &device() const { return *gpu; }
  const std::shared_ptr<Device> &owner() const { return gpu; }
  void noteBegun(cuda::Event ready) { begun.push_back(ready); }
  void forget(cuda::Event ready);
  /// Later work on the device begins after all the copies.
  void await();

private:
  std::shared_ptr<Device> gpu;
  std::vector<cuda::Event> begun; // that nobody has awaited
};

class DeviceCopy {
public:
  explicit DeviceCopy(std::shared_ptr<DeviceCopies> copies) : copies(std::move(copies)) {}
  ~DeviceCopy();
  DeviceCopy(DeviceCopy &&) = default;
  DeviceCopy &operator=(DeviceCopy &&) = delete;

  cuda::Address address() const { return array.address(); }
  bool isOf(uint64_t wanted) const { return array.address() != 0 && version == wanted; }
  /// Copies again unless it has `version` of as many bytes already.
  void update(const void *data, size_t bytes, uint64_t version);
  /// The same for memory of the device itself, or of another; always as many bytes.
  void update(const Tensor &there, uint64_t version);

private:
  std::shared_ptr<DeviceCopies> copies;
  DeviceArray array;
  uint64_t version = 0;
  cuda::Event ready = nullptr;
};

class DeviceTables : public ResidentTables {
public:
  /// `binding` must outlive this.
  DeviceTables(std::shared_ptr<DeviceCopies> copies, const Binding &binding)
      : copies(std::move(copies)), binding(binding) {}

  void *table(uint32_t tensor) override;

private:
  std::shared_ptr<DeviceCopies> copies;
  const Binding &binding;
  std::map<uint32_t, DeviceCopy> tensors;
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICECOPIES_H
