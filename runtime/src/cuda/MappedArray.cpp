//===- MappedArray.cpp - Arrays that kernels read over the link -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/MappedArray.h"

#include <cstring>
#include <map>
#include <mutex>

namespace gnn::rt {

namespace {

/// Pages that are pinned where they are.
class PinnedPages {
public:
  PinnedPages(std::shared_ptr<Device> by, void *memory) : device(std::move(by)), memory(memory) {}
  ~PinnedPages() {
    Device::Scope scope(*device);
    device->api().hostUnregister(memory);
  }

private:
  std::shared_ptr<Device> device;
  void *memory;
};

/// For all devices. Null: the system does not allow it.
std::shared_ptr<void> registered(const std::shared_ptr<Device> &device, const void *data, size_t bytes) {
  static std::mutex mutex;
  static std::map<std::pair<const void *, size_t>, std::weak_ptr<PinnedPages>> all;
  const std::lock_guard<std::mutex> lock(mutex);
  for (auto at = all.begin(); at != all.end();)
    at = at->second.expired() ? all.erase(at) : std::next(at);
  void *memory = const_cast<void *>(data);
  auto known = all.find({data, bytes});
  std::shared_ptr<PinnedPages> pages = known == all.end() ? nullptr : known->second.lock();
  if (!pages) {
    Device::Scope scope(*device);
    if (device->api().hostRegister(memory, bytes, cuda::hostPortable | cuda::hostDeviceMap) != cuda::success)
      return nullptr;
    pages = std::make_shared<PinnedPages>(device, memory);
    all[{data, bytes}] = pages;
  }
  return {std::move(pages), memory};
}

} // namespace

std::shared_ptr<const MappedArray> MappedArray::of(const std::shared_ptr<Device> &device, const void *data,
                                                   size_t bytes, size_t mostCopied) {
  Device::Scope scope(*device);
  std::shared_ptr<void> owner;
  if (bytes > mostCopied) {
    owner = registered(device, data, bytes);
  } else {
    owner = device->pinned(std::max<size_t>(bytes, 1), /*isMapped=*/true);
    std::memcpy(owner.get(), data, bytes);
  }
  cuda::Address address = 0;
  if (!owner || device->api().hostAddress(&address, owner.get(), /*flags=*/0) != cuda::success)
    return nullptr;
  return std::shared_ptr<const MappedArray>(new MappedArray(std::move(owner), address));
}

} // namespace gnn::rt
