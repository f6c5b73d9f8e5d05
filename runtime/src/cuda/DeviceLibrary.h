//===- DeviceLibrary.h - A library's code on a GPU --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a compiled library, loaded on a device.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICELIBRARY_H
#define GNN_CUDA_DEVICELIBRARY_H

#include "runtime/src/cuda/DeviceModule.h"
#include "runtime/src/program/Library.h"

namespace gnn::rt {

class DeviceLibrary {
public:
  /// Throws GNN_ERROR_MISMATCH if the library has no code for the device.
  DeviceLibrary(const std::shared_ptr<Device> &device, const Library &library);

  const gnn_device_function_t &info(uint32_t kernel) const { return table.run[kernel]; }
  const DeviceFunction &function(uint32_t kernel) const { return functions[kernel]; }
  /// The function that merges the states of a sweep.
  const gnn_device_function_t &mergeInfo(uint32_t kernel) const { return table.merge[kernel]; }
  const DeviceFunction &merge(uint32_t kernel) const { return merges[kernel]; }
  /// "sm_90", of the code that was loaded.
  const std::string &code() const { return module.code(); }

private:
  const gnn_device_t &table;
  DeviceModule module;
  std::vector<DeviceFunction> functions, merges; // [kernels]; of maps no merges
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICELIBRARY_H
