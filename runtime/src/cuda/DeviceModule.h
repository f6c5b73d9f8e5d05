//===- DeviceModule.h - Code for a GPU --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, from several images of the same functions, the one that fits a device best. Images are machine code for some
// chips and PTX. Machine code runs on chips of its major version that are not older, PTX on all chips that are not
// older.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICEMODULE_H
#define GNN_CUDA_DEVICEMODULE_H

#include "runtime/src/cuda/Device.h"
#include "runtime/src/program/Library.h"

namespace gnn::rt {

struct DeviceImage {
  uint32_t arch; // 90 for sm_90
  bool isPtx;    // a text that ends in NUL
  const void *data;
};

class DeviceModule {
public:
  /// `origin` names the images in messages. Throws GNN_ERROR_MISMATCH if none is for the device.
  DeviceModule(std::shared_ptr<Device> device, const std::vector<DeviceImage> &images, const std::string &origin);
  ~DeviceModule();
  DeviceModule(const DeviceModule &) = delete;
  DeviceModule &operator=(const DeviceModule &) = delete;

  DeviceFunction function(const std::string &name) { return device->function(module, name); }
  /// "sm_90", of the image that was loaded.
  const std::string &code() const { return chip; }

private:
  std::shared_ptr<Device> device;
  std::string chip;
  cuda::Module module = nullptr;
};

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

#endif // GNN_CUDA_DEVICEMODULE_H
