//===- DeviceTensor.cpp - Tensors in the memory of a GPU ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceTensor.h"

#include "runtime/src/core/Buffer.h"
#include "runtime/src/core/Guard.h"

#include <cstring>
#include <map>
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

namespace {

std::mutex ofCopies;

/// By address, those of all devices. Never destroyed: tensors may be while the process ends.
std::map<const char *, HostCopy *> &allCopies() {
  static auto *all = new std::map<const char *, HostCopy *>;
  return *all;
}

} // namespace

HostCopy::HostCopy(std::shared_ptr<Device> device, size_t bytes)
    : gpu(std::move(device)), array(gpu->allocate(bytes)), copy(static_cast<char *>(allocateAligned(bytes))) {
  std::memset(copy, 0, bytes);
  gpu->fillZeros(array.address(), bytes);
  const std::lock_guard lock(ofCopies);
  allCopies()[copy] = this;
}

HostCopy::~HostCopy() {
  const Device::Scope scope(*gpu); // whoever goes over all copies is in one
  const std::lock_guard lock(ofCopies);
  allCopies().erase(copy);
  std::free(copy);
}

Tensor HostCopy::zeros(const std::shared_ptr<Device> &device, uint32_t element, std::vector<int64_t> shape) {
  const size_t bytes = size_t(countElements(shape, element)) * elementBytes(element);
  std::shared_ptr<HostCopy> made(new HostCopy(device, bytes));
  char *data = made->copy;
  return Tensor::viewThere(std::move(made), data, element, std::move(shape));
}

HostCopy *HostCopy::find(const void *there) {
  const auto *at = static_cast<const char *>(there);
  const std::lock_guard lock(ofCopies);
  auto after = allCopies().upper_bound(at);
  HostCopy *found = after == allCopies().begin() ? nullptr : std::prev(after)->second;
  return found && at < found->copy + std::max<size_t>(found->array.bytes(), 1) ? found : nullptr;
}

std::vector<HostCopy *> HostCopy::allOf(const Device &device) {
  std::vector<HostCopy *> found;
  const std::lock_guard lock(ofCopies);
  for (const auto &[copy, each] : allCopies())
    if (each->gpu.get() == &device)
      found.push_back(each);
  return found;
}

cuda::Address HostCopy::addressOf(const void *there, bool isWritten) {
  HostCopy *found = find(there);
  if (!found)
    return reinterpret_cast<cuda::Address>(there);
  found->send();
  if (isWritten)
    found->isChangedThere = true;
  return found->array.address() + cuda::Address(static_cast<const char *>(there) - found->copy);
}

bool HostCopy::refresh(const void *there) {
  HostCopy *found = find(there);
  if (found)
    found->touch(/*isWritten=*/false);
  return found;
}

void HostCopy::sendAll(Device &device) {
  for (HostCopy *each : allOf(device)) {
    const bool isLent = each->lent > 0, wasLent = each->wasLent.exchange(false); // in this order
    if ((isLent || wasLent) && !each->isChangedThere)
      each->isChangedHere = true;
    each->send();
  }
}

void HostCopy::refreshLent(Device &device) {
  for (HostCopy *each : allOf(device))
    if (each->lent > 0)
      each->touch(/*isWritten=*/false);
}

void HostCopy::send() {
  if (!isChangedHere)
    return;
  gpu->upload(array.address(), copy, array.bytes());
  isChangedHere = false;
}

void HostCopy::touch(bool isWritten) {
  if (isChangedThere) {
    Device::Scope scope(*gpu);
    if (isChangedThere) { // another thread may have been first
      gpu->download(copy, array.address(), array.bytes());
      isChangedThere = false;
    }
  }
  if (isWritten)
    isChangedHere = true;
}

std::shared_ptr<DeviceStorage> HostCopy::lend(std::shared_ptr<DeviceStorage> self) {
  touch(/*isWritten=*/false);
  ++lent;
  return {self.get(), [this, self](DeviceStorage *) {
            wasLent = true; // before the other: a run may begin
            --lent;
          }};
}

} // namespace gnn::rt
