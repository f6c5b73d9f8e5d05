//===- DeviceTables.cpp - A binding's tables on a GPU ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceTables.h"

namespace gnn::rt {

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
