//===- DeviceTensor.h - Tensors in the memory of a GPU ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors in device memory that applications pass and receive without a copy through host memory.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICETENSOR_H
#define GNN_CUDA_DEVICETENSOR_H

#include "runtime/src/core/Tensor.h"

namespace gnn::rt {

class Device;
class DeviceArray;

/// Memory of cuda:`index` that `owner` keeps. Throws GNN_ERROR_DEVICE if there is no such device.
Tensor deviceView(int index, std::shared_ptr<void> owner, void *data, uint32_t element, std::vector<int64_t> shape,
                  bool readOnly);
/// A tensor of this process in the memory of a device, whose context is that of this thread.
Tensor copyToDevice(const std::shared_ptr<Device> &device, const Tensor &tensor);
/// An array as a tensor.
Tensor deviceTensor(const std::shared_ptr<Device> &device, DeviceArray array, uint32_t element,
                    std::vector<int64_t> shape);

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICETENSOR_H
