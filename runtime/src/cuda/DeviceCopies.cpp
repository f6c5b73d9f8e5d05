//===- DeviceCopies.cpp - Copies in the memory of a GPU -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceCopies.h"

#include <algorithm>

namespace gnn::rt {

void DeviceCopies::forget(cuda::Event ready) {
  begun.erase(std::remove(begun.begin(), begun.end(), ready), begun.end());
}

void DeviceCopies::await() {
  for (cuda::Event ready : begun)
    gpu->await(ready);
  begun.clear();
}

DeviceCopy::~DeviceCopy() {
  if (!copies || !ready) // moved away, or never made
    return;
  Device::Scope scope(copies->device());
  copies->forget(ready);
  copies->device().destroy(ready);
}

/// There may be an array of another size, of edges that are no more.
void DeviceCopy::update(const void *data, size_t bytes, uint64_t wanted) {
  if (isOf(wanted) && array.bytes() == bytes)
    return;
  Device &device = copies->device();
  if (array.address() == 0 || array.bytes() != bytes)
    array = device.allocate(bytes);
  if (!ready)
    ready = device.createEvent();
  device.uploadAside(array.address(), data, bytes, ready);
  copies->noteBegun(ready);
  version = wanted;
}

void DeviceCopy::update(const Tensor &there, uint64_t wanted) {
  if (isOf(wanted))
    return;
  Device &device = copies->device();
  copies->await(); // to the same array
  if (array.address() == 0)
    array = device.allocate(there.bytes());
  device.copyFrom(there.device(), array.address(), reinterpret_cast<cuda::Address>(there.data()), there.bytes());
  version = wanted;
}

void *DeviceTables::table(uint32_t tensor) {
  Device::Scope scope(copies->device());
  DeviceCopy &copy = tensors.try_emplace(tensor, copies).first->second;
  const Tensor &data = binding.data(tensor);
  if (data.device() < 0)
    copy.update(data.data(), data.bytes(), binding.version(tensor));
  else
    copy.update(data, binding.version(tensor));
  return reinterpret_cast<void *>(copy.address());
}

} // namespace gnn::rt
