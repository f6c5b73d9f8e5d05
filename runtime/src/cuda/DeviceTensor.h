//===- DeviceTensor.h - Tensors in the memory of a GPU ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors in device memory that applications pass and receive without a copy through host memory, and those of which
// this process has copies.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICETENSOR_H
#define GNN_CUDA_DEVICETENSOR_H

#include "runtime/src/cuda/Device.h"

#include <atomic>

namespace gnn::rt {

/// Memory of cuda:`index` that `owner` keeps. Throws GNN_ERROR_DEVICE if there is no such device.
Tensor deviceView(int index, std::shared_ptr<void> owner, void *data, uint32_t element, std::vector<int64_t> shape,
                  bool readOnly);
/// A tensor of this process in the memory of a device, whose context is that of this thread.
Tensor copyToDevice(const std::shared_ptr<Device> &device, const Tensor &tensor);
/// An array as a tensor.
Tensor deviceTensor(const std::shared_ptr<Device> &device, DeviceArray array, uint32_t element,
                    std::vector<int64_t> shape);

/// A tensor in plain memory of a GPU (a parameter, moment or state) with a copy in the memory of this process, at whose
/// address everyone knows it. The copy is brought up to date when this process reads it, and sent before the next run
/// after this process has written it. Applications read and write between calls, so while they hold such a tensor, runs
/// send the copy first and bring it up to date at the end.
class HostCopy : public DeviceStorage {
public:
  /// A tensor of zeros. Like all functions that take a device, in its context.
  static Tensor zeros(const std::shared_ptr<Device> &device, uint32_t element, std::vector<int64_t> shape);
  ~HostCopy() override;

  /// The address in the memory of the GPU of what is at `there` in a copy, which is sent if need be; `isWritten`: the
  /// GPU is about to change it. Other addresses are returned as they are.
  static cuda::Address addressOf(const void *there, bool isWritten = false);
  /// Brings the copy up to date that `there` is in; false if it is in none.
  static bool refresh(const void *there);
  /// Sends all copies of a device that this process may have written.
  static void sendAll(Device &device);
  /// Brings those copies of a device up to date that applications hold.
  static void refreshLent(Device &device);

  int device() const override { return -1; }
  void touch(bool isWritten) override;
  std::shared_ptr<DeviceStorage> lend(std::shared_ptr<DeviceStorage> self) override;

private:
  HostCopy(std::shared_ptr<Device> device, size_t bytes);
  static HostCopy *find(const void *there);
  static std::vector<HostCopy *> allOf(const Device &device);
  void send();

  std::shared_ptr<Device> gpu;
  DeviceArray array;
  char *const copy;
  std::atomic<bool> isChangedHere{false}, isChangedThere{false}; // not both
  std::atomic<int> lent{0};                                      // tensors that applications hold
  std::atomic<bool> wasLent{false};                              // and given up, since the last run began
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICETENSOR_H
