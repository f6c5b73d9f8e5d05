//===- DeviceTensor.cpp - Tensors in the memory of a GPU ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceTensor.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/cuda/Device.h"

#include <mutex>

namespace gnn::rt {

namespace {

class Storage : public DeviceStorage {
public:
  /// `device` may be null: it is opened when somebody reads.
  Storage(int index, std::shared_ptr<Device> device, std::shared_ptr<void> owner)
      : index(index), gpu(std::move(device)), owner(std::move(owner)) {}

  int device() const override { return index; }
  void read(void *to, const void *from, size_t bytes) override {
    std::call_once(opened, [this] {
      if (!gpu)
        gpu = Device::open(index);
    });
    Device::Scope scope(*gpu);
    gpu->download(to, reinterpret_cast<cuda::Address>(from), bytes);
  }

private:
  const int index;
  std::once_flag opened; // for whichever thread reads first
  std::shared_ptr<Device> gpu;
  std::shared_ptr<void> owner;
};

} // namespace

Tensor deviceView(int index, std::shared_ptr<void> owner, void *data, uint32_t element, std::vector<int64_t> shape,
                  bool readOnly) {
  const int count = Device::count();
  require(index >= 0 && index < count, GNN_ERROR_DEVICE, "a tensor is in the memory of cuda:", index,
          ", but this machine has ", count, " such devices");
  auto storage = std::make_shared<Storage>(index, nullptr, std::move(owner));
  return Tensor::viewThere(std::move(storage), data, element, std::move(shape), readOnly);
}

Tensor copyToDevice(const std::shared_ptr<Device> &device, const Tensor &tensor) {
  DeviceArray array = device->allocate(tensor.bytes());
  device->upload(array.address(), tensor.data(), tensor.bytes());
  device->finish();
  return deviceTensor(device, std::move(array), tensor.element(), tensor.shape());
}

Tensor deviceTensor(const std::shared_ptr<Device> &device, DeviceArray array, uint32_t element,
                    std::vector<int64_t> shape) {
  auto *data = reinterpret_cast<void *>(array.address());
  auto kept = std::make_shared<DeviceArray>(std::move(array));
  auto storage = std::make_shared<Storage>(device->ordinal(), device, std::move(kept));
  return Tensor::viewThere(std::move(storage), data, element, std::move(shape));
}

} // namespace gnn::rt
