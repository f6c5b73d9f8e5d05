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

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICEMODULE_H
